"""A collection: documents with their passages, kept as offsets into the documents' texts."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.errors import DataError
from pincite.text.document import Document
from pincite.text.filter import Filter
from pincite.text.hit import Hit, Part
from pincite.text.passage import Passage
from pincite.text.units import Units

Segment = Callable[[Document], Iterable[Passage]]
"""What a segmenter does: a document in, its passages out."""


@dataclass(frozen=True, slots=True, eq=False)
class Collection:
    """Passages are numbered from 0 over all documents; `owners`, `starts` and `ends` say where each one stands.

    >>> lease = Document("quay.txt", "The rent is due. No pets.")
    >>> collection = Collection.build([lease], lambda d: [Passage(d.id, 0, 16), Passage(d.id, 17, 25)])
    >>> len(collection), collection.text(1)
    (2, 'No pets.')
    """

    documents: tuple[Document, ...]
    units: tuple[Units, ...]
    """The passages of each document."""
    owners: NDArray[np.int32]
    starts: NDArray[np.int32]
    ends: NDArray[np.int32]
    keys: tuple[tuple[str, str], ...]
    """(SHA-256 of its text, id) of every document: what decides between equal scores."""
    tie_order: NDArray[np.int64]
    """The place of every passage by its document's key and its start."""

    @classmethod
    def build(cls, documents: Iterable[Document], segment: Segment) -> "Collection":
        """Segments every document and keeps where its passages stand."""
        kept = tuple(documents)
        seen: set[str] = set()
        units: list[Units] = []
        for document in kept:
            if document.id in seen:
                raise DataError(f"two documents have the id {document.id!r}; ids must differ")
            seen.add(document.id)
            units.append(Units.of(segment(document)))
        empty = np.zeros(0, dtype=np.int32)
        owners = np.repeat(np.arange(len(kept), dtype=np.int32), [len(entry) for entry in units])
        starts = np.concatenate([empty, *(entry.starts for entry in units)])
        ends = np.concatenate([empty, *(entry.ends for entry in units)])
        keys = tuple((document.sha256, document.id) for document in kept)
        place = np.empty(len(kept), dtype=np.int64)
        place[sorted(range(len(kept)), key=keys.__getitem__)] = np.arange(len(kept))
        order = np.lexsort((ends, starts, place[owners]))
        tie_order = np.empty(len(order), dtype=np.int64)
        tie_order[order] = np.arange(len(order))
        return cls(kept, tuple(units), owners, starts, ends, keys, tie_order)

    def __len__(self) -> int:
        return len(self.owners)

    def document(self, position: int) -> Document:
        """The document that holds the passage at `position`."""
        return self.documents[int(self.owners[position])]

    def passage(self, position: int) -> Passage:
        return Passage(self.document(position).id, int(self.starts[position]), int(self.ends[position]))

    def text(self, position: int) -> str:
        return self.document(position).text[self.starts[position] : self.ends[position]]

    def texts(self) -> Iterator[str]:
        """The text of every passage, cut from its document when it is asked for."""
        return (self.text(position) for position in range(len(self)))

    def admitted(self, where: Filter | None) -> NDArray[np.bool_] | None:
        """For every document, whether `where` admits it; None where everything is admitted."""
        if where is None:
            return None
        return np.array([where.admits(document) for document in self.documents], dtype=np.bool_)

    def mask(self, where: Filter | None) -> NDArray[np.bool_] | None:
        """For every passage, whether `where` admits its document; None where everything is admitted."""
        admitted = self.admitted(where)
        return None if admitted is None else admitted[self.owners]

    def hit(self, position: int, score: float, rank: int, parts: Mapping[str, Part]) -> Hit:
        """The passage at `position` as an answer."""
        owner = int(self.owners[position])
        within = position - int(np.searchsorted(self.owners, owner))
        units = self.units[owner]
        headings = units.context(within).heading_path
        return Hit.of(self.documents[owner], units.edges(within), headings, score, rank, parts)
