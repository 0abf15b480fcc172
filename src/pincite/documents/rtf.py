"""Reads rich text (.rtf): its paragraphs without their formatting."""

import re

from pincite.documents.request import ReadRequest
from pincite.documents.text_builder import LINE_BREAK, PARAGRAPH_BREAK, TextBuilder
from pincite.text import Document

_PICTURE = re.compile(r"(?=[0-9a-fA-F]{32})(?:[0-9a-fA-F]\s*+){256,}+")
"""A picture in hexadecimal digits. It is removed first, because parsing it is slow."""


_BRACES = re.compile(r"\\bin(\d+) ?|\\[\\{}]|[{}]")
"""Binary data, which may hold any character; escaped braces; and braces."""


def open_groups(source: str) -> int:
    """How many groups are open at the end of a file. In a whole file there are none.

    >>> open_groups(r"{\\rtf1 {\\b Rent} \\{ due}"), open_groups(r"{\\rtf1 {\\b Re")
    (0, 2)
    """
    depth = at = 0
    while found := _BRACES.search(source, at):
        at = found.end() + int(found[1] or 0)
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if not depth:
            return 0
    return depth


def read_rtf(request: ReadRequest) -> Document:
    """The document. A paragraph is a block; the cells of a table row are separated by " | "."""
    from striprtf.striprtf import rtf_to_text

    source = request.data.decode("latin-1")
    if still_open := open_groups(source):
        request.note(f"ends inside {still_open} open groups: the end of the file is missing; copy it again")
    text = rtf_to_text(_PICTURE.sub("", source), errors="replace")
    builder = TextBuilder()
    after_row = False
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        is_row = line.rstrip().endswith("|") and line.count("|") > 1
        block = " | ".join(cell.strip() for cell in line.split("|")).strip(" |") if is_row else line
        builder.add(block.replace("\t", " "), between=LINE_BREAK if is_row and after_row else PARAGRAPH_BREAK)
        after_row = is_row
    return builder.document(request, "rtf")
