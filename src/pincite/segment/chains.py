"""Chooses among numbers of one style those that count 1, 2, 3 ... through a document: the numbers of its divisions."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite.segment.candidates import Candidate

GAP_COST = 2.0
"""What a missing number costs."""
LARGEST_GAP = 3
"""Numbers that may be missing in a row."""
LONG_GAP_COST = 7.0
"""What it costs if more are missing, as in a document that counts wrongly."""
LATE_START = 2.5
"""What a chain costs that does not start with 1."""
ROOM = 1500
"""Characters of text under a number that speak fully for it. Entries of a table of contents have hardly any."""
START_COST = 20.0
"""What it costs to start at the end of the text, and so much less before: the main part of a document comes first."""
BORDER_COST = 20.0
"""What it costs to go on behind the start of an attachment."""


@dataclass(frozen=True, slots=True)
class Chain:
    """Numbers in order, and how much they look like divisions together."""

    links: tuple[Candidate, ...] = ()
    score: float = 0.0

    @property
    def start(self) -> int:
        return self.links[0].start

    @property
    def last(self) -> int:
        return self.links[-1].start


@dataclass(slots=True)
class _Link:
    candidate: Candidate
    score: float
    before: "_Link | None"


def best_chain(candidates: Sequence[Candidate], borders: Sequence[int], end: int) -> Chain:
    """The best chain of candidates of one style, which are in order. Time is linear in their number.

    `borders` are offsets where attachments seem to start; `end` is where the text ends.
    """
    ends: dict[int, _Link] = {}
    zones: dict[int, int] = {}
    best: _Link | None = None
    following = [*(candidate.start for candidate in candidates[1:]), end][: len(candidates)]
    for candidate, after in zip(candidates, following, strict=True):
        zone = bisect_right(borders, candidate.start)
        before, score = None, -START_COST * candidate.start / end - (LATE_START if candidate.value > 1 else 0.0)
        for gap in range(LARGEST_GAP + 1):
            link = ends.get(candidate.value - 1 - gap)
            if link is None:
                continue
            crossed = BORDER_COST if zones[link.candidate.value] != zone else 0.0
            through = link.score - gap * GAP_COST - crossed
            if through > score:
                before, score = link, through
        if best and best.candidate.value < candidate.value and zones[best.candidate.value] == zone:
            jumped = best.score - LONG_GAP_COST
            if jumped > score:
                before, score = best, jumped
        score += candidate.weight + 2 * min(1.0, (after - candidate.start) / ROOM) - 1.0
        known = ends.get(candidate.value)
        if (
            known is None
            or score > known.score
            or (zones[candidate.value] != zone and score > known.score - BORDER_COST)
        ):
            ends[candidate.value] = _Link(candidate, score, before)
            zones[candidate.value] = zone
            if best is None or score > best.score:
                best = ends[candidate.value]
    return _chain(best, end)


def _chain(link: _Link | None, end: int) -> Chain:
    score = link.score if link else 0.0
    links: list[Candidate] = []
    while link:
        links.append(link.candidate)
        link = link.before
    links.reverse()
    return Chain(tuple(links), score + START_COST * links[0].start / end if links else 0.0)


def missing(chain: Chain) -> int:
    """How many numbers a chain leaves out."""
    return sum(right.value - left.value - 1 for left, right in pairwise(chain.links))
