"""A collection: documents with their passages, held as offsets into the documents' texts."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pincite.errors import DataError
from pincite.text.document import Document
from pincite.text.filter import Filter
from pincite.text.hit import Hit, Part
from pincite.text.passage import Edges, Passage, Unit

Segment = Callable[[Document], Iterable[Passage]]
"""What a segmenter does: a document in, its passages out."""


class Context(NamedTuple):
    """What stands above a passage: the headings, the words that lead into its list, and the clause around it."""

    owner: int
    heading_path: tuple[str, ...] = ()
    lead_in: Edges | None = None
    clause: Edges | None = None


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
    contexts: tuple[Context, ...]
    """What stands above the passages: each (headings, lead-in, clause) once; `context_of` says which is whose."""
    context_of: NDArray[np.int32]
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
        contexts: dict[Context, int] = {}
        context_of: list[int] = []
        for owner, document in enumerate(kept):
            if document.id in seen:
                raise DataError(f"two documents have the id {document.id!r}; ids must differ")
            seen.add(document.id)
            for passage in segment(document):
                owners.append(owner)
                starts.append(passage.start)
                ends.append(passage.end)
                context_of.append(contexts.setdefault(_context(owner, passage), len(contexts)))
        owner_array = np.array(owners, dtype=np.int32)
        start_array = np.array(starts, dtype=np.int64)
        end_array = np.array(ends, dtype=np.int64)
        by_content = sorted(range(len(kept)), key=lambda i: (kept[i].sha256, kept[i].id))
        content_place = np.empty(len(kept), dtype=np.int64)
        content_place[by_content] = np.arange(len(kept))
        order = np.lexsort((end_array, start_array, content_place[owner_array]))
        tie_order = np.empty(len(order), dtype=np.int64)
        tie_order[order] = np.arange(len(order))
        context_array = np.array(context_of, dtype=np.int32)
        return cls(kept, owner_array, start_array, end_array, tuple(contexts), context_array, tie_order)

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
        headings = self.contexts[self.context_of[position]].heading_path
        return Hit(passage, text, float(score), rank, page, headings, parts, document)


def _context(owner: int, passage: Passage) -> Context:
    if isinstance(passage, Unit):
        return Context(owner, passage.heading_path, passage.lead_in, passage.clause)
    return Context(owner)
