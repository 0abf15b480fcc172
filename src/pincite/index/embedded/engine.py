"""The embedded engine: one folder on this machine, SQLite for the truth, memory-mapped fragments beside it."""

import sqlite3
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from threading import Lock, RLock

from pincite.engine.configuration import Configuration
from pincite.engine.contract import MOST_LOADED, PAGE, WRITER, Capabilities, Engine, containing, every_document
from pincite.engine.fragment_view import FragmentView
from pincite.engine.memory import same_id, same_name
from pincite.engine.originals import FolderOriginals
from pincite.engine.records import (
    CheckReport,
    DocumentRecord,
    File,
    MissingVectors,
    Page,
    PreparedDocument,
    PreparedFile,
    Root,
    StoredRecord,
)
from pincite.engine.unit_vectors import QuantisedVectors
from pincite.errors import ConflictError, DamagedDocumentError, NotFoundError, OutputError, UsageError
from pincite.index.embedded.check import check_index
from pincite.index.embedded.database import Database
from pincite.index.embedded.fragment_files import remove_unknown_files, words_alone
from pincite.index.embedded.locks import held_lock
from pincite.index.embedded.maintenance import Maintenance, built_fragment
from pincite.index.embedded.migrations import upgrade
from pincite.index.embedded.settings import EmbeddedSettings
from pincite.index.embedded.state import DocumentCache, EmbeddedState, ReplacedFragmentError
from pincite.text import Filter
from pincite.text.document import DocumentKey
from pincite.text.units import LoadedDocument

ATTEMPTS = 50
"""How often the latest state is looked for while a writer keeps replacing it."""
MOST_NUMBER = 2**63
"""SQLite counts no further."""
PURGE = "purge"
"""The key under which the database remembers a purge that is not finished."""


