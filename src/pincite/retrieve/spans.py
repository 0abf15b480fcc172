"""From scored units to hits: neighbours that answer together become one span, and nothing is shown twice."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pincite.errors import one_of
from pincite.retrieve.context_scores import Scored
from pincite.retrieve.shelves import Held, Shelves
from pincite.retrieve.wanted import Allowed
from pincite.text.passage import Edges

GRANULARITIES = ("sentence", "clause", "section", "words")
ORDERED = 20
"""For every hit that is wanted, so many units are put in order at first."""
WORDS = 100
"""A hit of granularity `words` grows to about so many."""


@dataclass(frozen=True, slots=True)
class SpanConfig:
    """How hits grow. The first one stays as exact as it is; later ones take in neighbours that score nearly as well."""

    granularity: str = "sentence"
    drop: float = 0.2
    """A neighbour in the same clause joins a hit if its score is at most this much lower."""
    longest: int = 1500

    def __post_init__(self) -> None:
        if self.granularity not in GRANULARITIES:
            raise one_of("granularity", self.granularity, GRANULARITIES)


class Found(NamedTuple):
    """A hit to be: the scored unit that it grew from, its document, the unit's number there, and the edges."""

    at: int
    held: Held
    unit: int
    edges: Edges


Extent = Callable[[int], tuple[int, int] | None]
"""How many units before and behind one belong to its hit; None where that is to be seen from the scores."""


def spans(
    shelves: Shelves,
    scored: Scored,
    count: int,
    config: SpanConfig,
    allowed: Allowed | None = None,
    extent: Extent | None = None,
) -> Iterator[Found]:
    """Hits, best first, none overlapping. `allowed` says which units a hit may begin from, and which it may take in."""
    growth = Growth(shelves, scored, config, allowed, extent)
    found = 0
    for at in _best_first(scored.scores, shelves.tie_places(scored.looked), ORDERED * count):
        if found == count:
            return
        if not growth.used[at] and (allowed is None or allowed.begin[at]):
            yield growth.grow(at, exact=found == 0)
            found += 1


def _best_first(scores: NDArray[np.float64], ties: NDArray[np.int64], first: int) -> Iterator[int]:
    """The places of all scores, best first; the `first` ones are put in order before the rest is looked at."""
    rest = np.arange(len(scores))
    if len(scores) > 2 * first:
        bound = np.partition(scores, len(scores) - first)[len(scores) - first]
        yield from _ordered(np.flatnonzero(scores >= bound), scores, ties)
        rest = np.flatnonzero(scores < bound)
    yield from _ordered(rest, scores, ties)


def _ordered(places: NDArray[np.int64], scores: NDArray[np.float64], ties: NDArray[np.int64]) -> list[int]:
    order: list[int] = places[np.lexsort((places, ties[places], -scores[places]))].tolist()
    return order


class Growth:
    """Grows hits out of units, each unit used once."""

    def __init__(
        self,
        shelves: Shelves,
        scored: Scored,
        config: SpanConfig,
        allowed: Allowed | None,
        extent: Extent | None = None,
    ) -> None:
        self.extent = extent
        self.shelves = shelves
        self.scored = scored
        self.config = config
        self.used = np.zeros(len(scored.scores), dtype=np.bool_) if allowed is None else ~allowed.take

    def grow(self, at: int, *, exact: bool) -> Found:
        """The run of units around `at` that makes one hit, forwards first, then backwards."""
        document, unit = self.scored.looked.place(at)
        held = self.shelves.load(document)
        first = last = unit
        known = self.extent(at) if self.extent and self.config.granularity == "sentence" else None
        if known is not None:
            while first > unit - known[0] and not self.used[at + first - 1 - unit]:
                first -= 1
            while last < unit + known[1] and not self.used[at + last + 1 - unit]:
                last += 1
        elif not (exact and self.config.granularity == "sentence"):
            for step in (1, -1):
                other = unit + step
                while self._joins(held, at, unit, other, min(first, other), max(last, other)):
                    first, last = min(first, other), max(last, other)
                    other += step
        self.used[at + first - unit : at + last - unit + 1] = True
        return Found(at, held, unit, (int(held.units.starts[first]), int(held.units.ends[last])))

    def _joins(self, held: Held, at: int, unit: int, other: int, first: int, last: int) -> bool:
        units, place = held.units, at + other - unit
        if not 0 <= other < len(units) or self.used[place]:
            return False
        start, end = int(units.starts[first]), int(units.ends[last])
        if self.config.granularity == "sentence":
            near = bool(self.scored.scores[place] >= self.scored.scores[at] - self.config.drop)
            if not near or end - start > self.config.longest:
                return False
        mine, its = units.context(unit), units.context(other)
        match self.config.granularity:
            case "clause":
                return mine.clause == its.clause
            case "section":
                return mine.heading_path[:1] == its.heading_path[:1]
            case "words":
                return len(held.document.text[start:end].split()) <= WORDS
        return mine.clause == its.clause
