"""The marks of emphasis in Markdown: asterisks, underscores and tildes that come in pairs around words."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.text.passage import Edges

DEPTH = 100
"""Open marks among which a closing one looks for its partner."""

_RUN = re.compile(r"(?<![\\*])\*{1,3}(?!\*)|(?<![\\_])_{1,3}(?!_)|(?<!~)~~(?!~)")
_PARAGRAPH = re.compile(r"\n[ \t]*\n|\n(?= {0,3}(?:[-*+]|[0-9]{1,9}[.)])[ \t])")


@dataclass(slots=True)
class _Run:
    """Marks of one kind that follow each other, of which some may be used up."""

    start: int
    end: int
    opens: bool
    closes: bool


def emphasis_marks(text: str, start: int, end: int, quiet: Sequence[Edges]) -> Iterator[Edges]:
    """The marks between `start` and `end` that have a partner in their paragraph. In quiet edges there are none.

    >>> list(emphasis_marks("a **b** 2*3 [***] ____", 0, 22, []))
    [(2, 4), (5, 7)]
    """
    begin = start
    for gap in [*(match.start() for match in _PARAGRAPH.finditer(text, start, end)), end]:
        yield from _pairs(text, list(_runs(text, begin, gap, quiet)))
        begin = gap


def _runs(text: str, start: int, end: int, quiet: Sequence[Edges]) -> Iterator[_Run]:
    for match in _RUN.finditer(text, start, end):
        place = bisect_right(quiet, (match.start(), len(text))) - 1
        if place >= 0 and quiet[place][1] > match.start():
            continue
        before, after = text[match.start() - 1 : match.start()] or "\n", text[match.end() : match.end() + 1] or "\n"
        if before in "[(" and after in "])":  # something is left out: [***]
            continue
        opens, closes = not after.isspace(), not before.isspace()
        if match.group()[0] == "_":
            opens, closes = opens and not before.isalnum(), closes and not after.isalnum()
        elif opens and closes and before.isdigit() and after.isdigit():
            continue
        yield _Run(match.start(), match.end(), opens, closes)


def _pairs(text: str, runs: Sequence[_Run]) -> Iterator[Edges]:
    """Each closing run with the nearest open one of its kind before it."""
    stack: list[_Run] = []
    found: list[Edges] = []
    for run in runs:
        while run.closes and run.start < run.end:
            opener = next(
                (
                    at
                    for at in reversed(range(max(0, len(stack) - DEPTH), len(stack)))
                    if text[stack[at].start] == text[run.start]
                ),
                None,
            )
            if opener is None:
                break
            partner = stack[opener]
            del stack[opener + 1 :]
            length = min(partner.end - partner.start, run.end - run.start)
            found += [(partner.end - length, partner.end), (run.start, run.start + length)]
            partner.end -= length
            run.start += length
            if partner.start == partner.end:
                stack.pop()
        if run.opens and run.start < run.end:
            stack.append(run)
    yield from sorted(found)
