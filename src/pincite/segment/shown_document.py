"""A document without its running matter and markup, so that segmenters never meet them, and the way back."""

from dataclasses import dataclass, replace

from pincite.text import Document, Source
from pincite.text.passage import Edges, Unit
from pincite.text.shown_text import ShownText


@dataclass(frozen=True, slots=True)
class ShownDocument:
    """What is shown of a document as a document of its own. Units of it are turned into units of the whole.

    >>> whole = Document("a", "The rent\\n12\\nis due.", source=Source(hidden=((9, 12),)))
    >>> shown = ShownDocument.of(whole)
    >>> shown.document.text, shown.unit_of_whole(Unit("a", 0, 16)).end
    ('The rent\\nis due.', 19)
    """

    document: Document
    map: ShownText | None

    @classmethod
    def of(cls, document: Document) -> "ShownDocument":
        if not document.source.hidden:
            return cls(document, None)
        shown = ShownText.of(document.text, document.source.hidden)
        headings = tuple((shown.inside(start), level) for start, level in document.source.headings)
        source = Source(document.source.path, document.source.reader, headings=headings, hidden=())
        return cls(replace(document, text=shown.text, source=source), shown)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is hidden."""
        return self.map is None

    def unit_of_whole(self, unit: Unit) -> Unit:
        """A unit of what is shown with the offsets of the whole document."""
        start, end = self._edges((unit.start, unit.end))
        lead_in = self._edges(unit.lead_in) if unit.lead_in else None
        clause = self._edges(unit.clause) if unit.clause else None
        return Unit(unit.document_id, start, end, unit.heading_path, lead_in, clause)

    def at(self, offset: int) -> int:
        """The offset in the whole document of a character of what is shown."""
        return self.map.at(offset) if self.map else offset

    def _edges(self, edges: Edges) -> Edges:
        return self.map.edges(*edges) if self.map else edges
