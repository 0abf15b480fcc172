"""A document: an id, its canonical text, what is known about it, and where it came from."""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple

from pincite.text.boxes import Box, Boxes
from pincite.text.passage import Edges
from pincite.text.shown_text import pieces_between

_EMPTY: Mapping[str, str] = {}


class DocumentKey(NamedTuple):
    """Names a document and decides between equal scores: the text's hash comes first, so file names decide nothing."""

    sha256: str
    id: str


@dataclass(frozen=True, slots=True)
class Source:
    """Where a document's text came from: the file, the reader that read it, and a map back to the file's own places."""

    path: str = ""
    reader: str = "text"
    reader_version: str = "1"
    page_starts: tuple[int, ...] = ()
    page_labels: tuple[str, ...] = ()
    """The page number as printed, or the Bates number; "" for a page without."""
    headings: tuple[tuple[int, int], ...] = ()
    """Where headings stand that the format itself marks, each with its level from 1."""
    places: tuple[tuple[int, str], ...] = ()
    """What begins where, in the source's own terms: "paragraph 12", "/html/body/p[3]", "Fees, row 4"."""
    margins: tuple[str, ...] = ()
    """For every page its repeated header and footer, which are not in the text."""
    boxes: Boxes | None = field(default=None, repr=False)
    title: str = ""
    """The title that the format itself declares: <title>, a document property, the style "Title"."""
    titled: bool = False
    """Whether the document's title was found by reading it. A title that somebody gave is not looked for again."""
    hidden: tuple[Edges, ...] | None = field(default=None, repr=False)
    """Running matter and markup in the text, sorted and disjoint; None where it was not looked for."""


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

    @property
    def key(self) -> DocumentKey:
        return DocumentKey(self.sha256, self.id)

    def page_at(self, offset: int) -> int | None:
        """The page, counted from 1, on which the character at `offset` stands; None where there are no pages.

        >>> Document("a", "one two", source=Source(page_starts=(0, 4))).page_at(5)
        2
        """
        if not self.source.page_starts:
            return None
        return max(1, bisect_right(self.source.page_starts, offset))

    def page_label_at(self, offset: int) -> str:
        """The number printed on the page of that character, or its Bates number; "" where there is none."""
        page, labels = self.page_at(offset), self.source.page_labels
        return labels[page - 1] if page is not None and page <= len(labels) else ""

    def place_at(self, offset: int) -> str:
        """Where the character stands in the source's own terms; "" where the reader keeps no such map.

        >>> Document("a", "one\\ntwo", source=Source(places=((0, "paragraph 1"), (4, "paragraph 2")))).place_at(5)
        'paragraph 2'
        """
        places = self.source.places
        at = bisect_right(places, offset, key=lambda place: place[0])
        return places[at - 1][1] if at else ""

    def pieces(self, start: int, end: int) -> list[Edges]:
        """The slices of a passage that are shown: what stands between page numbers, running headers and markup.

        >>> Document("a", "one\\n12\\ntwo", source=Source(hidden=((4, 7),))).pieces(0, 10)
        [(0, 4), (7, 10)]
        """
        return pieces_between(self.source.hidden or (), start, end)

    def shown(self, start: int, end: int) -> str:
        """What is shown of a passage, and what models read of it: its pieces joined.

        >>> Document("a", "one\\n12\\ntwo", source=Source(hidden=((4, 7),))).shown(0, 10)
        'one\\ntwo'
        """
        if not self.source.hidden:
            return self.text[start:end]
        return "".join(self.text[left:right] for left, right in self.pieces(start, end))

    def boxes(self, start: int, end: int) -> list[Box]:
        """The rectangles on the source's pages that the characters cover, a line each; none where there is no map."""
        source = self.source
        if source.boxes is None:
            return []
        found: list[Box] = []
        while start < end:
            page = self.page_at(start) or 1
            stop = min(end, source.page_starts[page]) if page < len(source.page_starts) else end
            found += source.boxes.lines(start, stop, page)
            start = stop
        return found
