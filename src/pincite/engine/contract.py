"""What an engine is, in two halves: a store of documents, and candidates for a question.

Ranking stands above this contract and runs the same on every engine. An engine may live in this process, in a folder or
on a cluster:

- Whatever crosses the contract is plain data that `pincite.engine.wire` can serialise.
- Lists come in pages or have a limit.
- A change is whole or does not happen. A call that raises `EngineUnavailable` may be repeated: a read has no effect,
  and a change that is repeated ends in the same state.
- A view that can only answer in part says so in its `notes`; nothing is left out silently.
- What an engine cannot promise it says in its `capabilities`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from pincite.engine.configuration import Configuration
from pincite.engine.originals import Originals
from pincite.engine.records import (
    CheckReport,
    DocumentRecord,
    File,
    MissingVectors,
    Page,
    PreparedFile,
    Root,
    StoredRecord,
)
from pincite.engine.unit_vectors import QuantisedVectors
from pincite.models import Vectors
from pincite.query.names import NameEvidence
from pincite.text import Filter
from pincite.text.document import DocumentKey
from pincite.text.language import Language
from pincite.text.units import LoadedDocument

T = TypeVar("T")
Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

PAGE = 1000
"""Entries of a page, unless another number is asked for."""
MOST_LOADED = 256
"""Documents that one call may load."""

K1, B = 0.9, 0.4
"""BM25's parameters where passages of documents that are called alike are compared."""

WRITER, EMBEDDER = "writer", "embedder"
"""The leases of an engine: one process at a time changes documents, one at a time embeds them."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What an engine promises beyond the contract. The suite of `pincite.testing` tests what is declared."""

    exact_scores: bool = True
    """Hits, scores and order depend on the documents alone, bit for bit, never on the history of changes."""
    purge: bool = True
    """After a purge no byte of the removed text is left."""
    persistent: bool = True
    """The collection outlives the process."""
    shared: bool = True
    """Several processes may open the collection at once."""


class CollectionStatistics(NamedTuple):
    """Sizes of what a caller may see."""

    documents: int
    units: int
    mean_length: float
    """Stems of a unit, on average."""
    with_vectors: int
    """Documents whose units are embedded."""


class TermStatistics(NamedTuple):
    """Where a stem occurs."""

    units: int = 0
    """In how many units."""
    known: bool = False
    """Whether it occurs in any unit, or in the headings or lead-in above one."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Which documents a question may be answered from."""

    where: Filter | None = None
    holding: tuple[str, ...] = ()
    """Stems that must all occur in one unit of a document."""

    @property
    def is_everything(self) -> bool:
        return self.where is None and not self.holding


EVERYTHING = Scope()


class RankedDocument(NamedTuple):
    """A document with the score of its best unit."""

    key: DocumentKey
    score: float


@dataclass(frozen=True, eq=False)
class CandidateUnits:
    """The units of some documents, one document after the other, with what scoring needs of them."""

    documents: tuple[DocumentKey, ...]
    sizes: NDArray[np.int64]
    """How many units each document has."""
    terms: tuple[str, ...]
    own: Array
    """A row for each term: how often it occurs in each unit."""
    above: Array
    """A row for each term: 1 where it occurs in the headings or lead-in above a unit."""
    lengths: Array
    """Stems of each unit."""
    defines: Array
    """1 for a unit that defines one of the terms asked for."""
    cosines: Array | None = None
    """A row for each unit: its cosine with each question; None where no unit is embedded."""
    embedded: Flags | None = None
    """Which units are embedded."""

    @cached_property
    def owners(self) -> NDArray[np.int64]:
        """For each unit, which of `documents` holds it."""
        return np.repeat(np.arange(len(self.documents)), self.sizes)

    @cached_property
    def firsts(self) -> NDArray[np.int64]:
        """Where the units of each document begin."""
        firsts: NDArray[np.int64] = np.cumsum(self.sizes) - self.sizes
        return firsts

    def place(self, at: int) -> tuple[DocumentKey, int]:
        """The document of a unit, and the unit's number in it."""
        owner = int(self.owners[at])
        return self.documents[owner], at - int(self.firsts[owner])

    @cached_property
    def tie_places(self) -> NDArray[np.int64]:
        """For each unit its document's place by key: what decides between equal scores, before the start."""
        order = sorted(range(len(self.documents)), key=self.documents.__getitem__)
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        return place[self.owners]

    def __len__(self) -> int:
        """The number of units."""
        return len(self.lengths)


