"""A document: an id, its canonical text, what is known about it, and where it came from."""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256

_EMPTY: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Source:
    """Where a document's text came from: the file, the reader that read it, and where its pages begin."""

    path: str = ""
    reader: str = "text"
    reader_version: str = "1"
    page_starts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """A text with a name. Offsets of passages are indices into `text`, and `text` never changes.

    >>> lease = Document("leases/quay.txt", "The rent is due. No pets.", title="Quay lease")
    >>> lease.text[0:16]
    'The rent is due.'
    """

    id: str
    text: str
    title: str = ""
    metadata: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
    source: Source = field(default_factory=Source)

    @property
    def sha256(self) -> str:
        """The hash of the text, which breaks ties between equal scores: a file's name never does."""
        return sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()

    def page_at(self, offset: int) -> int | None:
        """The page, counted from 1, on which the character at `offset` stands; None where there are no pages.

        >>> Document("a", "one two", source=Source(page_starts=(0, 4))).page_at(5)
        2
        """
        if not self.source.page_starts:
            return None
        return max(1, bisect_right(self.source.page_starts, offset))
