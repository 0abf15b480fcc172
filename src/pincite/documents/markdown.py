"""Reads Markdown as it is, and marks its headings."""

import re
from dataclasses import replace

from pincite.documents.request import ReadRequest
from pincite.documents.text_file import read_text
from pincite.text import Document

_FENCE = re.compile(r" {0,3}(```|~~~)")
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]|$)")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_NO_PARAGRAPH = re.compile(r" {0,3}(?:[-*+>#|]|[0-9]+[.)]|$)|    |\t")


def read_markdown(given: ReadRequest) -> Document:
    """The text exactly as in the file, so that offsets are the file's own."""
    document = read_text(given)
    return replace(
        document, source=replace(document.source, reader="markdown", headings=tuple(headings(document.text)))
    )


def headings(text: str) -> list[tuple[int, int]]:
    """Where ATX and setext headings begin, with their levels; code blocks have none.

    >>> headings("# Lease\\n\\nRent\\n----\\nDue.")
    [(0, 1), (9, 2)]
    """
    found: list[tuple[int, int]] = []
    fence = ""
    above: tuple[int, str] | None = None
    start = 0
    for line in text.split("\n"):
        here, start = start, start + len(line) + 1
        fenced = _FENCE.match(line)
        if fenced and (not fence or fence == fenced.group(1)):
            fence = "" if fence else fenced.group(1)
            above = None
        elif fence:
            continue
        elif atx := _ATX.match(line):
            found.append((here, len(atx.group(1))))
            above = None
        elif above and (setext := _SETEXT.match(line)):
            found.append((above[0], 1 if setext.group(1)[0] == "=" else 2))
            above = None
        else:
            above = None if _NO_PARAGRAPH.match(line) else (here, line)
    return found