class EmbeddedEngine(Engine):
    """Any number of processes may open it, and any number of threads share it. One at a time writes; the others wait up
    to `wait` seconds."""

    def __init__(
        self,
        folder: Path,
        *,
        write: bool = False,
        wait: float = 10.0,
        settings: EmbeddedSettings | None = None,
    ) -> None:
        self.folder = folder
        self.write = write
        self.wait = wait
        self.settings = settings or EmbeddedSettings()
        upgrade(folder, wait)
        self.database = Database(folder, write=write)
        self._cache = DocumentCache(self.database, self.settings.cached_characters)
        self._state: EmbeddedState | None = None
        self._preparing = Lock()
        self._originals = FolderOriginals(folder)
        self._leases = {name: (RLock(), [0]) for name in ("writer", "embedder")}

    @classmethod
    def create(cls, folder: Path, language: str = "english") -> None:
        """Makes an empty index in a new folder."""
        configuration = Configuration(language=language, written_by=f"pincite {version('pincite')}")
        configuration.read_language()
        Database.create(folder, configuration)

    def __enter__(self) -> "EmbeddedEngine":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._state = None
        self.database.close()

    @property
    def originals(self) -> FolderOriginals:
        return self._originals

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities()

    @property
    def location(self) -> str:
        return str(self.folder)

    # Reading

    @property
    def configuration(self) -> Configuration:
        with self._reading():
            return self.database.configuration

    @property
    def generation(self) -> int:
        with self._reading():
            return self.database.generation

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """A transaction on what lies in the folder now."""
        if self.database.follow():
            self._state = None
            self._cache = DocumentCache(self.database, self.settings.cached_characters)
        with self.database.reading():
            yield

    def documents(
        self, where: Filter | None = None, visible: Filter | None = None, *, cursor: str = "", limit: int = PAGE
    ) -> Page[DocumentRecord]:
        after = _number(cursor)
        if where is None and visible is None:
            with self._reading():
                records = self._prepared_records(after) or self.database.records(after, limit + 1)
        else:
            with self.state() as state:
                restricted = state.restricted(visible)
                admitted = restricted.catalogue.admitted(where)
                found = [
                    record
                    for at, record in enumerate(restricted.catalogue.records)
                    if record and record.number > after and (admitted is None or admitted[at])
                ]
            records = sorted(found, key=lambda record: record.number)
        page = records[:limit]
        return Page(page, str(page[-1].number) if len(records) > limit else "")

    def _prepared_records(self, after: int) -> list[DocumentRecord]:
        """The records of the present state, where it is prepared already."""
        state = self._state
        if state is None or state.generation != self.database.generation:
            return []
        records = state.by_number
        return records[bisect_right(records, after, key=lambda record: record.number) :]

    def record(self, document_id: str) -> DocumentRecord | None:
        with self._reading():
            return self.database.record(document_id)

    def records_of(self, root: str, path: str) -> Sequence[DocumentRecord]:
        with self._reading():
            return self.database.records_of(root, path)

    def matching_names(self, part: str, limit: int, visible: Filter | None = None) -> Page[DocumentRecord]:
        if visible is None:
            with self._reading():
                found = self.database.matching_names(part, limit + 1)
        else:
            found = containing(every_document(self, None, visible), part)[: limit + 1]
        return Page(found[:limit], "more" if len(found) > limit else "")

    def load(self, document_ids: Sequence[str]) -> Sequence[LoadedDocument]:
        if len(document_ids) > MOST_LOADED:
            raise UsageError(f"at most {MOST_LOADED} documents can be loaded at once, not {len(document_ids)}")
        with self._reading():
            return [self._cache(self._number(name)) for name in document_ids]

    def _number(self, document_id: str) -> int:
        number = self.database.number(document_id)
        if number is None:
            raise NotFoundError(f"no document {document_id!r} in the index")
        return number

    def roots(self, *, cursor: str = "", limit: int = PAGE) -> Page[Root]:
        with self._reading():
            found = self.database.roots(cursor, limit + 1)
        return Page(found[:limit], found[limit - 1].name if len(found) > limit else "")

    def files(self, root: str | None = None, *, cursor: str = "", limit: int = PAGE) -> Page[File]:
        own, _, path = cursor.partition("\0")
        with self._reading():
            found = self.database.files(root, (own, path) if cursor else None, limit + 1)
        page = found[:limit]
        return Page(page, f"{page[-1].root}\0{page[-1].path}" if len(found) > limit else "")

    def file(self, root: str, path: str) -> File | None:
        with self._reading():
            return self.database.file(root, path)

    @contextmanager
    def view(self, visible: Filter | None = None) -> Iterator[FragmentView]:
        with self.state() as state:
            cache, numbers, records = self._cache, state.numbers, state.catalogue.records

            def fetched(place: int) -> LoadedDocument:
                try:
                    return cache(numbers[place])
                except DamagedDocumentError as error:  # its own id may be what is damaged
                    record = records[place]
                    raise DamagedDocumentError(record.id if record else "", error.why) from None

            yield FragmentView(state.restricted(visible), lambda places: list(map(fetched, places)))

    @contextmanager
    def state(self) -> Iterator[EmbeddedState]:
        """The latest state, and a transaction that sees it."""
        for attempt in range(ATTEMPTS):
            with self._reading():
                try:
                    state = self._latest()
                except ReplacedFragmentError:
                    if attempt + 1 == ATTEMPTS:
                        raise
                    continue
                if state is None:
                    continue
                yield state
                return
        raise OutputError(f"{self.folder}: the index keeps changing; try again")

    def _latest(self) -> EmbeddedState | None:
        """The state that this thread's transaction sees; None where another thread has seen a later one."""
        generation, state = self.database.generation, self._state
        if state is not None and state.generation == generation and state.is_whole:
            return state
        with self._preparing:
            state = self._state
            if state is not None and state.generation > generation:
                return None
            if state is None or state.generation < generation or not state.is_whole:
                self._state = state = EmbeddedState.latest(self.database, self.settings, state)
            return state

    # Changing

    @contextmanager
    def lease(self, name: str = WRITER, wait: float | None = None) -> Iterator[None]:
        lock, depth = self._leases[name]
        patience = self.wait if wait is None else wait
        if not lock.acquire(timeout=max(0.0, patience)):
            raise OutputError(
                f"{self.folder}: another thread is writing to the index (waited {patience:.0f} s); "
                "try again when it has finished, or wait longer with --wait SECONDS"
            )
        try:
            if depth[0]:
                yield
                return
            with held_lock(self.folder, name, patience):
                depth[0] += 1
                try:
                    yield
                finally:
                    depth[0] -= 1
        finally:
            lock.release()

    @contextmanager
    def _writing(self, *, counted: bool = True) -> Iterator[None]:
        if not self.write:
            raise UsageError(f"{self.folder}: the index was opened for reading; open it for writing to change it")
        self.database.follow()
        with self.lease(), self.database.writing(counted=counted):
            yield

    def configure(self, configuration: Configuration) -> None:
        with self._writing():
            self.database.configure(configuration)

    def put(self, files: Sequence[PreparedFile], root: Root) -> None:
        with self._writing():
            known = self.database.root_path(root.name)
            if known not in (None, root.path):
                raise same_name(root, str(known))
            self.database.put_root(root)
            numbers: list[int] = []
            for prepared in files:
                file = prepared.file
                vectors = [self.database.vectors_of_same(document) for document in prepared.documents]
                added = {record.id: record.added for record in self.database.records_of(root.name, file.path)}
                self.database.delete(self.database.numbers(root.name, file.path))
                self.database.put_file(file)
                for document, made in zip(prepared.documents, vectors, strict=True):
                    number = self._insert(document, file, added.get(document.indexed.document.id, ""))
                    if made is not None:
                        self.database.put_vectors(number, made)
                    numbers.append(number)
            if sum(map(_characters, files)) > self.settings.recent_characters:
                # Searches of other processes would otherwise prepare them in memory, until a fragment is written.
                self.database.put_fragment(built_fragment(self.database, numbers, self.settings))

    def _insert(self, prepared: PreparedDocument, file: File, added: str) -> int:
        try:
            return self.database.insert(prepared, file.root, file.path, added)
        except sqlite3.IntegrityError:
            raise same_id(prepared.indexed.document.id) from None

    def note_files(self, files: Sequence[File]) -> None:
        if files:
            with self._writing():
                for file in files:
                    self.database.put_file(file)

    def move_root(self, root: Root) -> None:
        with self._writing():
            self.database.move_root(root)

    def remove(self, document_ids: Iterable[str], *, purge: bool = False) -> int:
        with self.lease():
            with self._writing():
                places = [place for name in set(document_ids) if (place := self.database.place(name))]
                self.database.delete(number for number, _, _ in places)
                for root, path in {(root, path) for _, root, path in places}:
                    file = self.database.file(root, path)
                    if file is not None and self.database.numbers(root, path):
                        self.database.put_file(file._replace(size=-1, sha256=""))  # a sync reads it again
                    else:
                        self.database.delete_files([(root, path)])
                if purge:
                    self.database.set_meta(PURGE, "1")
            if purge:
                self._purge()
        return len(places)

    def forget_files(self, files: Iterable[tuple[str, str]]) -> int:
        gone = list(files)
        with self._writing():
            numbers = [number for file in gone for number in self.database.numbers(*file)]
            self.database.delete(numbers)
            self.database.delete_files(gone)
        return len(numbers)

    def _purge(self) -> None:
        """Rewrites the fragments that hold something of documents that are gone, and empties the log."""
        self._cache = DocumentCache(self.database, self.settings.cached_characters)
        self._state = None
        self._maintenance().rewrite_with_gone()
        self._state = None
        if not self.database.empty_log():
            raise OutputError(
                f"{self.folder}: the documents are removed, but a search is running that still holds the log open; "
                "run the same command again when it has ended"
            )
        with self.database.writing():
            self.database.set_meta(PURGE, "")
        self.database.empty_log()

    # Vectors

    def without_vectors(self, *, limit: int = PAGE) -> Sequence[MissingVectors]:
        with self._reading():
            return [MissingVectors(*row) for row in self.database.without_vectors(limit)]

    def missing_units(self) -> int:
        with self._reading():
            return self.database.missing_units()

    def put_vectors(self, vectors: Mapping[DocumentKey, QuantisedVectors]) -> int:
        stored = 0
        with self._writing():
            for key, made in vectors.items():
                record = self.database.record(key.id)
                if record is not None and record.sha256 == key.sha256:
                    self.database.put_vectors(record.number, made)
                    stored += 1
        return stored

    def forget_vectors(self) -> None:
        with self.lease():
            with self._writing():
                self.database.forget_vectors()
                bare = replace(self.database.configuration, encoder="", encoder_sha256="", dimensions=0)
                self.database.configure(bare)
                for row in self.database.fragments():
                    self.database.put_fragment(words_alone(row))
            remove_unknown_files(self.database)

    # Small records

    def stored_record(self, kind: str, key: str) -> StoredRecord | None:
        with self._reading():
            return self.database.stored_record(kind, key)

    def stored_records(self, kind: str, *, cursor: str = "", limit: int = PAGE) -> Page[StoredRecord]:
        with self._reading():
            found = self.database.stored_records(kind, cursor, limit + 1)
        return Page(found[:limit], found[limit - 1].key if len(found) > limit else "")

    def put_record(self, kind: str, key: str, value: str, *, version: int | None = None) -> StoredRecord:
        with self._writing(counted=False):  # searches need not look again
            before = self.database.stored_record(kind, key)
            now = before.version if before else 0
            if version is not None and version != now:
                raise ConflictError(f"{kind} {key!r} has version {now}, not {version}; look at it again")
            record = StoredRecord(key, value, now + 1)
            self.database.put_record(kind, record)
            return record

    def delete_record(self, kind: str, key: str) -> bool:
        with self._writing(counted=False):
            return self.database.delete_record(kind, key)

    # Upkeep

    def _maintenance(self) -> Maintenance:
        return Maintenance(self.database, self._state_now(), self.settings)

    def _state_now(self) -> EmbeddedState:
        with self.state() as state:
            return state

    def tidy(self, *, more_to_come: bool = False) -> None:
        with self.lease():
            with self._reading():
                unfinished = self.database.meta(PURGE)
            if unfinished:
                self._purge()
            self._maintenance().tidy(self._state_now, more_to_come=more_to_come)
            self.database.shorten_log()

    def check(self, *, repair: bool = False, questions: int = 200) -> CheckReport:
        if repair:
            with self.lease():
                self._maintenance().repair()
        with self.state() as state:
            return check_index(self.database, state, self.settings, questions)


def _characters(file: PreparedFile) -> int:
    return sum(len(document.indexed.document.text) for document in file.documents)


def _number(cursor: str) -> int:
    """The number of the last document of the previous page."""
    if not cursor:
        return 0
    if not cursor.isdecimal() or int(cursor) >= MOST_NUMBER:
        raise UsageError("invalid cursor: use `next` of the previous page")
    return int(cursor)
