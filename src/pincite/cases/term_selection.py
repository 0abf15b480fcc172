"""Term selection: all terms of a long query count, or only the most telling ones."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.cases.segments import Segmented
from pincite.errors import one_of

WAYS = ("all", "idf", "kl")
"""The names of the selections."""


@dataclass(frozen=True, slots=True)
class TermChoice:
    """`all` keeps every term. `idf` keeps the `most` terms with the greatest log(1 + count) times idf. `kl` keeps those
    that add most to the Kullback-Leibler divergence of the query from the collection."""

    way: str = "all"
    most: int = 100

    def __post_init__(self) -> None:
        if self.way not in WAYS:
            raise one_of("selection of terms", self.way, WAYS)

    def kept(self, queries: Segmented, cases: Segmented, idf: NDArray[np.float64]) -> list[NDArray[np.int64] | None]:
        """The terms that count for each query, or None for all. A query is one row of counts."""
        count = len(queries.firsts) - 1
        if self.way == "all":
            return [None] * count
        total = np.asarray(cases.counts.sum(axis=0), dtype=np.float64).ravel()
        total = np.pad(total, (0, queries.counts.shape[1] - len(total)))
        share = (total + 0.5) / (total.sum() + 0.5 * len(total))
        return [self._of(queries.counts[queries.of_case(at)], share, idf) for at in range(count)]

    def _of(self, row: Any, share: NDArray[np.float64], idf: NDArray[np.float64]) -> NDArray[np.int64]:
        terms, counts = row.indices.astype(np.int64), row.data.astype(np.float64)
        if self.way == "idf":
            worth = np.log1p(counts) * np.pad(idf, (0, max(0, row.shape[1] - len(idf))))[terms]
        else:
            own = counts / max(1.0, counts.sum())
            worth = own * np.log(own / share[terms])
        order = np.lexsort((terms, -np.round(worth, 9)))
        return np.sort(terms[order[: self.most]])
