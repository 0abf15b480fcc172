"""How likely it is that a question is answered at all: calibrated on a re-ranker's scores."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

BEST = 5


@dataclass(frozen=True, slots=True)
class Answerability:
    """Logistic in the best scores of a question and in how near the passages are to it in meaning; `unit` (slope,
    offset) is the same for one passage alone, and `compared` (weights, offset) for a question that is asked of one
    document after another: most of them are silent."""

    weights: tuple[float, ...]
    offset: float
    unit: tuple[float, float] = (1.0, 0.0)
    compared: tuple[tuple[float, ...], float] | None = None
    near: tuple[float, ...] = ()
    """What stands for nearness in meaning where there are no vectors: its mean. Without it, nearness does not count."""

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> "Answerability":
        """As it stands in the parameters of a method."""
        compared = parameters.get("compared")
        return cls(
            tuple(parameters["weights"]),
            parameters["offset"],
            tuple(parameters["unit"]),
            (tuple(compared["weights"]), compared["offset"]) if compared else None,
            tuple(parameters.get("near", ())),
        )

    def for_comparisons(self) -> "Answerability":
        """The one that judges a document of a comparison."""
        if self.compared is None:
            return self
        weights, offset = self.compared
        return replace(self, weights=weights, offset=offset)

    def question(self, rerank: Array, dense: Array | None = None) -> float:
        """How likely it is that one of the passages with these scores and cosines answers."""
        given = best_scores(rerank)
        if self.near:
            given = np.concatenate([given, self.near if dense is None else nearness(rerank, dense)])
        return float(_logistic(np.dot(given, self.weights) + self.offset))

    def passages(self, rerank: Array) -> Array:
        """How likely it is that each passage answers; what was not read (nan) stays so."""
        slope, offset = self.unit
        return np.round(_logistic(slope * rerank + offset), 4)


def best_scores(rerank: Array) -> Array:
    """The best scores in order, the last one again where there are fewer, and the mean of the best ones."""
    read = np.sort(rerank[~np.isnan(rerank)])[::-1][:BEST]
    if not len(read):
        return np.full(BEST + 1, -10.0)
    best = np.concatenate([read, np.full(BEST - len(read), read[-1])])
    return np.append(best, best.mean())


def nearness(rerank: Array, dense: Array) -> Array:
    """Of the passages that were read: the greatest cosine, and that of the passage with the best score."""
    read = np.flatnonzero(~np.isnan(rerank))
    if not len(read):
        return np.zeros(2)
    return np.array([dense[read].max(), dense[read[np.argmax(rerank[read])]]])


def _logistic(value: Array | float) -> Array:
    found: Array = 1 / (1 + np.exp(-np.clip(value, -30, 30)))
    return found
