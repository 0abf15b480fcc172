"""The registry of file formats, one row per format. Everything else that lists formats is derived from it."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from pincite.documents.part import Container
from pincite.documents.request import ReadRequest
from pincite.documents.text_signatures import looks_like_html, looks_like_mail
from pincite.text import Document

Reader = Callable[[ReadRequest], Document | Container]

BLANKS = b" \t\r\n\x0b\x0c"
UTF8_BOM = b"\xef\xbb\xbf"
UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Packing:
    """The outer layer of a file, recognised by its first bytes. Several formats may share one."""

    name: str
    signatures: tuple[bytes, ...] = ()
    skipped: bytes = b""
    """Bytes that may precede the signature."""

    def matches(self, head: bytes) -> bool:
        return head.lstrip(self.skipped).startswith(self.signatures)


TEXT = Packing("text")
ZIP = Packing("zip", (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"))
OLE = Packing("ole", (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",))
PDF = Packing("pdf", (b"%PDF",), skipped=BLANKS + UTF8_BOM)
WORDPERFECT = b"\xffWPC"
WPD = Packing("wpd", (WORDPERFECT,))
RTF = Packing("rtf", (b"{\\rtf",), skipped=BLANKS)


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A format that Pincite reads: how to recognise it, and which function reads it."""

    name: str
    suffixes: tuple[str, ...]
    reader: str
    """`module:function`. The module is imported when the first file of this format is read."""
    packing: Packing = TEXT
    members: tuple[str, ...] = ()
    """Members that every ZIP or OLE file of this format contains. A trailing slash stands for a folder."""
    looks_like: Callable[[bytes, bool], bool] | None = None
    """Recognises a text format from the first bytes of a file, and from whether the file has one of the suffixes."""
    is_container: bool = False
    """Whether a file of this format holds other files."""
    is_plain: bool = False
    """Whether the format is plain text. Plain text is read as it is."""

    def load_reader(self) -> Reader:
        """Import the reader and return it."""
        module, _, function = self.reader.partition(":")
        reader: Reader = getattr(import_module(module), function)
        return reader


_TABLE = (
    FileFormat("text", (".txt", ".text"), "pincite.documents.text_file:read_text", is_plain=True),
    FileFormat("markdown", (".md", ".markdown"), "pincite.documents.markdown:read_markdown", is_plain=True),
    FileFormat("pdf", (".pdf",), "pincite.documents.pdf:read_pdf", PDF),
    FileFormat(
        "docx", (".docx", ".docm"), "pincite.documents.docx:read_docx", ZIP, members=("[Content_Types].xml", "word/")
    ),
    FileFormat("doc", (".doc",), "pincite.documents.doc:read_doc", OLE, members=("WordDocument",)),
    FileFormat("wpd", (".wpd",), "pincite.documents.doc:read_wordperfect", WPD),
    FileFormat("rtf", (".rtf",), "pincite.documents.rtf:read_rtf", RTF),
    FileFormat("html", (".html", ".htm", ".xhtml"), "pincite.documents.html:read_html", looks_like=looks_like_html),
    FileFormat(
        "xlsx",
        (".xlsx", ".xlsm"),
        "pincite.documents.xlsx:read_xlsx",
        ZIP,
        members=("[Content_Types].xml", "xl/workbook.xml"),
    ),
    FileFormat("eml", (".eml",), "pincite.documents.mail:read_mail", looks_like=looks_like_mail, is_container=True),
    FileFormat(
        "msg", (".msg",), "pincite.documents.msg:read_msg", OLE, members=("__properties_version1.0",), is_container=True
    ),
    FileFormat("zip", (".zip",), "pincite.documents.zip_file:read_zip", ZIP, is_container=True),
)

FORMATS = {row.name: row for row in _TABLE}
"""Every format by its name."""

SUFFIX_FORMATS = {suffix: row.name for row in _TABLE for suffix in row.suffixes}
"""The name of the format that each suffix promises."""

CONTAINERS = {row.name: row.packing.name for row in _TABLE if row.packing != TEXT}
"""The packing of each format that is not text."""

PACKINGS = tuple(dict.fromkeys(row.packing for row in _TABLE if row.packing != TEXT))
"""Every packing that has a signature."""


def packing_of(head: bytes) -> Packing:
    """The packing that the first bytes of a file show."""
    return next((packing for packing in PACKINGS if packing.matches(head)), TEXT)


def container_of(head: bytes) -> str:
    """The name of the packing that the first bytes of a file show. Nothing is unpacked.

    >>> container_of(b"%PDF-1.7 ..."), container_of(b"PK\\x03\\x04..."), container_of(b"This lease ...")
    ('pdf', 'zip', 'text')
    """
    return packing_of(head).name


def format_of_suffix(suffix: str) -> FileFormat | None:
    """The format that a suffix promises.

    >>> format_of_suffix(".htm").name
    'html'
    """
    name = SUFFIX_FORMATS.get(suffix)
    return FORMATS[name] if name else None
