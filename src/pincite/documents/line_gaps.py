"""Where to cut a text when lines of it are hidden, so that what stays reads right when it is joined."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from pincite.text.passage import Edges

_ENDS = frozenset('.;:?!”"’')
"""A paragraph that ends with one of these does not go on behind a page break."""


def hidden_lines(text: str, lines: Sequence[Edges], hidden: Sequence[bool]) -> list[Edges]:
    """The edges that hide the flagged lines: one line break stays in a sentence, one empty line between paragraphs."""
    edges: list[Edges] = []
    for flag, run in groupby(range(len(lines)), key=hidden.__getitem__):
        if flag:
            places = list(run)
            edges += _run_edges(text, lines, places[0], places[-1])
    return edges


def _run_edges(text: str, lines: Sequence[Edges], first: int, last: int) -> Iterator[Edges]:
    """The edges that hide the lines from `first` to `last`, with the white space around them that is too much."""
    start, end = lines[first][0], lines[last][1]
    if first == 0 or last + 1 == len(lines):
        yield start, end
        return
    before, after = lines[first - 1][1], lines[last + 1][0]
    line_break = text.find("\n", before, after)
    if line_break < 0:
        yield before + 1, after
        return
    if text.find("\n", before, start) < 0:  # the first hidden line follows on the same line
        yield before, end
        return
    next_line = text.rfind("\n", before, after) + 1
    if next_line <= end:  # what follows stands on the last hidden line itself
        yield line_break + 1, after
        return
    second_break = text.find("\n", line_break + 1, start)
    if goes_on(text[before - 1], text[after]) or (second_break < 0 and text.count("\n", end, after) < 2):
        yield line_break + 1, next_line
    elif second_break >= 0:
        yield second_break + 1, next_line
    else:
        yield line_break + 1, text.find("\n", end, after) + 1


def goes_on(last: str, first: str) -> bool:
    """Whether a sentence goes on from one line to the next, by the last character of one and the first of the other."""
    return last not in _ENDS and first.islower()
