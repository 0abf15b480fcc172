"""The canonical text of a text file: the one text that every offset counts in."""

from pathlib import Path

from pincite.errors import DataError

BOM = "\ufeff"
"""Stays where it stands (LegalBench-RAG's spans count it) and is treated as white space."""

WORD = r"[^\s\ufeff]+"
"""A word as a regular expression: a run of anything but white space."""


def canonical(text: str) -> str:
    """CRLF and CR become LF; nothing else changes, and a leading byte order mark stays as character 0.

    >>> canonical("\\ufeffone\\r\\ntwo\\rthree")
    '\\ufeffone\\ntwo\\nthree'
    """
    return text.replace("\r\n", "\n").replace("\r", "\n")


def decode(data: bytes, name: str | Path) -> str:
    """The canonical text of a file's bytes, which must be UTF-8.

    >>> decode(b"caf\\xc3\\xa9", "menu.txt")
    'café'
    """
    try:
        return canonical(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise DataError(
            f"{name}: not UTF-8 (byte {error.start}: {data[error.start]:#04x}); convert it to UTF-8"
        ) from None
