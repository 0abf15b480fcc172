"""From scored units to hits: neighbours that answer together become one span, and nothing is shown twice."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pincite.errors import one_of
from pincite.query.operators import QueryConstraints
from pincite.search.loading import Loader
from pincite.search.scoring import ScoredUnits
from pincite.search.whole import finished, labelled
from pincite.text.passage import Edges
from pincite.text.units import LoadedDocument

GRANULARITIES = ("sentence", "clause", "section", "words")
ORDERED = 20
"""Units put in order at first for every hit wanted."""
ONE_EACH, TWO_EACH = 1, 2
"""Hits that one document may have among the first ones."""
FIRST = {ONE_EACH: 20, TWO_EACH: 10}
"""How many hits are the first ones."""
WORDS = 100
"""The length of a hit of granularity `words`, about."""


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


class HitSpan(NamedTuple):
    """A hit to be: the scored unit that it grew from, its document, the unit's number there, and its first and last
    unit."""

    at: int
    loaded: LoadedDocument
    unit: int
    first: int
    last: int

    @property
    def edges(self) -> Edges:
        start, end = int(self.loaded.units.starts[self.first]), int(self.loaded.units.ends[self.last])
        return labelled(self.loaded.document.text, start), end


class AllowedUnits(NamedTuple):
    """Which units a hit may grow from (they hold the phrases), and which it may take in (they hold no -word)."""

    begin: NDArray[np.bool_]
    take: NDArray[np.bool_]


def allowed_units(constraints: QueryConstraints, scored: ScoredUnits, loader: Loader) -> AllowedUnits:
    """For every unit, whether a hit may begin from it, and whether a hit may take it in."""
    begin: list[bool] = []
    take: list[bool] = []
    loader.fetch(scored.units.documents)
    for key in scored.units.documents:
        document, units = loader(key)
        # What is hidden between two pieces of a word may part it: such documents are not passed over.
        possible = bool(document.source.hidden) or constraints.may_stand_in(document.text)
        if not possible and not constraints.excluded:
            begin += [False] * len(units)
            take += [True] * len(units)
            continue
        for start, end in zip(units.starts.tolist(), units.ends.tolist(), strict=True):
            words = document.shown(start, end)
            take.append(constraints.allows_beside(words))
            begin.append(possible and take[-1] and constraints.allows(words))
    return AllowedUnits(np.array(begin, dtype=np.bool_), np.array(take, dtype=np.bool_))


Extent = Callable[[int], tuple[int, int] | None]
"""How many units before and behind one belong to its hit; None where that is to be seen from the scores."""


Usable = Callable[[int], bool]
"""Whether a hit may grow from a unit."""


def spans(
    scored: ScoredUnits,
    loader: Loader,
    count: int,
    config: SpanConfig,
    allowed: AllowedUnits | None = None,
    extent: Extent | None = None,
    *,
    usable: Usable | None = None,
    most: int | None = None,
) -> Iterator[HitSpan]:
    """Hits, best first, none overlapping; about `count` of them will be taken.

    `allowed` says which units a hit may begin from, and which it may take in. A document has at most `most` of the
    first hits, ONE_EACH or TWO_EACH; None for any number.
    """
    growth = Growth(scored, loader, config, allowed, extent)
    made, waiting = 0, list[int]()
    of_document: Counter[int] = Counter()
    first = FIRST.get(most or 0, 0)

    def begins(at: int) -> bool:
        return not growth.used[at] and (allowed is None or bool(allowed.begin[at])) and (not usable or usable(at))

    for at in _best_first(scored.scores, scored.units.tie_places, ORDERED * count):
        owner = int(scored.units.owners[at])
        if made < first and of_document[owner] == most:
            waiting.append(at)
            continue
        if waiting and made == first:
            yield from (growth.grow(place, exact=False) for place in waiting if begins(place))
            waiting = []
        if not begins(at):
            continue
        yield growth.grow(at, exact=made == 0)
        of_document[owner] += 1
        made += 1
    yield from (growth.grow(place, exact=made == 0) for place in waiting if begins(place))


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
        scored: ScoredUnits,
        loader: Loader,
        config: SpanConfig,
        allowed: AllowedUnits | None,
        extent: Extent | None = None,
    ) -> None:
        self.extent = extent
        self.scored = scored
        self.loader = loader
        self.config = config
        self.used = np.zeros(len(scored.scores), dtype=np.bool_) if allowed is None else ~allowed.take

    def grow(self, at: int, *, exact: bool) -> HitSpan:
        """The run of units around `at` that makes one hit, forwards first, then backwards."""
        key, unit = self.scored.units.place(at)
        loaded = self.loader(key)
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
                while self._joins(loaded, at, unit, other, min(first, other), max(last, other)):
                    first, last = min(first, other), max(last, other)
                    other += step
        if self.config.granularity == "sentence":
            last = self._finished(loaded, at - unit, first, last)
        self.used[at + first - unit : at + last - unit + 1] = True
        return HitSpan(at, loaded, unit, first, last)

    def _finished(self, loaded: LoadedDocument, before: int, first: int, last: int) -> int:
        """The last unit with what completes its sentence, as far as no other hit has that."""
        wanted = finished(loaded, first, last)
        while last < wanted and not self.used[before + last + 1]:
            last += 1
        return last

    def _joins(self, loaded: LoadedDocument, at: int, unit: int, other: int, first: int, last: int) -> bool:
        units, place = loaded.units, at + other - unit
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
                return len(loaded.document.shown(start, end).split()) <= WORDS
        return mine.clause == its.clause
