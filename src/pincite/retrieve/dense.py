"""Dense retrieval: cosine between the vectors of the question and of every passage."""

from collections.abc import Iterable, Iterator
from typing import ClassVar

import numpy as np

from pincite.fuse import Ranking
from pincite.models import Encoder, Progress, Vectors
from pincite.retrieve.contract import Retriever
from pincite.text import Collection, Filter

DECIMALS = 6
"""Cosines are rounded here: what lies below depends on how a machine adds, and would break ties by chance."""


class Dense(Retriever):
    """Ranks every passage by the cosine of its vector with the question's. `progress` is told of the encoding."""

    name: ClassVar[str] = "dense"

    def __init__(self, encoder: Encoder, progress: Progress | None = None) -> None:
        self.encoder = encoder
        self.progress = progress

    def _prepare(self, collection: Collection) -> None:
        self._vectors = self.encoder.encode_passages(list(collection.texts()), self.progress)

    def rank(self, query: str, depth: int, where: Filter | None = None) -> Ranking:
        return next(iter(self.rank_many([query], depth, where)))

    def rank_many(self, queries: list[str], depth: int, where: Filter | None = None) -> Iterable[Ranking]:
        collection = self.collection
        asked = [at for at, query in enumerate(queries) if query.strip()]
        encoded = self.encoder.encode_queries([queries[at] for at in asked])
        vectors = dict(zip(asked, encoded, strict=True))
        return self._rankings(collection, len(queries), vectors, depth, where)

    def _rankings(
        self, collection: Collection, count: int, vectors: dict[int, Vectors], depth: int, where: Filter | None
    ) -> Iterator[Ranking]:
        admitted = collection.mask(where)
        nothing = np.zeros(len(collection), dtype=np.bool_)
        for at in range(count):
            vector = vectors.get(at)
            cosines = np.zeros(len(collection)) if vector is None else np.round(self._vectors @ vector, DECIMALS)
            among = nothing if vector is None else admitted
            scores = cosines.astype(np.float64)
            yield Ranking.of(self.name, scores, depth, collection.tie_order, among=among, admitted=admitted)
