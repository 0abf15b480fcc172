"""Suites that any engine or retriever can inherit, so that anybody can write one more.

`pytest --pyargs pincite.testing` runs them for the engines that come with Pincite.
"""

from pincite.testing.engine_suite import EngineSuite
from pincite.testing.retriever_suite import RetrieverSuite
from pincite.testing.wire_engine import WireEngine

__all__ = ["EngineSuite", "RetrieverSuite", "WireEngine"]