class CandidateView(ABC):
    """One consistent state of a collection, as far as a caller may see it.

    Statistics count the visible documents and nothing else. A view belongs to one thread and one question or batch.
    """

    language: Language
    generation: int
    configuration: Configuration
    notes: tuple[str, ...]
    """What a reader of the answers should know: a part that could not be used, a damaged document."""

    @property
    @abstractmethod
    def statistics(self) -> CollectionStatistics: ...

    @property
    def document_count(self) -> int:
        return self.statistics.documents

    @abstractmethod
    def without(self, document_id: str, note: str) -> "CandidateView":
        """The same state as if that document were not there, with one more note."""

    @abstractmethod
    def term_statistics(self, stems: Iterable[str]) -> Mapping[str, TermStatistics]:
        """The statistics of each stem."""

    @abstractmethod
    def name_evidence(self, words: Sequence[str], limit: int) -> NameEvidence:
        """The documents that these words may name, at most `limit`, the likeliest ones, and what speaks for each."""

    def best_passages(self, question: str, documents: Sequence[DocumentKey]) -> Sequence[float]:
        """For each of these documents how well the words of its best unit match those of a question, by BM25."""
        stems = list(dict.fromkeys(self.language.stems(question)))
        if not stems:
            return [0.0] * len(documents)
        known, all_units = self.term_statistics(stems), self.statistics.units
        holding = np.array([known[stem].units for stem in stems])
        weights = np.where(holding > 0, np.log1p((all_units - holding + 0.5) / (holding + 0.5)), 0.0)
        units = self.units(documents, stems)
        norms = K1 * (1 - B + B * units.lengths / max(self.statistics.mean_length, 1.0))
        scores = weights @ (units.own / (units.own + norms))
        best = dict.fromkeys(documents, 0.0)
        for at, key in enumerate(units.documents):
            best[key] = float(scores[units.owners == at].max(initial=0.0))
        return [best[key] for key in documents]

    @abstractmethod
    def similar_words(self, words: Sequence[str]) -> Mapping[str, str]:
        """For words that no document holds: the word nearest in spelling that some document holds, if one is near."""

    @abstractmethod
    def count(self, scope: Scope) -> int:
        """How many documents are in scope. An unknown metadata key is an error that lists the known ones."""

    @abstractmethod
    def in_scope(self, documents: Sequence[DocumentKey], scope: Scope) -> Sequence[bool]:
        """Which of these documents are in scope."""

    @abstractmethod
    def likely(self, stems: Sequence[str], k1: float, b: float, units: int, scope: Scope) -> Sequence[RankedDocument]:
        """The documents of the `units` best units by BM25, each with its best score, best first."""

    @abstractmethod
    def nearest(self, question: Vectors, units: int, scope: Scope) -> Sequence[RankedDocument]:
        """The documents of about the `units` units nearest to a question, each with its best cosine, best first."""

    @abstractmethod
    def further(self, scope: Scope, without: Sequence[DocumentKey], units: int) -> Sequence[DocumentKey]:
        """More documents in scope, in the order of their keys, until they have `units` units together."""

    @abstractmethod
    def unit_count(self, documents: Sequence[DocumentKey]) -> int:
        """How many units these documents have together."""

    @abstractmethod
    def units(
        self,
        documents: Sequence[DocumentKey],
        stems: Sequence[str],
        defined: Sequence[str] = (),
        questions: Vectors | None = None,
    ) -> CandidateUnits:
        """The units of these documents with the counts of these stems, which of them define one of the terms `defined`,
        and their cosines with the vectors of some questions. Documents that are gone are left out."""

    @abstractmethod
    def load(self, documents: Sequence[DocumentKey]) -> Sequence[LoadedDocument]:
        """These documents with their texts and units, in order, at most MOST_LOADED."""


class Candidates(ABC):
    """The half of an engine that answers: consistent views of a collection."""

    @abstractmethod
    def view(self, visible: Filter | None = None) -> AbstractContextManager[CandidateView]:
        """The latest state. Documents that `visible` does not admit do not exist in it."""


