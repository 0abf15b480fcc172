"""What a retriever is: it indexes a collection and ranks its passages for a query."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar

from pincite.errors import PinciteError
from pincite.fuse import Ranking
from pincite.text import Collection, Filter, Hit
from pincite.text.order import check_k


class Retriever(ABC):
    """A retriever says how it ranks in `rank`; everything that leaves it, leaves as hits."""

    name: ClassVar[str]
    _collection: Collection | None = None

    @property
    def collection(self) -> Collection:
        if self._collection is None:
            raise PinciteError(f"{self.name}: nothing to search yet; call index(collection) first")
        return self._collection

    def index(self, collection: Collection) -> None:
        """Prepares the passages of `collection` for searching; an earlier collection is forgotten."""
        self._prepare(collection)
        self._collection = collection

    def search(self, query: str, k: int = 10, where: Filter | None = None) -> list[Hit]:
        """The `k` best passages for `query` in the documents that `where` admits; fewer where there are fewer."""
        return self._hits(self.rank(query, check_k(k), where))

    def search_many(self, queries: Iterable[str], k: int = 10, where: Filter | None = None) -> list[list[Hit]]:
        """`search` for several queries; the answers do not depend on which ones are asked together."""
        check_k(k)
        return [self._hits(ranking) for ranking in self.rank_many(list(queries), k, where)]

    @abstractmethod
    def rank(self, query: str, depth: int, where: Filter | None = None) -> Ranking:
        """The ranking of all passages, its best `depth` in order."""

    def rank_many(self, queries: list[str], depth: int, where: Filter | None = None) -> Iterable[Ranking]:
        """`rank` for several queries, one at a time: a ranking of a large collection is not small."""
        return (self.rank(query, depth, where) for query in queries)

    @abstractmethod
    def _prepare(self, collection: Collection) -> None:
        """What `index` does for this kind of retriever."""

    def _hits(self, ranking: Ranking) -> list[Hit]:
        parts = ranking.parts or (ranking,)
        return [
            self.collection.hit(
                int(position),
                float(ranking.scores[position]),
                rank,
                {part.name: part.part(int(position)) for part in parts},
            )
            for rank, position in enumerate(ranking.order, start=1)
        ]
