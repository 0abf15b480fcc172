"""A filter: which documents a search may look at."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pincite.text.document import Document

PARTY, PARTIES, DATE = "party", "parties", "date"
"""`party` is looked for among a document's `parties`; `date` is what `after` and `before` compare."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Admits a document if it is one of `documents` (where any are named), has all of `metadata`, and its date lies in
    the range, both ends included. Dates are written as 2024-03-31; a document without a date is in no range.

    >>> Filter(metadata={"kind": "lease"}).admits(Document("a", "", metadata={"kind": "Lease"}))
    True
    >>> Filter(documents=("a", "b")).admits(Document("c", ""))
    False
    >>> Filter(after="2020-01-01").fits("a", {"date": "2019-12-31"})
    False
    """

    documents: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    after: str = ""
    before: str = ""

    def admits(self, document: Document) -> bool:
        return self.fits(document.id, document.metadata)

    def fits(self, document_id: str, metadata: Mapping[str, str]) -> bool:
        """Whether a document of that name, with that metadata, is admitted."""
        if self.documents and document_id not in self.documents:
            return False
        if not all(_has(metadata, key, value) for key, value in self.metadata.items()):
            return False
        if not (self.after or self.before):
            return True
        date = metadata.get(DATE, "")
        return bool(date) and (not self.after or date >= self.after) and (not self.before or date <= self.before)


def _has(metadata: Mapping[str, str], key: str, value: str) -> bool:
    """Case does not matter; a party is found by any part of its name."""
    if key == PARTY:
        return value.casefold() in f"{metadata.get(PARTIES, '')}; {metadata.get(PARTY, '')}".casefold()
    return key in metadata and metadata[key].casefold() == value.casefold()
