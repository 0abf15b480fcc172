"""A request: a question with everything that can be set about its answer. Every door speaks in requests."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pincite.errors import UsageError
from pincite.search.scoring import ContextConfig
from pincite.search.spans import SpanConfig
from pincite.text import Filter
from pincite.text.order import check_k

NO_ENCODER = "none"
"""The name that asks for the lexical parts alone."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A question and how to answer it.

    >>> SearchRequest("May copies be kept?", k=3, where=Filter(metadata={"kind": "nda"})).k
    3
    """

    query: str
    k: int = 10
    where: Filter | None = None
    granularity: str = "sentence"
    """sentence, clause, section or words."""
    method: str = "default"
    fusion: str = ""
    """How the parts are fused; "" for the method's own way."""
    fast: bool = False
    """Leaves the re-ranker out: less exact, quicker, and no likelihood."""
    encoder: str = ""
    """Another encoder by name or folder, or "none"; "" for the index's own."""
    reranker: str = ""
    """Another re-ranker by name or folder; "" for the method's own."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """Weights of parts, and `k1` and `b` of BM25, instead of the method's own."""
    operators: bool = True
    """Whether a "quoted phrase" and a -word are demands; otherwise they are words like others."""

    def __post_init__(self) -> None:
        check_k(self.k)
        SpanConfig(self.granularity)
        if self.fast and (self.reranker or self.fusion):
            raise UsageError("fast leaves the re-ranker out, which `reranker` and `fusion` need; give one or the other")

    def context(self, config: ContextConfig) -> ContextConfig:
        """The method's settings with the weights of this request."""
        return config.with_weights(self.weights)
