"""Reads a plain text file and keeps every character."""

from pathlib import Path

from pincite.documents.encodings import decode_other
from pincite.documents.failures import Unreadable
from pincite.documents.formats import UTF16_BOMS
from pincite.documents.request import ReadRequest
from pincite.errors import DataError
from pincite.text import Document, Source
from pincite.text.canonical import BOM, canonical, decode


def read_text_file(path: Path, document_id: str) -> Document:
    """The document in a text file."""
    try:
        data = path.read_bytes()
    except OSError as error:
        advice = f"cannot be opened ({error.strerror}); check that it exists and that you may read it"
        raise Unreadable(str(path), "cannot be opened", advice) from None
    return read_text(ReadRequest(data, str(path), document_id))


def read_text(request: ReadRequest) -> Document:
    """The document in the bytes of a text file: UTF-8, UTF-16 with a byte order mark, or an encoding that is noted."""
    text = canonical_text(request)
    source = Source(path=request.name)
    return Document(request.document_id, text, source=source)


def canonical_text(request: ReadRequest) -> str:
    """The canonical text. An error names the first byte or character that is not text."""
    if not request.data:
        raise request.failure("empty", "the file has no bytes; leave it out, or copy it again")
    text = _decode_utf16(request) if request.data.startswith(UTF16_BOMS) else _decode_bytes(request)
    if "\0" in text:
        at = text.index("\0")
        raise request.failure("unknown format", f"not text (NUL at character {at}); convert it to UTF-8")
    if not text.strip(BOM + " \t\n\u00a0"):
        raise request.failure("empty", "holds only white space; leave it out, or check that it was saved completely")
    return text


def _decode_utf16(request: ReadRequest) -> str:
    try:
        return canonical(request.data.decode("utf-16"))
    except UnicodeDecodeError as error:
        raise request.failure("damaged", f"not valid UTF-16 ({error.reason}); convert it to UTF-8") from None


def _decode_bytes(request: ReadRequest) -> str:
    """UTF-8 if that is valid, else the encoding that fits best."""
    try:
        return decode(request.data, request.name)
    except DataError as error:
        other = decode_other(request.data)
        if other is None:
            raise request.failure("unknown format", str(error).removeprefix(f"{request.name}: ")) from None
        request.note(f"not UTF-8; read as {other.encoding}")
        return canonical(other.text)