class Store(ABC):
    """The half of an engine that keeps: documents, files, vectors, configuration, leases and small records."""

    # What there is

    @property
    @abstractmethod
    def configuration(self) -> Configuration:
        """The pipeline that the documents were prepared with."""

    @abstractmethod
    def configure(self, configuration: Configuration) -> None: ...

    @property
    @abstractmethod
    def generation(self) -> int:
        """Counts the changes of documents, vectors and configuration; small records do not count."""

    @abstractmethod
    def documents(
        self, where: Filter | None = None, visible: Filter | None = None, *, cursor: str = "", limit: int = PAGE
    ) -> Page[DocumentRecord]:
        """The documents in the order in which they were added. An unknown metadata key is an error."""

    @abstractmethod
    def record(self, document_id: str) -> DocumentRecord | None:
        """The document with that id."""

    @abstractmethod
    def records_of(self, root: str, path: str) -> Sequence[DocumentRecord]:
        """The documents that one file gave."""

    @abstractmethod
    def matching_names(self, part: str, limit: int, visible: Filter | None = None) -> Page[DocumentRecord]:
        """Documents whose id or title contains a text, whatever its case."""

    @abstractmethod
    def load(self, document_ids: Sequence[str]) -> Sequence[LoadedDocument]:
        """Documents with their texts and units, at most MOST_LOADED. A missing or damaged one is an error."""

    @abstractmethod
    def roots(self, *, cursor: str = "", limit: int = PAGE) -> Page[Root]:
        """The places that documents came from, by name."""

    @abstractmethod
    def files(self, root: str | None = None, *, cursor: str = "", limit: int = PAGE) -> Page[File]:
        """The files that were read, by root and path, also those that could not be."""

    @abstractmethod
    def file(self, root: str, path: str) -> File | None: ...

    # Changes, each whole or not at all

    @abstractmethod
    def lease(self, name: str = WRITER, wait: float | None = None) -> AbstractContextManager[None]:
        """Holds a lease while it lasts; another holder is waited for. A thread that holds it may take it again."""

    @abstractmethod
    def put(self, files: Sequence[PreparedFile], root: Root) -> None:
        """Stores what files gave, in one change. Units with the text of before keep their vectors."""

    @abstractmethod
    def note_files(self, files: Sequence[File]) -> None:
        """Records that files were compared again and have the same content."""

    @abstractmethod
    def move_root(self, root: Root) -> None:
        """Records that a root lies somewhere else now."""

    @abstractmethod
    def remove(self, document_ids: Iterable[str], *, purge: bool = False) -> int:
        """Removes documents, in one change, and says how many. Unknown ids are passed over."""

    @abstractmethod
    def forget_files(self, files: Iterable[tuple[str, str]]) -> int:
        """Removes files with all documents they gave, in one change, and says how many documents those were."""

    # Vectors

    @abstractmethod
    def without_vectors(self, *, limit: int = PAGE) -> Sequence[MissingVectors]:
        """The first documents whose units are not embedded."""

    @abstractmethod
    def missing_units(self) -> int:
        """How many units are not embedded."""

    @abstractmethod
    def put_vectors(self, vectors: Mapping[DocumentKey, QuantisedVectors]) -> int:
        """Stores the vectors of documents that are still there with that text, and says how many those are."""

    @abstractmethod
    def forget_vectors(self) -> None:
        """Drops all vectors and the name of their encoder."""

    # Files that a server was given

    @property
    @abstractmethod
    def originals(self) -> Originals:
        """The files that lie with the index."""

    # Small records, such as keys and jobs

    @abstractmethod
    def stored_record(self, kind: str, key: str) -> StoredRecord | None: ...

    @abstractmethod
    def stored_records(self, kind: str, *, cursor: str = "", limit: int = PAGE) -> Page[StoredRecord]: ...

    @abstractmethod
    def put_record(self, kind: str, key: str, value: str, *, version: int | None = None) -> StoredRecord:
        """Stores a record. With `version` only if that is still its version (0: it is new); else `ConflictError`."""

    @abstractmethod
    def delete_record(self, kind: str, key: str) -> bool:
        """Deletes a record; False where there is none."""

    # Upkeep

    @abstractmethod
    def tidy(self, *, more_to_come: bool = False) -> None:
        """Brings recent changes into the form that is searched fastest. Answers stay the same. With `more_to_come` what
        would soon be done again may wait."""

    @abstractmethod
    def check(self, *, repair: bool = False, questions: int = 200) -> CheckReport:
        """Verifies every checksum, and measures approximate search against exact search."""

    @abstractmethod
    def close(self) -> None:
        """Lets go of files, locks and connections."""


class Engine(Store, Candidates, ABC):
    """A store and candidates over one collection. It may be shared between threads."""

    @property
    @abstractmethod
    def capabilities(self) -> Capabilities: ...

    @property
    @abstractmethod
    def location(self) -> str:
        """Where the collection lives, for messages."""


def every_document(
    store: Store, where: Filter | None = None, visible: Filter | None = None
) -> Iterator[DocumentRecord]:
    """All documents, page by page."""
    return _every(lambda cursor: store.documents(where, visible, cursor=cursor))


def containing(records: Iterable[DocumentRecord], part: str) -> list[DocumentRecord]:
    """Those of some documents whose id or title contains a text, whatever its case."""
    wanted = part.casefold()
    return [record for record in records if wanted in record.id.casefold() or wanted in record.title.casefold()]


def every_file(store: Store, root: str | None = None) -> Iterator[File]:
    """All files, page by page."""
    return _every(lambda cursor: store.files(root, cursor=cursor))


def every_root(store: Store) -> Iterator[Root]:
    """All roots, page by page."""
    return _every(lambda cursor: store.roots(cursor=cursor))


def _every(fetch: Callable[[str], Page[T]]) -> Iterator[T]:
    page = fetch("")
    yield from page.items
    while page.next:
        page = fetch(page.next)
        yield from page.items
