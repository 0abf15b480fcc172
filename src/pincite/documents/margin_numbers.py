"""Line numbers in the margin of pleadings: 1 to 28 at the starts of lines, page after page."""

import re
from collections.abc import Iterator, Sequence

from pincite.text.passage import Edges

SHORTEST = 20
"""Lines with consecutive numbers that make pleading paper."""
CONTINUED = 0.25
"""Share of the lines that must start in lower case: the items of a list start with capitals."""

_NUMBER = re.compile(r"([0-9]{1,2})(?:[ \t\u00a0]+(?=\S)|$)")


def margin_numbers(text: str, lines: Sequence[Edges]) -> Iterator[Edges]:
    """The numbers at the starts of lines that count the lines of a page."""
    run: list[tuple[int, Edges, str]] = []
    for start, end in lines:
        match = _NUMBER.match(text[start:end])
        if match is None:
            continue
        number = int(match[1])
        if run and number != run[-1][0] + 1:
            yield from _numbers(run)
            run = []
        if run or number == 1:
            run.append((number, (start, start + match.end()), text[start + match.end() : end][:1]))
    yield from _numbers(run)


def _numbers(run: Sequence[tuple[int, Edges, str]]) -> Iterator[Edges]:
    lower = sum(first.islower() for _, _, first in run)
    if len(run) >= SHORTEST and lower >= CONTINUED * sum(bool(first) for _, _, first in run):
        yield from (edges for _, edges, _ in run)
