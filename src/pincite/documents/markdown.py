"""Reads Markdown: keeps every character and records the headings."""

import re
from dataclasses import replace

from pincite.documents.request import ReadRequest
from pincite.documents.text_file import read_text
from pincite.text import Document

_FENCE = re.compile(r" {0,3}(```|~~~)")
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]|$)")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_NOT_A_PARAGRAPH = re.compile(r" {0,3}(?:[-*+>#|]|[0-9]+[.)]|$)|    |\t")


def read_markdown(request: ReadRequest) -> Document:
    """The document. Its text is the file's own, so offsets are the file's own too."""
    document = read_text(request)
    source = replace(document.source, reader="markdown", headings=tuple(headings(document.text)))
    return replace(document, source=source)


def headings(text: str) -> list[tuple[int, int]]:
    """The offset and level of each ATX and setext heading outside code blocks.

    >>> headings("# Lease\\n\\nRent\\n----\\nDue.")
    [(0, 1), (9, 2)]
    """
    result: list[tuple[int, int]] = []
    fence = ""
    above: int | None = None  # where the line before starts, if a setext underline could make it a heading
    start = 0
    for line in text.split("\n"):
        here, start = start, start + len(line) + 1
        fence_mark = _FENCE.match(line)
        if fence_mark and (not fence or fence == fence_mark.group(1)):
            fence = "" if fence else fence_mark.group(1)
            above = None
        elif fence:
            continue
        elif atx := _ATX.match(line):
            result.append((here, len(atx.group(1))))
            above = None
        elif above is not None and (setext := _SETEXT.match(line)):
            result.append((above, 1 if setext.group(1)[0] == "=" else 2))
            above = None
        else:
            above = None if _NOT_A_PARAGRAPH.match(line) else here
    return result
