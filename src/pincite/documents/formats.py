"""Tells a file's format by its content; the suffix only tells apart what content cannot."""

import re
from collections.abc import Callable
from io import BytesIO

from pincite.documents.request import ReadRequest
from pincite.documents.zip_limits import opened
from pincite.documents.text_file import SUFFIXES, UTF16

FORMATS = ("pdf", "docx", "xlsx", "zip", "rtf", "html", "eml", "msg", "doc", "markdown", "text")

SUFFIX_FORMATS = {
    ".txt": "text", ".text": "text", ".md": "markdown", ".markdown": "markdown", ".rtf": "rtf", ".html": "html",
    ".htm": "html", ".xhtml": "html", ".docx": "docx", ".docm": "docx", ".pdf": "pdf", ".xlsx": "xlsx",
    ".xlsm": "xlsx", ".eml": "eml", ".msg": "msg", ".zip": "zip", ".doc": "doc",
}  # fmt: skip
"""What a file of that suffix should be."""

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_PACKED = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_HTML = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)
_HEADER = re.compile(rb"(?:From [^\n]*\n)?[A-Za-z][A-Za-z0-9-]*:[ \t\r\n]")
_SENT = re.compile(rb"^(?:received|return-path|message-id|mime-version|delivered-to):", re.IGNORECASE | re.MULTILINE)
_MEANT = re.compile(rb"^(?:from|to|subject|date):", re.IGNORECASE | re.MULTILINE)
_OTHERS = {
    b"\x89PNG": "a picture (PNG)", b"\xff\xd8\xff": "a picture (JPEG)", b"GIF8": "a picture (GIF)",
    b"II*\0": "a picture (TIFF)", b"MM\0*": "a picture (TIFF)", b"BM": "a picture (BMP)", b"MZ": "a program",
    b"\x7fELF": "a program", b"\x1f\x8b": "a gzip archive", b"7z\xbc\xaf": "a 7-Zip archive", b"Rar!": "a RAR archive",
    b"SQLite format 3": "a database", b"ID3": "a sound", b"OggS": "a sound", b"RIFF": "a sound or a film",
}  # fmt: skip
_WHITE = b" \t\r\n\x0b\x0c"


def sniff(given: ReadRequest) -> str:
    """One of `FORMATS`, or an error that says what the file is instead.

    >>> sniff(ReadRequest(b"{\\\\rtf1 Rent}", "lease.docx", "lease"))
    'rtf'
    """
    data = given.data
    head = data[:4096]
    if not data:
        raise given.failure("empty", "the file has no bytes; leave it out, or copy it again")
    if not data.strip(_WHITE) or data in (*UTF16, b"\xef\xbb\xbf"):
        raise given.failure("empty", "holds only white space; leave it out, or check that it was saved in full")
    if head.startswith(_PACKED):
        return _packed(given)
    if head.startswith(_OLE):
        return _ole(given)
    if head.lstrip(_WHITE + b"\xef\xbb\xbf").startswith(b"%PDF") or (b"%PDF-" in data[:1024] and b"\0" in data):
        return "pdf"
    if head.lstrip(_WHITE).startswith(b"{\\rtf"):
        return "rtf"
    return _textual(given, head)


def container_of(head: bytes) -> str:
    """What the first bytes alone say a file is packed as: nothing of it is opened for that.

    >>> container_of(b"%PDF-1.7 ..."), container_of(b"PK\\x03\\x04..."), container_of(b"This lease ...")
    ('pdf', 'zip', 'text')
    """
    if head.startswith(_PACKED):
        return "zip"
    if head.startswith(_OLE):
        return "ole"
    if head.lstrip(_WHITE + b"\xef\xbb\xbf").startswith(b"%PDF"):
        return "pdf"
    return "rtf" if head.lstrip(_WHITE).startswith(b"{\\rtf") else "text"


CONTAINERS = {"docx": "zip", "xlsx": "zip", "zip": "zip", "doc": "ole", "msg": "ole", "pdf": "pdf", "rtf": "rtf"}
"""What a format is packed as; the others are text."""


