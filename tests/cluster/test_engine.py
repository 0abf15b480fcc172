"""The engine on OpenSearch keeps the contract, on a real cluster."""

import os
from collections.abc import Iterator
from uuid import uuid4

import pytest

from pincite.engine import Engine
from pincite.index.opensearch import OpenSearchEngine
from pincite.testing import EngineSuite

CLUSTER = os.environ.get("PINCITE_OPENSEARCH", "")
pytestmark = pytest.mark.cluster


def opened() -> Iterator[OpenSearchEngine]:
    address = f"{CLUSTER}/test-{uuid4().hex[:12]}?replicas=0"
    OpenSearchEngine.create(address)
    engine = OpenSearchEngine(address, write=True)
    try:
        yield engine
    finally:
        engine.close()
        OpenSearchEngine.drop(address)


class TestOpenSearch(EngineSuite):
    """The engine on a cluster."""

    @pytest.fixture
    def engine(self) -> Iterator[Engine]:
        yield from opened()

    @pytest.fixture
    def other_engine(self) -> Iterator[Engine]:
        yield from opened()
