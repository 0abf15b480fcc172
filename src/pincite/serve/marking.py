"""A document's text as blocks with stretches marked, each block with its offset, so that any place can be linked."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from pincite.retrieve.shelves import Held
from pincite.text import Document


class Mark(NamedTuple):
    """A stretch to mark; `name` is "hit" for the one that was asked for, else begins with "other" or "find"."""

    start: int
    end: int
    name: str

    @property
    def kind(self) -> str:
        return self.name.partition("-")[0]


class Piece(NamedTuple):
    """Some text, marked or not; `anchor` stands where the mark begins."""

    text: str
    kind: str = ""
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph: where it begins, the page that begins with it, and whether it is a heading."""

    start: int
    pieces: tuple[Piece, ...]
    page: int | None = None
    label: str = ""
    heading: bool = False


def occurrences(text: str, wanted: str, most: int) -> list[tuple[int, int]]:
    """Where words stand in a text, whatever the case and the white space between them.

    >>> occurrences("The Tenant. the  tenant", "the tenant", 9)
    [(0, 10), (12, 23)]
    """
    words = wanted.split()
    if not words:
        return []
    pattern = re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE)
    found = []
    for match in pattern.finditer(text):
        found.append(match.span())
        if len(found) == most:
            break
    return found


def blocks(document: Document, marks: Sequence[Mark], held: Held) -> list[Block]:
    """The paragraphs of a document in order; what they hold together is its whole text but for white space."""
    text = document.text
    starts = document.source.page_starts
    headings = {int(start) for start in held.units.starts.tolist()} & _headings(held)
    page = 0
    made = []
    ordered = sorted(marks, key=lambda mark: (mark.start, mark.kind != "hit", -mark.end))
    for start, end in _paragraphs(text, starts):
        fresh = None
        while page < len(starts) and starts[page] <= start:
            page += 1
            fresh = page
        own = list(_near(ordered, start, end))
        label = document.page_label_at(start) if fresh else ""
        made.append(Block(start, tuple(_pieces(text, start, end, own)), fresh, label, start in headings))
    return made


def _headings(held: Held) -> set[int]:
    """Where a unit begins that is nothing but its own innermost heading."""
    found = set()
    units, text = held.units, held.document.text
    for at, (start, end) in enumerate(zip(units.starts.tolist(), units.ends.tolist(), strict=True)):
        if end - start < 120:
            path = units.context(at).heading_path
            if path and path[-1].strip() == " ".join(text[start:end].split()):
                found.add(start)
    return found


def _paragraphs(text: str, page_starts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The lines of a text that are not empty, cut where a page begins."""
    cuts = iter([start for start in page_starts if start > 0])
    cut = next(cuts, len(text) + 1)
    place = 0
    for line in text.split("\n"):
        start, end = place, place + len(line)
        while start < cut < end:
            if text[start:cut].strip():
                yield start, cut
            start, cut = cut, next(cuts, len(text) + 1)
        while cut <= start:
            cut = next(cuts, len(text) + 1)
        if text[start:end].strip():
            yield start, end
        place = end + 1


def _near(marks: Sequence[Mark], start: int, end: int) -> Iterator[Mark]:
    for mark in marks:
        if mark.start >= end:
            return
        if mark.end > start:
            yield mark


def _pieces(text: str, start: int, end: int, marks: Sequence[Mark]) -> Iterator[Piece]:
    """The stretch in pieces; where marks lie over each other, the first one wins."""
    if not marks:
        yield Piece(text[start:end])
        return
    edges = sorted({start, end, *(min(max(edge, start), end) for mark in marks for edge in mark[:2])})
    seen: set[str] = set()
    for first, last in pairwise(edges):
        over = [mark for mark in marks if mark.start <= first and last <= mark.end]
        if not over:
            yield Piece(text[first:last])
            continue
        best = min(over, key=lambda mark: ("hit", "find", "other").index(mark.kind))
        begins = best.name if first == max(best.start, start) and best.start >= start and best.name not in seen else ""
        seen.add(best.name)
        yield Piece(text[first:last], best.kind, begins)
