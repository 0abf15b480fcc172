"""Where an answer begins and ends: from the unit that answers best, neighbours are taken in one after the other.

A neighbour is taken in if a logistic function says that it belongs: of what the re-ranker thinks of both, whether they
share a clause, a heading or a lead-in, and whether one runs on into the other. Edges are always edges of units.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.text.units import LoadedDocument

Run = tuple[int, int]
"""The first and the last of some units that follow each other."""

FEATURES = (
    "1",
    "score of the neighbour",
    "score of the unit",
    "same clause",
    "same heading",
    "same lead-in",
    "one leads into the other",
    "runs on",
    "length of the neighbour",
    "length of the hit",
    "units taken in",
    "behind",
)
LOWEST = -10.0
"""Stands for the score of a unit that the re-ranker did not read."""


@dataclass(frozen=True, slots=True)
class Trimmer:
    """A weight for each of FEATURES; `most` units on each side and `longest` characters in all are the limits."""

    weights: tuple[float, ...]
    most: int = 8
    longest: int = 2000

    def extent(self, loaded: LoadedDocument, rerank: NDArray[np.float64], unit: int) -> tuple[int, int]:
        """How many units before and behind belong to the answer; `rerank` has a score for each unit of the document."""
        first = last = unit
        growing = {1: True, -1: True}
        while any(growing.values()):
            for step in (1, -1):
                other = last + 1 if step > 0 else first - 1
                growing[step] = growing[step] and self._belongs(loaded, rerank, unit, (first, last), other)
                if growing[step]:
                    first, last = min(first, other), max(last, other)
        return unit - first, last - unit

    def _belongs(self, loaded: LoadedDocument, rerank: NDArray[np.float64], unit: int, run: Run, other: int) -> bool:
        units = loaded.units
        if not 0 <= other < len(units) or abs(other - unit) > self.most:
            return False
        start, end = min(units.starts[run[0]], units.starts[other]), max(units.ends[run[1]], units.ends[other])
        if int(end) - int(start) > self.longest:
            return False
        return float(np.dot(neighbour_features(loaded, rerank, unit, run, other), self.weights)) > 0


def neighbour_features(
    loaded: LoadedDocument, rerank: NDArray[np.float64], unit: int, run: Run, other: int
) -> NDArray[np.float64]:
    """What is known of a unit next to a run of units that grew from one unit."""
    units, text = loaded.units, loaded.document.text
    edge = run[1] if other > run[1] else run[0]
    mine, its = units.context(edge), units.context(other)
    own, others = units.edges(edge), units.edges(other)
    end = min(own, others)[1]
    return np.array(
        [
            1.0,
            _score(rerank[other]),
            _score(rerank[unit]),
            mine.clause == its.clause,
            mine.heading_path == its.heading_path,
            mine.lead_in is not None and mine.lead_in == its.lead_in,
            mine.lead_in == others or its.lead_in == own,
            text[end - 1 : end] not in ".?!",
            min(3.0, _length(loaded, *others) / 300),
            min(3.0, _length(loaded, units.edges(run[0])[0], units.edges(run[1])[1]) / 300),
            run[1] - run[0],
            other > run[1],
        ],
        dtype=np.float64,
    )


def _length(loaded: LoadedDocument, start: int, end: int) -> int:
    """The characters that are shown."""
    return sum(right - left for left, right in loaded.document.pieces(start, end))


def _score(value: float) -> float:
    return LOWEST if np.isnan(value) else max(LOWEST, float(value))