def is_plain(head: bytes, suffix: str) -> bool:
    """Whether the first bytes and the suffix promise plain text or Markdown, which needs no worker to read."""
    if SUFFIX_FORMATS.get(suffix, "text") not in ("text", "markdown") or b"%PDF" in head[:1024]:
        return False
    if head.startswith(UTF16):
        return True
    return b"\0" not in head and not head.startswith((*_PACKED, _OLE, b"{\\rtf")) and not _looks_marked(head, suffix)


def _textual(given: ReadRequest, head: bytes) -> str:
    """Formats that are text themselves. A .txt or .md file is what its name says, so that its offsets are its own."""
    suffix = given.suffix
    if suffix not in SUFFIXES and (found := _looks_marked(head, suffix)):
        return found
    is_wide = head.startswith(UTF16)
    if b"\0" in given.data and not is_wide:
        for magic, kind in _OTHERS.items():
            if head.startswith(magic):
                raise given.failure("unknown format", f"is {kind}, not a document with text; leave it out")
        raise given.failure("unknown format", "holds binary data of a format that is not known; leave it out")
    for magic, kind in _OTHERS.items():
        if len(magic) > 2 and head.startswith(magic) and not given.data.isascii():
            raise given.failure("unknown format", f"is {kind}, not a document with text; leave it out")
    return "markdown" if suffix in (".md", ".markdown") else "text"


def _looks_marked(head: bytes, suffix: str) -> str | None:
    """HTML or an e-mail, by the first bytes."""
    if suffix in SUFFIXES:
        return None
    plain = head
    if head.startswith(UTF16):
        plain = head.decode("utf-16", "ignore").encode("utf-8", "ignore")
    plain = plain.removeprefix(b"\xef\xbb\xbf")
    if _HTML.match(plain) or (suffix in (".html", ".htm", ".xhtml") and b"<" in plain):
        return "html"
    block = re.split(rb"\r?\n\r?\n", plain, maxsplit=1)[0]
    if _HEADER.match(block) and (suffix == ".eml" or (_SENT.search(block) and _MEANT.search(block))):
        return "eml"
    return None


def _packed(given: ReadRequest) -> str:
    with opened(given) as archive:
        names = {name.lstrip("/") for name in archive.namelist()}
    if "[Content_Types].xml" in names:
        folders = {name.split("/")[0] for name in names}
        if "word" in folders:
            return "docx"
        if "xl/workbook.xml" in names:
            return "xlsx"
        if "ppt" in folders:
            raise given.failure("unknown format", "is a presentation (.pptx); save it as .pdf")
        raise given.failure("unknown format", "is an office file of a kind that is not known; save it as .docx or .pdf")
    if "mimetype" in names and {"content.xml", "META-INF/container.xml"} & names:
        raise given.failure("unknown format", "is an OpenDocument or EPUB file; save it as .docx or .pdf")
    return "zip"


def _ole(given: ReadRequest) -> str:
    """Old office files and Outlook messages share a container; its streams tell which it is."""
    from olefile import OleFileIO  # type: ignore[import-untyped]

    try:
        with OleFileIO(BytesIO(given.data)) as ole:
            has: Callable[[str], bool] = ole.exists
            if has("EncryptedPackage") or has("EncryptionInfo"):
                raise given.failure("encrypted", "needs a password; save a copy without one and read that")
            if has("WordDocument"):
                return "doc"
            if has("__properties_version1.0"):
                return "msg"
            if has("Workbook") or has("Book"):
                raise given.failure("unknown format", "is a workbook in the old format (.xls); save it as .xlsx")
            if has("PowerPoint Document"):
                raise given.failure("unknown format", "is a presentation (.ppt); save it as .pdf")
    except OSError as error:
        raise given.failure("damaged", f"is no whole office file ({error}); copy it again") from None
    raise given.failure("unknown format", "is an office file of a kind that is not known; save it as .docx or .pdf")
