"""Reads rich text (.rtf): its paragraphs without their formatting."""

import re

from pincite.documents.request import ReadRequest
from pincite.documents.text_builder import LINE_BREAK, PARAGRAPH_BREAK, TextBuilder
from pincite.text import Document

_PICTURE = re.compile(r"(?:[0-9a-fA-F]{32,}\s*){8,}")
"""A picture in hexadecimal digits. It is removed first, because parsing it is slow."""


def read_rtf(request: ReadRequest) -> Document:
    """The document. A paragraph is a block; the cells of a table row are separated by " | "."""
    from striprtf.striprtf import rtf_to_text

    text = rtf_to_text(_PICTURE.sub("", request.data.decode("latin-1")), errors="replace")
    builder = TextBuilder()
    after_row = False
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        is_row = line.rstrip().endswith("|") and line.count("|") > 1
        block = " | ".join(cell.strip() for cell in line.split("|")).strip(" |") if is_row else line
        builder.add(block.replace("\t", " "), between=LINE_BREAK if is_row and after_row else PARAGRAPH_BREAK)
        after_row = is_row
    return builder.document(request, "rtf")
