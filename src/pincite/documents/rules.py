"""Rows of dashes and tags of EDGAR that stand between words, where a text lost its line breaks."""

import re
from collections.abc import Iterator

from pincite.text.passage import Edges

_ROW = re.compile(
    r"(?<!\S)(?:-[ \t]){0,12}(?:-{4,}|={4,}|\*{8,}|~{4,})(?!\S)|(?<=[ \t]{2})(?:-[ \t]){0,12}-{3}(?=[ \t]{2}|\n|\Z)"
)
"""Underscores are left alone: between words they are a blank that someone fills in."""
_TAG = re.compile(r"<PAGE>(?:[ \t]+[0-9]{1,4}(?=\s))?|</?(?:TABLE|CAPTION|S|C|FN|F[0-9]{1,2})>")


def inline_rules(text: str) -> Iterator[Edges]:
    """The rows of dashes, which underlined a heading or a word, and the tags.

    >>> list(inline_rules("made as of 31 December, --------- 1996"))
    [(24, 33)]
    """
    for pattern in (_ROW, _TAG):
        for match in pattern.finditer(text):
            yield match.span()
