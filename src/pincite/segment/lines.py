"""Joins the lines of a legal text into paragraphs, without page numbers, running headers and empty signature lines."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from pincite.segment.numbering import NumberMark, mark_of
from pincite.text.passage import Edges

LONG_LINE = 1500
"""Characters beyond which a line lost its line breaks. Runs of blanks then count as line breaks."""
REPEATED_LINES = 4
"""Times that a short line must occur to count as a running header or footer."""

_LINE = re.compile(r"[^\n]+")
_SOFT_BREAK = re.compile(r"(?<=[.;:,)”\"A-Za-z0-9])[ \t\u00a0]{3,}(?=\S)")
_PAGE_NUMBER = re.compile(
    r"^[\s\ufeff]*(?:page\s+)?[-–—]?\s*(?:[0-9]{1,4}|[ivxlc]{1,6}|[A-Z]{1,2}-[0-9]{1,3})\s*[-–—]?(?:\s+of\s+[0-9]{1,4})?\s*$",
    re.IGNORECASE,
)
_SIGNATURE = re.compile(
    r"^[\s\ufeff]*(?:(?:by|name|title|its|date|dated|signed|signature|witness|place)\s*:?)?[\s_.…:/]*$", re.IGNORECASE
)
"""A signature line that is not filled in."""
_ENDS = frozenset('.;:?!”"’')


class LineBlock(NamedTuple):
    """A paragraph: its offsets, and the number that starts it."""

    start: int
    end: int
    mark: NumberMark | None


def blocks(text: str) -> Iterator[LineBlock]:
    """The paragraphs of a text in order, with wrapped lines joined."""
    lines = [line for line in _lines(text) if not _is_furniture(text, *line)]
    furniture = _repeated(text, lines)
    lines = [line for line in lines if text[line[0] : line[1]] not in furniture]
    wrapped = _is_wrapped(lines)
    current: Edges | None = None
    mark: NumberMark | None = None
    for start, end in lines:
        own = mark_of(text, start, end)
        if current and _continues(text, current, (start, end), own, wrapped=wrapped):
            current = (current[0], end)
            continue
        if current:
            yield LineBlock(*current, mark)
        current, mark = (start, end), own
    if current:
        yield LineBlock(*current, mark)


def _is_furniture(text: str, start: int, end: int) -> bool:
    """Whether a line is a page number or an empty signature line."""
    return end - start <= 80 and bool(_PAGE_NUMBER.match(text, start, end) or _SIGNATURE.match(text, start, end))


def _lines(text: str) -> Iterator[Edges]:
    """The offsets of the lines without white space at their ends. Overlong lines are cut at runs of blanks."""
    for line in _LINE.finditer(text):
        if line.end() - line.start() <= LONG_LINE:
            yield from _stripped(text, line.start(), line.end())
            continue
        begin = line.start()
        for gap in _SOFT_BREAK.finditer(text, line.start(), line.end()):
            yield from _stripped(text, begin, gap.start())
            begin = gap.end()
        yield from _stripped(text, begin, line.end())


def _stripped(text: str, start: int, end: int) -> Iterator[Edges]:
    piece = text[start:end]
    stripped = piece.strip(" \t\u00a0\ufeff\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029\u3000")
    if stripped and not stripped.isspace():
        begin = start + piece.index(stripped)
        yield begin, begin + len(stripped)


def _repeated(text: str, lines: list[Edges]) -> set[str]:
    """Short lines that occur again and again: running headers and footers."""
    counts = Counter(text[start:end] for start, end in lines if 8 <= end - start <= 90)
    return {
        line
        for line, count in counts.items()
        if count >= REPEATED_LINES and count * 400 > len(lines) and _is_header(line)
    }


def _is_header(line: str) -> bool:
    return line[-1] not in ".;:," and mark_of(line, 0, len(line)) is None and sum(map(str.isalpha, line)) >= 6


def _is_wrapped(lines: list[Edges]) -> bool:
    """Whether the lines were wrapped at a fixed width: hardly any is long, and most have a similar length."""
    lengths = sorted(end - start for start, end in lines)
    if len(lengths) < 12:
        return False
    return lengths[int(len(lengths) * 0.98)] <= 110 and lengths[int(len(lengths) * 0.7)] >= 45


def _continues(text: str, current: Edges, line: Edges, mark: NumberMark | None, *, wrapped: bool) -> bool:
    """Whether a line continues the paragraph before it."""
    if mark is not None and mark.strong:
        return False
    first, last = text[line[0]], text[current[1] - 1]
    gap = text.count("\n", current[1], line[0])
    if wrapped and gap <= 1:
        return mark is None and not _is_capitals(text, *line) and not _is_capitals(text, *current)
    if mark is not None:
        return False
    return last not in _ENDS and first.islower()


def _is_capitals(text: str, start: int, end: int) -> bool:
    """Whether a line is a heading in capitals."""
    if end - start > 90:
        return False
    line = text[start:end]
    return line.isupper() and sum(map(str.isalpha, line)) >= 4
