"""Reads rich text (.rtf): its paragraphs without their formatting."""

import re

from pincite.documents.text_builder import Flow
from pincite.documents.request import ReadRequest
from pincite.text import Document

_PICTURE = re.compile(r"(?:[0-9a-fA-F]{32,}\s*){8,}")
"""A picture in hexadecimal digits, which would take long to go through."""


def read_rtf(given: ReadRequest) -> Document:
    """The document; a paragraph is a block, and cells of a table row are parted by " | "."""
    from striprtf.striprtf import rtf_to_text

    text = rtf_to_text(_PICTURE.sub("", given.data.decode("latin-1")), errors="replace")
    flow = Flow()
    between = "\n\n"
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        is_row = line.rstrip().endswith("|") and line.count("|") > 1
        cells = " | ".join(cell.strip() for cell in line.split("|")).strip(" |") if is_row else line
        flow.add(cells.replace("\t", " "), between=between if is_row else "\n\n")
        between = "\n" if is_row else "\n\n"
    return flow.document(given, "rtf")
