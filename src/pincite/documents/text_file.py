"""Reads a plain text file."""

from pathlib import Path

from pincite.errors import DataError
from pincite.text import Document, Source
from pincite.text.canonical import BOM, decode

SUFFIXES = (".txt", ".text", ".md")


def read_text_file(path: Path, document_id: str) -> Document:
    """The document in a UTF-8 file; its title is its first line that has any letters."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from None
    text = decode(data, path)
    return Document(document_id, text, title=_title(text) or path.stem, source=Source(path=str(path)))


def _title(text: str) -> str:
    lines = (line.strip(BOM + " \t#*=-_") for line in text[:2000].split("\n"))
    return next((line[:120] for line in lines if any(map(str.isalpha, line))), "")
