"""Builds the canonical text of a document block by block, and records where headings and places begin."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from pincite.documents.request import ReadRequest
from pincite.documents.titles import clean_title
from pincite.text import Document, Source

READER_VERSION = "1"
"""Stored with every document. Raise it when a reader gives other text for the same file."""
PARAGRAPH_BREAK = "\n\n"
LINE_BREAK = "\n"

_LINE_ENDS = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff\ud800-\udfff]")
_TRAILING_BLANKS = re.compile(r"[ \t\u00a0]+(?=\n|\Z)")
_EMPTY_LINES = re.compile(r"\n{3,}")


def clean(text: str) -> str:
    """The text with LF line ends, without control characters and trailing blanks, and with single empty lines.

    >>> clean("a \\x00 \\r\\nb\\n\\n\\n\\nc\\x0c")
    'a\\nb\\n\\nc\\n'
    """
    text = _CONTROLS.sub("", _LINE_ENDS.sub("\n", text))
    return _EMPTY_LINES.sub("\n\n", _TRAILING_BLANKS.sub("", text))


@dataclass(slots=True)
class TextBuilder:
    """Collects blocks of text in order, with an empty line between them.

    >>> builder = TextBuilder()
    >>> builder.add("1. Term", place="paragraph 1", level=1)
    >>> builder.add("Ten years.", place="paragraph 2")
    >>> builder.text, builder.headings, builder.places
    ('1. Term\\n\\nTen years.', [(0, 1)], [(0, 'paragraph 1'), (9, 'paragraph 2')])
    """

    parts: list[str] = field(default_factory=list)
    headings: list[tuple[int, int]] = field(default_factory=list)
    places: list[tuple[int, str]] = field(default_factory=list)
    length: int = 0

    def add(self, block: str, place: str = "", level: int = 0, between: str = PARAGRAPH_BREAK) -> None:
        """Append a block after the separator `between`. An empty block is left out."""
        block = clean(block).strip("\n \t\u00a0")
        if not block:
            return
        if self.parts:
            self.parts.append(between)
            self.length += len(between)
        if level:
            self.headings.append((self.length, level))
        if place:
            self.places.append((self.length, place))
        self.parts.append(block)
        self.length += len(block)

    @property
    def text(self) -> str:
        return "".join(self.parts)

    def document(
        self, request: ReadRequest, reader: str, title: str = "", metadata: Mapping[str, str] | None = None
    ) -> Document:
        """The document. A text without a letter or digit is `Unreadable`."""
        text = self.text
        if not any(map(str.isalnum, text)):
            raise request.failure("empty", "holds no text; leave it out, or check that it was saved completely")
        source = Source(
            path=request.name,
            reader=reader,
            reader_version=READER_VERSION,
            headings=tuple(self.headings),
            places=tuple(self.places),
            title=clean_title(title),
        )
        return Document(request.document_id, text, metadata=dict(metadata or {}), source=source)
