"""Joins the lines of a legal text into paragraphs, without empty signature lines."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from pincite.segment.numbering import NumberMark, mark_of
from pincite.text.lines import text_lines
from pincite.text.passage import Edges

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
    lines = [line for line in text_lines(text) if not _is_signature(text, *line)]
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


def _is_signature(text: str, start: int, end: int) -> bool:
    """Whether a line is an empty signature line."""
    return end - start <= 80 and bool(_SIGNATURE.match(text, start, end))


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
