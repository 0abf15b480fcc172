"""One state of an index: its fragments, what was added since, and what is gone, at one generation."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from functools import cached_property
from threading import Lock

import numpy as np

from pincite.engine.catalogue import Catalogue
from pincite.engine.configuration import Configuration
from pincite.engine.fragment_view import FragmentState
from pincite.engine.records import DocumentRecord
from pincite.errors import DataError
from pincite.index.embedded.database import Database, FragmentRow
from pincite.index.embedded.fragment_files import FragmentVectors, OpenFragment, open_fragment
from pincite.index.embedded.settings import EmbeddedSettings
from pincite.index.embedded.stored_vectors import StoredVectors
from pincite.postings.fragment import Flags, Fragment, IndexedDocument, merged_fragment
from pincite.postings.fragments import Fragments
from pincite.text.document import DocumentKey
from pincite.text.language import Language
from pincite.text.units import LoadedDocument

REBUILT = "fragment {} is damaged and rebuilt in memory; 'pincite index check --repair' writes it again"


class ReplacedFragmentError(DataError):
    """A writer replaced a fragment while it was being opened: look again."""


class DocumentCache:
    """Documents with their units, read from the database when they are needed; those used last are kept."""

    def __init__(self, database: Database, most_characters: int) -> None:
        self.database = database
        self.most_characters = most_characters
        self._kept: OrderedDict[int, LoadedDocument] = OrderedDict()
        self._characters = 0
        self._lock = Lock()

    def __call__(self, number: int) -> LoadedDocument:
        with self._lock:
            kept = self._kept.get(number)
            if kept is not None:
                self._kept.move_to_end(number)
                return kept
        indexed = self.database.indexed(number)
        if indexed is None:
            raise DataError(f"document number {number} is gone; ask again")
        loaded = LoadedDocument(indexed.document, indexed.units)
        with self._lock:
            if number not in self._kept:
                self._kept[number] = loaded
                self._characters += len(loaded.document.text)
            while self._characters > self.most_characters and len(self._kept) > 1:
                _, dropped = self._kept.popitem(last=False)
                self._characters -= len(dropped.document.text)
        return loaded


class EmbeddedState(FragmentState):
    """A state with the numbers of its documents in the database, and its fragments on disk."""

    def __init__(
        self,
        generation: int,
        configuration: Configuration,
        fragments: Fragments,
        catalogue: Catalogue,
        vectors: StoredVectors,
        notes: Sequence[str],
        damaged: Sequence[str],
        numbers: tuple[int, ...],
        opened: tuple[OpenFragment, ...],
    ) -> None:
        super().__init__(generation, configuration, fragments, catalogue, vectors, notes, damaged)
        self.numbers = numbers
        """For every place, the number of its document in the database."""
        self.opened = opened

    @classmethod
    def latest(
        cls, database: Database, settings: EmbeddedSettings, earlier: "EmbeddedState | None" = None
    ) -> "EmbeddedState":
        """The present state; call it inside `database.reading()`. Fragments that an earlier state has open are used
        again; one that cannot be trusted is rebuilt in memory."""
        configuration = database.configuration
        language = configuration.read_language()
        records = {record.number: record for record in database.records()}
        known = {fragment.row.name: fragment for fragment in earlier.opened} if earlier else {}
        opened: list[OpenFragment] = []
        notes: list[str] = []
        damaged: list[str] = []
        if len(records) < database.document_count:
            damaged += map(str, database.damaged())
        for row in database.fragments():
            try:
                fragment = known.get(row.name)
                same = fragment is not None and fragment.row == row and fragment.is_whole
                opened.append(fragment if fragment and same else open_fragment(database.folder, row, settings))
            except DataError as error:
                if not _still_there(database, row):
                    raise ReplacedFragmentError(str(error)) from None
                notes.append(REBUILT.format(row.name))
        stored = {number for fragment in opened for number in fragment.row.documents}
        recent = [number for number in records if number not in stored]
        fragments: list[Fragment] = [fragment.fragment for fragment in opened]
        vectors: list[FragmentVectors | None] = [fragment.vectors for fragment in opened]
        if recent:
            fragment_in_memory, recent = _recent(database, recent, earlier, damaged, language)
            fragments.append(fragment_in_memory)
            vectors.append(None)
        numbers = (*(number for fragment in opened for number in fragment.row.documents), *recent)
        found = tuple(records.get(number) for number in numbers)
        keys = [record.key if record else DocumentKey("", "") for record in found]
        gone = np.array([record is None for record in found], dtype=np.bool_)
        joined = Fragments(fragments, keys, language, gone)
        with_vectors = np.array([bool(record and record.has_vectors) for record in found], dtype=np.bool_)
        source = StoredVectors(joined, vectors, numbers, database, with_vectors, settings.exact_up_to)
        catalogue, generation = Catalogue(found), database.generation
        return cls(generation, configuration, joined, catalogue, source, notes, damaged, numbers, tuple(opened))

    @property
    def is_whole(self) -> bool:
        """Whether its files are still as they were opened."""
        return all(fragment.is_whole for fragment in self.opened)

    @cached_property
    def by_number(self) -> list[DocumentRecord]:
        """The documents in the order in which they were added."""
        return sorted((record for record in self.catalogue.records if record), key=lambda record: record.number)

    @property
    def recent(self) -> tuple[int, ...]:
        """The documents that are in no fragment on disk yet."""
        return self.numbers[sum(len(fragment.row.documents) for fragment in self.opened) :]


def _recent(
    database: Database, numbers: Sequence[int], earlier: EmbeddedState | None, damaged: list[str], language: Language
) -> tuple[Fragment, list[int]]:
    """A fragment in memory of the documents that are in none on disk. What an earlier state has of them is used again.
    A damaged document is left out, and a note says so."""
    wanted, before = set(numbers), earlier.recent if earlier else ()
    kept = [number for number in before if number in wanted]
    parts: list[tuple[Fragment, Flags]] = []
    if earlier and kept:
        known = earlier.fragments.fragments[-1]
        if len(kept) == len(before) == len(numbers):
            return known, kept
        parts.append((known, np.array([number in wanted for number in before], dtype=np.bool_)))
    wanted.difference_update(kept)

    def entries() -> Iterator[IndexedDocument]:
        for number in numbers:
            try:
                indexed = database.indexed(number) if number in wanted else None
            except DataError as error:
                damaged.append(str(error))
                continue
            if indexed is not None:
                kept.append(number)
                yield indexed

    added = Fragment.build(entries(), language)
    if not parts:
        return added, kept
    parts.append((added, np.ones(len(added), dtype=np.bool_)))
    return merged_fragment(parts), kept


def _still_there(database: Database, row: FragmentRow) -> bool:
    """Whether the database still has a fragment as it was, or a writer has replaced it since our transaction began."""
    fresh = Database(database.folder)
    try:
        return row in fresh.fragments()
    finally:
        fresh.close()
