"""Aggregation: the scores of segments become the score of a case, by the maximum as published, or in another way."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.errors import one_of

WAYS = ("max", "sum", "smooth", "rank", "coverage")
"""The names of the aggregations."""


@dataclass(frozen=True, slots=True)
class Aggregation:
    """How a case is scored from its segments.

    `max` takes the best pair of segments. `sum` adds the `m` best query segments, each paired with the best segment of
    the case. `smooth` is a soft maximum over the query segments. `rank` adds reciprocal ranks over the query segments.
    `coverage` divides the score of each query segment by the best that it reaches in any case, and takes the mean.
    """

    way: str = "max"
    m: int = 5
    """`sum`: how many query segments are added."""
    sharpness: float = 0.5
    """`smooth`: a larger value comes closer to the maximum."""
    k: float = 60.0
    """`rank`: the constant in 1 / (k + rank)."""

    def __post_init__(self) -> None:
        if self.way not in WAYS:
            raise one_of("aggregation", self.way, WAYS)

    def __call__(self, best: NDArray[np.float64]) -> NDArray[np.float64]:
        """A score for each case. `best` holds the best score of each query segment (row) in each case (column)."""
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
    """The rank of each case for each query segment. Equal scores share the better rank."""
    ranks = np.empty_like(scores)
    for row, values in enumerate(scores):
        ranks[row] = np.searchsorted(np.sort(-values), -values) + 1
    return ranks
