"""The engine on OpenSearch: for collections that outgrow one machine."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pincite.index.opensearch.engine import OpenSearchEngine

__all__ = ["OpenSearchEngine"]


def __getattr__(name: str) -> Any:
    """The engine is loaded when it is asked for."""
    if name == "OpenSearchEngine":
        from pincite.index.opensearch.engine import OpenSearchEngine

        return OpenSearchEngine
    raise AttributeError(name)
