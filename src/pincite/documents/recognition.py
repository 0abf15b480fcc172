"""Recognises the format of a file by its content. The suffix decides only where the content cannot."""

from collections.abc import Callable, Iterable
from io import BytesIO

from pincite.documents.formats import (
    BLANKS,
    FORMATS,
    OLE,
    TEXT,
    UTF8_BOM,
    UTF16_BOMS,
    ZIP,
    FileFormat,
    Packing,
    format_of_suffix,
    packing_of,
)
from pincite.documents.request import ReadRequest
from pincite.documents.zip_limits import open_zip

HEAD_BYTES = 4096
"""Bytes at the start of a file that recognition looks at."""

_PDF_HEAD_BYTES = 1024
"""A PDF may have other bytes before its signature, up to this offset."""

_FOREIGN_SIGNATURES = {
    b"\x89PNG": "a picture (PNG)", b"\xff\xd8\xff": "a picture (JPEG)", b"GIF8": "a picture (GIF)",
    b"II*\0": "a picture (TIFF)", b"MM\0*": "a picture (TIFF)", b"BM": "a picture (BMP)", b"MZ": "a program",
    b"\x7fELF": "a program", b"\x1f\x8b": "a gzip archive", b"7z\xbc\xaf": "a 7-Zip archive", b"Rar!": "a RAR archive",
    b"SQLite format 3": "a database", b"ID3": "an audio file", b"OggS": "an audio file",
    b"RIFF": "an audio or video file",
}  # fmt: skip
"""Files that Pincite does not read, by their first bytes."""

_FOREIGN_STREAMS = {
    "Workbook": "is a workbook in the old format (.xls); save it as .xlsx",
    "Book": "is a workbook in the old format (.xls); save it as .xlsx",
    "PowerPoint Document": "is a presentation (.ppt); save it as .pdf",
}
"""OLE files that Pincite does not read, by a stream in them."""

_UNKNOWN_OFFICE = "is an office file of an unknown kind; save it as .docx or .pdf"


def recognise(request: ReadRequest) -> FileFormat:
    """The format of a file. A file of no known format raises `Unreadable`, which says what the file is instead.

    >>> recognise(ReadRequest(b"{\\\\rtf1 Rent}", "lease.docx", "lease")).name
    'rtf'
    """
    data = request.data
    _refuse_empty(request)
    packing = packing_of(data[:HEAD_BYTES])
    if packing == ZIP:
        return _recognise_zip(request)
    if packing == OLE:
        return _recognise_ole(request)
    if packing == TEXT and b"%PDF-" in data[:_PDF_HEAD_BYTES] and b"\0" in data:
        return FORMATS["pdf"]
    return _formats_of(packing)[0] if packing != TEXT else _recognise_text(request)


def _refuse_empty(request: ReadRequest) -> None:
    if not request.data:
        raise request.failure("empty", "the file has no bytes; leave it out, or copy it again")
    if not request.data.strip(BLANKS) or request.data in (*UTF16_BOMS, UTF8_BOM):
        raise request.failure("empty", "holds only white space; leave it out, or check that it was saved completely")


def _formats_of(packing: Packing) -> list[FileFormat]:
    return [row for row in FORMATS.values() if row.packing == packing]


def _by_members(packing: Packing, has_member: Callable[[str], bool]) -> FileFormat | None:
    """The format whose members a file contains."""
    candidates = (row for row in _formats_of(packing) if row.members)
    return next((row for row in candidates if all(map(has_member, row.members))), None)


def _recognise_zip(request: ReadRequest) -> FileFormat:
    with open_zip(request) as archive:
        names = {name.lstrip("/") for name in archive.namelist()}
    if found := _by_members(ZIP, lambda member: _has_member(names, member)):
        return found
    if "[Content_Types].xml" in names:
        is_presentation = _has_member(names, "ppt/")
        advice = "is a presentation (.pptx); save it as .pdf" if is_presentation else _UNKNOWN_OFFICE
        raise request.failure("unknown format", advice)
    if "mimetype" in names and {"content.xml", "META-INF/container.xml"} & names:
        raise request.failure("unknown format", "is an OpenDocument or EPUB file; save it as .docx or .pdf")
    return next(row for row in _formats_of(ZIP) if not row.members)


def _has_member(names: Iterable[str], member: str) -> bool:
    return any(name.startswith(member) for name in names) if member.endswith("/") else member in names


def _recognise_ole(request: ReadRequest) -> FileFormat:
    """The format of an OLE file, which its streams reveal: old office files and Outlook messages share OLE."""
    from olefile import OleFileIO  # type: ignore[import-untyped]

    try:
        with OleFileIO(BytesIO(request.data)) as ole:
            if ole.exists("EncryptedPackage") or ole.exists("EncryptionInfo"):
                raise request.failure("encrypted", "needs a password; save a copy without one and read that")
            if found := _by_members(OLE, ole.exists):
                return found
            if ole.exists("PerfectOffice_MAIN"):
                return FORMATS["wpd"]
            foreign = (advice for stream, advice in _FOREIGN_STREAMS.items() if ole.exists(stream))
            raise request.failure("unknown format", next(foreign, _UNKNOWN_OFFICE))
    except OSError as error:
        raise request.failure("damaged", f"is not a complete office file ({error}); copy it again") from None


def _recognise_text(request: ReadRequest) -> FileFormat:
    """The format of a file without a signature of its own, unless the file is binary."""
    head = request.data[:HEAD_BYTES]
    promised = format_of_suffix(request.suffix)
    if found := _markup(head, promised):
        return found
    _refuse_binary(request, head)
    by_suffix = promised is not None and promised.packing == TEXT and promised.looks_like is None
    return promised if promised and by_suffix else FORMATS["text"]


def _refuse_binary(request: ReadRequest, head: bytes) -> None:
    """Refuse binary data. Short signatures count only with a NUL byte, because text may start with them too."""
    has_nul = b"\0" in request.data and not head.startswith(UTF16_BOMS)
    for signature, kind in _FOREIGN_SIGNATURES.items():
        if head.startswith(signature) and (has_nul or (len(signature) > 2 and not request.data.isascii())):
            raise request.failure("unknown format", f"is {kind}, not a document with text; leave it out")
    if has_nul:
        raise request.failure("unknown format", "holds binary data of an unknown format; leave it out")


def _markup(head: bytes, promised: FileFormat | None) -> FileFormat | None:
    """The text format that the first bytes show. A file named as plain text stays plain text, to keep its offsets."""
    if promised and promised.is_plain:
        return None
    if head.startswith(UTF16_BOMS):
        head = head.decode("utf-16", "ignore").encode("utf-8", "ignore")
    head = head.removeprefix(UTF8_BOM)
    candidates = (row for row in FORMATS.values() if row.looks_like)
    return next((row for row in candidates if row.looks_like and row.looks_like(head, row == promised)), None)
