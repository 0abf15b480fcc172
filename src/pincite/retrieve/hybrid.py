"""Hybrid retrieval: several retrievers ask for their best passages, and a fusion makes one ranking of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from pincite.errors import UsageError
from pincite.fuse import Fusion, Ranking, Weighted
from pincite.retrieve.contract import Retriever
from pincite.text import Collection, Filter


@dataclass(frozen=True, slots=True)
class HybridConfig:
    """The seeds' values: 0.55 BM25 and 0.45 dense over the best 100 of each."""

    fusion: Fusion = field(default_factory=lambda: Weighted((0.55, 0.45)))
    depth: int = 100

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise UsageError(f"a hybrid needs a depth of at least 1, not {self.depth}")


class Hybrid(Retriever):
    """Fuses the rankings of its parts, in their order; every hit keeps the score and rank of each part."""

    name: ClassVar[str] = "hybrid"

    def __init__(self, parts: Sequence[Retriever], config: HybridConfig | None = None) -> None:
        if len(parts) < 2:
            raise UsageError(f"a hybrid needs at least 2 parts, not {len(parts)}")
        self.parts = tuple(parts)
        self.config = config or HybridConfig()

    def _prepare(self, collection: Collection) -> None:
        for part in self.parts:
            part.index(collection)

    def rank(self, query: str, depth: int, where: Filter | None = None) -> Ranking:
        return self._fuse([part.rank(query, self.config.depth, where) for part in self.parts], depth)

    def rank_many(self, queries: list[str], depth: int, where: Filter | None = None) -> Iterable[Ranking]:
        columns = [part.rank_many(queries, self.config.depth, where) for part in self.parts]
        return (self._fuse(rankings, depth) for rankings in zip(*columns, strict=True))

    def _fuse(self, rankings: Sequence[Ranking], depth: int) -> Ranking:
        return self.config.fusion(rankings, depth)
