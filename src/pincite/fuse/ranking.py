"""A ranking: the scores that one part gives to all passages, and the best passages in order."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.text import Part
from pincite.text.order import best_first


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """`scores` has an entry for each passage of the collection. `order` holds the positions of the best, best first.

    `among` marks the passages the part may return: those a filter admits and, for a lexical part, those that share a
    term with the query. None stands for all.
    """

    name: str
    scores: NDArray[np.float64]
    order: NDArray[np.int64]
    tie_order: NDArray[np.int64]
    among: NDArray[np.bool_] | None = None
    admitted: NDArray[np.bool_] | None = None
    parts: tuple["Ranking", ...] = ()

    @classmethod
    def of(
        cls,
        name: str,
        scores: NDArray[np.float64],
        depth: int,
        tie_order: NDArray[np.int64],
        *,
        among: NDArray[np.bool_] | None = None,
        admitted: NDArray[np.bool_] | None = None,
        parts: tuple["Ranking", ...] = (),
    ) -> "Ranking":
        """A ranking of the best `depth` passages by these scores."""
        order = best_first(scores, depth, tie_order, among)
        return cls(name, scores, order, tie_order, among, admitted, parts)

    def part(self, position: int) -> Part:
        """The score of one passage and its exact rank, also where the passage is not in `order`."""
        score = self.scores[position]
        if self.among is not None and not self.among[position]:
            return Part(float(score), None)
        ahead = self.scores > score
        tied = (self.scores == score) & (self.tie_order < self.tie_order[position])
        better = ahead | tied if self.among is None else (ahead | tied) & self.among
        return Part(float(score), int(np.count_nonzero(better)) + 1)

    def scaled(self) -> NDArray[np.float64]:
        """The scores scaled to 0..1 by the least and greatest of the admitted passages; 0 where those are equal."""
        pool = self.scores if self.admitted is None else self.scores[self.admitted]
        if not len(pool):
            return np.zeros_like(self.scores)
        low, high = pool.min(), pool.max()
        return (self.scores - low) / (high - low) if high > low else np.zeros_like(self.scores)
