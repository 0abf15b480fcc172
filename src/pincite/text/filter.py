"""A filter: which documents a search may look at."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pincite.text.document import Document


@dataclass(frozen=True, slots=True)
class Filter:
    """Admits a document if it is one of `documents` (where any are named) and has all of `metadata`.

    >>> Filter(metadata={"kind": "lease"}).admits(Document("a", "", metadata={"kind": "lease"}))
    True
    >>> Filter(documents=("a", "b")).admits(Document("c", ""))
    False
    """

    documents: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)

    def admits(self, document: Document) -> bool:
        if self.documents and document.id not in self.documents:
            return False
        return all(document.metadata.get(key) == value for key, value in self.metadata.items())
