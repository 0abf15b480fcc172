"""A document's text as blocks with highlighted ranges. Each block has its offset, so that any place can be linked."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from pincite.text import Document
from pincite.text.shown_text import ShownText

_GAP = re.compile(r"\n[ \t]*\n(?:[ \t]*\n)*")


class Highlight(NamedTuple):
    """A range to highlight. `name` is "hit" for the requested passage; other names begin with "lead" (what leads into
    it), "other" or "find"."""

    start: int
    end: int
    name: str

    @property
    def kind(self) -> str:
        return self.name.partition("-")[0]


class Piece(NamedTuple):
    """Text that is highlighted or not. `anchor` is set where a highlight begins."""

    text: str
    kind: str = ""
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A paragraph: its offset, the page that begins with it, and whether it is a heading."""

    start: int
    pieces: tuple[Piece, ...]
    page: int | None = None
    label: str = ""
    heading: bool = False


def occurrences(text: str, wanted: str, most: int) -> list[tuple[int, int]]:
    """Where words occur in a text, ignoring case and the amount of white space between them.

    >>> occurrences("The Tenant. the  tenant", "the tenant", 9)
    [(0, 10), (12, 23)]
    """
    words = _lower(" ".join(wanted.split()))
    if not words:
        return []
    pieces, starts, origins = [], [0], [0]
    last = 0
    for match in _BLANKS.finditer(text):
        pieces += [text[last : match.start()], " "]
        last = match.end()
        starts.append(starts[-1] + match.start() - origins[-1] + 1)
        origins.append(last)
    folded = _lower("".join((*pieces, text[last:])))

    def origin(place: int) -> int:
        at = bisect_right(starts, place) - 1
        return min(origins[at] + place - starts[at], len(text))

    found: list[tuple[int, int]] = []
    place = folded.find(words)
    while place >= 0 and len(found) < most:
        found.append((origin(place), origin(place + len(words) - 1) + 1))
        place = folded.find(words, place + len(words))
    return found


_BLANKS = re.compile(r"\s+")


def _lower(text: str) -> str:
    """The text in lower case, character by character: offsets stay the same."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(low if len(low := one.lower()) == 1 else one for one in text)


def blocks(document: Document, marks: Sequence[Highlight], headings: Mapping[int, str]) -> list[TextBlock]:
    """The paragraphs of a document in order, also split where headings and pages begin. Together they are everything
    that is shown of the text, except for white space between them."""
    shown = ShownText.of(document.text, document.source.hidden or ())
    marks = [Highlight(shown.inside(mark.start), shown.inside(mark.end), mark.name) for mark in marks]
    headings = {shown.inside(place): heading for place, heading in headings.items()}
    starts = [shown.inside(start) for start in document.source.page_starts]
    text, page, made = shown.text, 0, []
    ordered = sorted(marks, key=lambda mark: (mark.start, -mark.end))
    behind = 0
    for start, end in _paragraphs(text, sorted({*headings, *starts})):
        while behind < len(ordered) and ordered[behind].end <= start:
            behind += 1  # marks before this one are finished; `_near` finds longer ones after it
        fresh = None
        while page < len(starts) and starts[page] <= start:
            page += 1
            fresh = page
        label = document.page_label_at(shown.at(start)) if fresh else ""
        alone = " ".join(text[start:end].split()).rstrip(".: ") == headings.get(start, "").rstrip(".: ")
        made.append(
            TextBlock(
                shown.at(start),
                tuple(_pieces(text, start, end, list(_near(ordered[behind:], start, end)))),
                fresh,
                label,
                alone,
            )
        )
    return made


def _paragraphs(text: str, cuts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Splits the text at empty lines and at these offsets."""
    edges = sorted({0, len(text), *cuts, *(gap.end() for gap in _GAP.finditer(text))})
    for start, end in pairwise(edge for edge in edges if edge <= len(text)):
        held = text[start:end].rstrip()
        if held.strip("\ufeff \n\t"):
            yield start, start + len(held)


def _near(marks: Sequence[Highlight], start: int, end: int) -> Iterator[Highlight]:
    for mark in marks:
        if mark.start >= end:
            return
        if mark.end > start:
            yield mark


def _pieces(text: str, start: int, end: int, marks: Sequence[Highlight]) -> Iterator[Piece]:
    """The range in pieces. Where marks overlap, a hit wins over a find, and a find over all others."""
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
        best = min(over, key=lambda mark: ("hit", "find", "lead", "other").index(mark.kind))
        begins = best.name if first == max(best.start, start) and best.start >= start and best.name not in seen else ""
        seen.add(best.name)
        yield Piece(text[first:last], best.kind, begins)
