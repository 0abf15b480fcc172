"""The lines of a text. A text that lost its line breaks is cut at its runs of blanks."""

import re
from collections.abc import Iterator

from pincite.text.passage import Edges

LONG_LINE = 1500
"""Characters beyond which a line lost its line breaks. Runs of blanks then count as line breaks."""

_WHITE = "".join(character for character in map(chr, range(0x3001)) if character.isspace()) + "\ufeff\u200b"
_LINE = re.compile(r"[^\n]+")
_SOFT_BREAK = re.compile(r"(?<=[.;:,)”\"A-Za-z0-9])[ \t\u00a0]{3,}(?=\S)")


def text_lines(text: str) -> Iterator[Edges]:
    """The offsets of the lines without white space at their ends; empty lines are left out.

    >>> list(text_lines("One\\n\\n  two \\n"))
    [(0, 3), (7, 10)]
    """
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
    stripped = piece.strip(_WHITE)
    if stripped and not stripped.isspace():
        begin = start + piece.index(stripped)
        yield begin, begin + len(stripped)
