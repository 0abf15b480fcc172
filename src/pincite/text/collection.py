"""A collection: documents with their passages, held as offsets into the documents' texts."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.errors import DataError
from pincite.text.document import Document
from pincite.text.filter import Filter
from pincite.text.hit import Hit, Part
from pincite.text.passage import Passage

Segment = Callable[[Document], Iterable[Passage]]
"""What a segmenter does: a document in, its passages out."""


@dataclass(frozen=True, slots=True, eq=False)
class Collection:
    """Passages are numbered from 0; `owners`, `starts` and `ends` say where each one stands.

    >>> lease = Document("quay.txt", "The rent is due. No pets.")
    >>> collection = Collection.build([lease], lambda d: [Passage(d.id, 0, 16), Passage(d.id, 17, 25)])
    >>> len(collection), collection.text(1)
    (2, 'No pets.')
    """

    documents: tuple[Document, ...]
    owners: NDArray[np.int32]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    tie_order: NDArray[np.int64]
    """The place of every passage by (SHA-256 of its document's text, start): what decides between equal scores."""

    @classmethod
    def build(cls, documents: Iterable[Document], segment: Segment) -> "Collection":
        """Segments every document and keeps where its passages stand."""
        kept = tuple(documents)
        seen: set[str] = set()
        owners: list[int] = []
        starts: list[int] = []
        ends: list[int] = []
        for owner, document in enumerate(kept):
            if document.id in seen:
                raise DataError(f"two documents have the id {document.id!r}; ids must differ")
            seen.add(document.id)
            for passage in segment(document):
                owners.append(owner)
                starts.append(passage.start)
                ends.append(passage.end)
        owner_array = np.array(owners, dtype=np.int32)
        start_array = np.array(starts, dtype=np.int64)
        end_array = np.array(ends, dtype=np.int64)
        by_content = sorted(range(len(kept)), key=lambda i: (kept[i].sha256, kept[i].id))
        content_place = np.empty(len(kept), dtype=np.int64)
        content_place[by_content] = np.arange(len(kept))
        order = np.lexsort((end_array, start_array, content_place[owner_array]))
        tie_order = np.empty(len(order), dtype=np.int64)
        tie_order[order] = np.arange(len(order))
        return cls(kept, owner_array, start_array, end_array, tie_order)

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

    def mask(self, where: Filter | None) -> NDArray[np.bool_] | None:
        """For every passage, whether `where` admits its document; None where everything is admitted."""
        if where is None:
            return None
        admitted = np.array([where.admits(document) for document in self.documents], dtype=np.bool_)
        return admitted[self.owners]

    def hit(self, position: int, score: float, rank: int, parts: Mapping[str, Part]) -> Hit:
        """The passage at `position` as an answer."""
        document = self.document(position)
        passage = self.passage(position)
        text = document.text[passage.start : passage.end]
        page = document.page_at(passage.start)
        return Hit(passage, text, float(score), rank, page=page, parts=parts, document=document)
