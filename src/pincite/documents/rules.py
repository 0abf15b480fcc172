"""Rows of dashes, tags of EDGAR and sources of pages that stand between words, where a text lost its line breaks."""

import re
from collections.abc import Iterator

from pincite.text.passage import Edges

_ROW = re.compile(
    r"(?<!\S)(?:-[ \t]){0,12}(?:-{4,}|={4,}|\*{8,}|~{4,})(?!\S)|(?<=[ \t]{2})(?:-[ \t]){0,12}-{3}(?=[ \t]{2}|\n|\Z)"
)
"""Underscores are left alone: between words they are a blank that someone fills in."""
_SOURCE = re.compile(
    r"(?:(?<=\s\s)[0-9]{1,3}\s+)?\bSource:\s[^\n]{2,80}?,\s[0-9A-Za-z/ .()-]{1,30},"
    r"\s[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}(?=\s*(?:\n|\Z))"
)
"""The filing that a page was taken from, at the end of a line of the text."""
_PAGE_OF = re.compile(
    r"(?<!\S)(?<!\bon\s)(?<!\bat\s)(?<!\bin\s)(?<!\bof\s)(?<!\bto\s)(?<!\bsee\s)(?<!\bSee\s)(?<!\band\s)"
    r"P(?:age|AGE)[ \t](?P<page>[0-9]{1,3})[ \t](?:of|OF)[ \t](?P<pages>[0-9]{1,3})(?=[ \t]*(?:\n|\Z))"
)
"""The number of a page among all, behind other words at the end of a line."""
_TAG = re.compile(r"<PAGE>(?:[ \t]+[0-9]{1,4}(?=\s))?|</?(?:TABLE|CAPTION|S|C|FN|F[0-9]{1,2})>")


def inline_rules(text: str) -> Iterator[Edges]:
    """The rows of dashes, which underlined a heading or a word, the tags and the sources.

    >>> list(inline_rules("made as of 31 December, --------- 1996"))
    [(24, 33)]
    """
    for pattern in (_ROW, _TAG, _SOURCE):
        for match in pattern.finditer(text):
            yield match.span()


def numbers_of_pages(text: str) -> Iterator[Edges]:
    """The numbers of pages among all, behind other words at the ends of lines.

    >>> text = "Lease Addendum  Page 2 of 3"
    >>> [text[slice(*edges)] for edges in numbers_of_pages(text)], list(numbers_of_pages("as stated on Page 2 of 3"))
    (['Page 2 of 3'], [])
    """
    for match in _PAGE_OF.finditer(text):
        if int(match["page"]) <= int(match["pages"]):
            yield match.span()
