"""From scored units to hits: neighbours that answer together become one span, and nothing is shown twice."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pincite.errors import one_of
from pincite.retrieve.context_scores import Scored
from pincite.text import Collection
from pincite.text.collection import Context
from pincite.text.passage import Edges

GRANULARITIES = ("sentence", "clause", "section", "words")
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


def spans(collection: Collection, scored: Scored, count: int, config: SpanConfig) -> Iterator[tuple[int, Edges]]:
    """The place of each hit's best unit among the scored ones, with the edges of the hit; best first, no overlaps."""
    growth = Growth(collection, scored, config)
    order = np.lexsort((collection.tie_order[scored.positions], -scored.scores))
    found = 0
    for at in map(int, order):
        if found == count:
            return
        if not growth.used[at]:
            yield at, growth.edges(*growth.grow(at, exact=found == 0))
            found += 1


class Growth:
    """Grows hits out of units, each unit used once."""

    def __init__(self, collection: Collection, scored: Scored, config: SpanConfig) -> None:
        self.collection = collection
        self.scored = scored
        self.config = config
        self.used = np.zeros(len(scored.positions), dtype=np.bool_)

    def grow(self, at: int, *, exact: bool) -> tuple[int, int]:
        """The run of units around `at` that makes one hit, forwards first, then backwards."""
        first = last = at
        if not (exact and self.config.granularity == "sentence"):
            for step in (1, -1):
                other = at + step
                while self._free(other) and self._joins(at, other, min(first, other), max(last, other)):
                    first, last = min(first, other), max(last, other)
                    other += step
        self.used[first : last + 1] = True
        return first, last

    def edges(self, first: int, last: int) -> Edges:
        positions = self.scored.positions
        return int(self.collection.starts[positions[first]]), int(self.collection.ends[positions[last]])

    def _free(self, at: int) -> bool:
        return 0 <= at < len(self.used) and not self.used[at]

    def _joins(self, at: int, other: int, first: int, last: int) -> bool:
        mine, its = self._context(at), self._context(other)
        if mine.owner != its.owner:
            return False
        match self.config.granularity:
            case "clause":
                return mine.clause == its.clause
            case "section":
                return mine.heading_path[:1] == its.heading_path[:1]
            case "words":
                start, end = self.edges(first, last)
                return len(self.collection.documents[mine.owner].text[start:end].split()) <= WORDS
        start, end = self.edges(first, last)
        near = bool(self.scored.scores[other] >= self.scored.scores[at] - self.config.drop)
        return mine.clause == its.clause and near and end - start <= self.config.longest

    def _context(self, at: int) -> Context:
        return self.collection.contexts[int(self.collection.context_of[self.scored.positions[at]])]
