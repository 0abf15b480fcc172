"""Builds the canonical text of a document block by block, and remembers where headings and places begin."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from pincite.documents.request import ReadRequest
from pincite.documents.titles import first_line, tidy
from pincite.text import Document, Source

VERSION = "1"
_LINE_ENDS = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff\ud800-\udfff]")
_TRAILING = re.compile(r"[ \t\u00a0]+(?=\n|\Z)")
_BLANKS = re.compile(r"\n{3,}")


def clean(text: str) -> str:
    """Line ends as LF, no control characters, no trailing blanks, never more than one empty line.

    >>> clean("a \\x00 \\r\\nb\\n\\n\\n\\nc\\x0c")
    'a\\nb\\n\\nc\\n'
    """
    return _BLANKS.sub("\n\n", _TRAILING.sub("", _CONTROLS.sub("", _LINE_ENDS.sub("\n", text))))


@dataclass(slots=True)
class Flow:
    """Blocks in order, an empty line between them.

    >>> flow = Flow()
    >>> flow.add("1. Term", place="paragraph 1", level=1)
    >>> flow.add("Ten years.", place="paragraph 2")
    >>> flow.text, flow.headings, flow.places
    ('1. Term\\n\\nTen years.', [(0, 1)], [(0, 'paragraph 1'), (9, 'paragraph 2')])
    """

    parts: list[str] = field(default_factory=list)
    headings: list[tuple[int, int]] = field(default_factory=list)
    places: list[tuple[int, str]] = field(default_factory=list)
    length: int = 0

    def add(self, block: str, place: str = "", level: int = 0, between: str = "\n\n") -> None:
        """One more block; an empty one is left out. `between` parts it from the block before."""
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
        self, given: ReadRequest, reader: str, title: str = "", metadata: Mapping[str, str] | None = None
    ) -> Document:
        """The document; a text without any letter or digit is an error."""
        text = self.text
        if not any(map(str.isalnum, text)):
            raise given.failure("empty", "holds no text; leave it out, or check that it was saved in full")
        source = Source(
            path=given.name,
            reader=reader,
            reader_version=VERSION,
            headings=tuple(self.headings),
            places=tuple(self.places),
        )
        heading = tidy(title) or first_line(text) or given.stem
        return Document(given.document_id, text, title=heading, metadata=dict(metadata or {}), source=source)
