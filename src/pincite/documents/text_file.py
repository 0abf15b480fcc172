"""Reads a plain text file, character by character as it is."""

from pathlib import Path

from pincite.documents.failures import Unreadable
from pincite.documents.request import ReadRequest
from pincite.documents.titles import first_line
from pincite.errors import DataError
from pincite.text import Document, Source
from pincite.text.canonical import BOM, canonical, decode

SUFFIXES = (".txt", ".text", ".md", ".markdown")
UTF16 = (b"\xff\xfe", b"\xfe\xff")


def read_text_file(path: Path, document_id: str) -> Document:
    """The document in a UTF-8 file; its title is its first line that has any letters."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Unreadable(str(path), "cannot be opened", f"cannot be read ({error.strerror})") from None
    return read_text(ReadRequest(data, str(path), document_id))


def read_text(given: ReadRequest) -> Document:
    """The document in the bytes of a text file: UTF-8, or UTF-16 with a byte order mark."""
    text = text_of(given)
    source = Source(path=given.name)
    return Document(given.document_id, text, title=first_line(text) or given.stem, source=source)


def text_of(given: ReadRequest) -> str:
    """The canonical text; an error says where bytes are not text."""
    if not given.data:
        raise given.failure("empty", "the file has no bytes; leave it out, or copy it again")
    if given.data.startswith(UTF16):
        try:
            text = canonical(given.data.decode("utf-16"))
        except UnicodeDecodeError as error:
            raise given.failure("damaged", f"not whole UTF-16 ({error.reason}); convert it to UTF-8") from None
    else:
        try:
            text = decode(given.data, given.name)
        except DataError as error:
            raise given.failure("unknown format", str(error).removeprefix(f"{given.name}: ")) from None
    if "\0" in text:
        at = text.index("\0")
        raise given.failure("unknown format", f"not text (a NUL at character {at}); convert it to UTF-8")
    if not text.strip(BOM + " \t\n\u00a0"):
        raise given.failure("empty", "holds only white space; leave it out, or check that it was saved in full")
    return text
