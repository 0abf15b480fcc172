"""From scores of segments to a score of a case: the maximum, as published, and other ways."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.errors import one_of

WAYS = ("max", "sum", "smooth", "rank", "coverage")


@dataclass(frozen=True, slots=True)
class Joining:
    """`max`: the best pair of segments. `sum`: of the best `m` query segments, each with the case's best. `smooth`: a
    soft maximum over query segments. `rank`: reciprocal ranks over query segments. `coverage`: the mean share of what
    each query segment finds at best."""

    way: str = "max"
    m: int = 5
    sharpness: float = 0.5
    k: float = 60.0

    def __post_init__(self) -> None:
        if self.way not in WAYS:
            raise one_of("way from segments to cases", self.way, WAYS)

    def __call__(self, best: NDArray[np.float64]) -> NDArray[np.float64]:
        """A score for every case, out of the best scores of query segments (rows) in cases (columns)."""
        if not best.shape[0]:
            return np.zeros(best.shape[1])
        scores = np.where(np.isfinite(best), best, 0.0).astype(np.float64)
        match self.way:
            case "max":
                joined = scores.max(axis=0)
            case "sum":
                kept = min(self.m, len(scores))
                joined = np.partition(scores, len(scores) - kept, axis=0)[len(scores) - kept :].sum(axis=0)
            case "smooth":
                top = scores.max(axis=0)
                joined = top + np.log(np.exp(self.sharpness * (scores - top)).mean(axis=0)) / self.sharpness
            case "rank":
                joined = (1 / (self.k + _ranks(scores))).sum(axis=0)
            case _:
                joined = (scores / np.maximum(scores.max(axis=1, keepdims=True), 1e-9)).mean(axis=0)
        found: NDArray[np.float64] = np.round(joined, 6)
        return found


def _ranks(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rank of every case for every query segment; equal scores share the better rank."""
    ranks = np.empty_like(scores)
    for row, values in enumerate(scores):
        ranks[row] = np.searchsorted(np.sort(-values), -values) + 1
    return ranks
