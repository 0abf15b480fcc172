"""The embedded engine: one folder on this machine, SQLite for the truth, memory-mapped shelves beside it."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import numpy as np

from pincite.documents.profile import profile
from pincite.errors import DataError, ModelError, OutputError, UsageError
from pincite.index.checking import check_index
from pincite.index.configuration import Configuration
from pincite.index.engine import Checked, Engine, Incoming, Question
from pincite.index.naming import resolve
from pincite.index.packing import quantise
from pincite.index.records import File, Listed, described
from pincite.index.shelf_files import remove_unknown_files, words_alone
from pincite.index.shelving import Shelving
from pincite.index.store import DATABASE, LOCK, Store
from pincite.index.view import Replaced, Texts, View
from pincite.models import Encoder, Progress, Vectors
from pincite.retrieve.answers import NO_ENCODER, Answer, Taken, answer, take_apart
from pincite.retrieve.context_scores import ContextConfig, Searcher, encoder_texts
from pincite.retrieve.shelf import Entry
from pincite.retrieve.shelves import Held
from pincite.retrieve.unit_vectors import context_texts
from pincite.segment import Segmenter, segmenter
from pincite.text import Document, Filter
from pincite.text.order import check_k
from pincite.text.units import Units

EMBEDDED_AT_ONCE = 1024
"""So many units are encoded and stored in one change."""
TIDY_AFTER = 100_000
"""After so many units have got their vectors, the shelves get them too."""
ATTEMPTS = 50
"""So often the latest state is looked for while a writer keeps replacing it."""
PURGE = "purge"
"""Under this key the truth remembers a purge that is not finished."""


class EmbeddedEngine(Engine):
    """Opened by as many processes as one likes; one of them at a time writes, the others wait up to `wait` seconds.

    `encoder` reads the questions; without one the vectors take no part, and answers say so.
    """

    def __init__(
        self, folder: Path, encoder: Encoder | None = None, *, write: bool = False, wait: float = 10.0
    ) -> None:
        self.folder = folder
        self.encoder: Encoder | None = None
        self.wait = wait
        self.store = Store(folder, write=write)
        self._inode = _inode(folder)
        self._texts = Texts(self.store)
        self._view: View | None = None
        self._searchers: dict[ContextConfig, Searcher] = {}
        self._lock_depth = 0
        if encoder is not None:
            self.use(encoder)

    @classmethod
    def create(cls, folder: Path) -> None:
        """Makes an empty index in a new folder."""
        Store.create(folder, Configuration(written_by=f"pincite {version('pincite')}"))

    def __enter__(self) -> "EmbeddedEngine":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._view = None
        self._searchers.clear()
        self.store.close()

    @property
    def replaced(self) -> bool:
        """Whether another index lies in the folder now, or none: what is open is no longer there."""
        return self._inode != _inode(self.folder)

    @property
    def configuration(self) -> Configuration:
        with self.store.errors():
            return self.store.configuration

    def use(self, encoder: Encoder) -> None:
        """Reads questions with this encoder from now on; it must be the one that made the vectors."""
        self._check_encoder(encoder)
        self.encoder = encoder

    # Reading

    def roots(self) -> dict[str, str]:
        with self.store.reading():
            return self.store.roots()

    def files(self, root: str | None = None) -> dict[tuple[str, str], File]:
        with self.store.reading():
            return self.store.files(root)

    def documents(self) -> list[Listed]:
        with self.store.reading():
            return self.store.listed()

    def matching(self, where: Filter) -> list[str]:
        with self._seeing() as view:
            admitted = view.catalogue.admitted(where)
            assert admitted is not None
            return [entry.id for entry, fits in zip(view.listed, admitted, strict=True) if entry and fits]

    def document(self, document_id: str) -> Document:
        with self.store.reading():
            entry = self.store.entry(self._number(document_id), boxes=True)
            assert entry is not None
            return entry.document

    def held(self, document_id: str) -> Held:
        """A document with its units."""
        with self.store.reading():
            return self._texts(self._number(document_id))

    def resolve(self, name: str) -> str:
        with self.store.reading():
            return name if self.store.number(name) is not None else resolve(name, self.store.titles())

    def _number(self, name: str) -> int:
        number = self.store.number(self.resolve(name))
        assert number is not None
        return number

    def view_now(self) -> View:
        """The latest state, as far as it needs no text."""
        with self._seeing() as view:
            return view

    @contextmanager
    def _seeing(self) -> Iterator[View]:
        """One state, the latest, while it lasts."""
        for attempt in range(ATTEMPTS):
            with self.store.reading():
                try:
                    view = self._latest()
                except Replaced:
                    if attempt + 1 == ATTEMPTS:
                        raise
                    continue
                yield view
                return

    def _latest(self) -> View:
        if self._view is None or self._view.generation != self.store.generation:
            if self.encoder is not None:
                self._check_encoder(self.encoder)
            self._view = View.of(self.store, self._texts, self._view)
            self._searchers.clear()
        return self._view

    # Searching

    def search(self, questions: Sequence[Question]) -> list[Answer]:
        for question in questions:
            check_k(question.k)
        with self._seeing() as view:
            taken = [
                take_apart(self._searcher(view, asked.config), asked.text, view.catalogue.admitted(asked.where))
                for asked in questions
            ]
            vectors = self._encoded(taken, questions, view)
            return [
                answer(
                    self._searcher(view, asked.config),
                    found,
                    asked.k,
                    asked.spans,
                    pair,
                    [*view.notes, *self._vector_notes(view, asked)],
                    asked.reading,
                )
                for asked, found, pair in zip(questions, taken, vectors, strict=True)
            ]

    def _encoded(self, taken: Sequence[Taken], questions: Sequence[Question], view: View) -> list[Vectors | None]:
        """Two vectors for each question that wants them: what it asks for, and how that is drafted."""
        asked = [at for at, question in enumerate(questions) if question.dense]
        if self.encoder is None or not asked or not view.vectors.with_vectors.any():
            return [None] * len(questions)
        texts = [text for at in asked for text in encoder_texts(taken[at].understood)]
        vectors = self.encoder.encode_queries(texts)
        pairs = {at: vectors[2 * place : 2 * place + 2] for place, at in enumerate(asked)}
        return [pairs.get(at) for at in range(len(questions))]

    def _searcher(self, view: View, config: ContextConfig) -> Searcher:
        if config not in self._searchers:
            self._searchers[config] = Searcher(view.shelves, config, view.vectors)
        return self._searchers[config]

    def _vector_notes(self, view: View, question: Question) -> list[str]:
        if not question.dense:
            return []
        there = view.shelves.document_count
        missing = there - int(np.count_nonzero(view.vectors.with_vectors))
        if missing == there:
            return ["no document has vectors yet, the dense part was left out; 'pincite index embed' makes them"]
        if self.encoder is None:
            return [NO_ENCODER]
        if missing:
            return [f"{missing} of {there} documents have no vectors yet; 'pincite index embed' makes them"]
        return []

    # Writing

    @contextmanager
    def writing(self) -> Iterator[None]:
        """The only writer while it lasts; a second one waits, then gets a message."""
        from filelock import FileLock, Timeout

        if self._lock_depth == 0:
            self._lock = FileLock(self.folder / LOCK)
            try:
                self._lock.acquire(timeout=self.wait)
            except Timeout:
                raise OutputError(
                    f"{self.folder}: another process is writing to the index (waited {self.wait:.0f} s); "
                    "try again when it has finished, or wait longer with --wait SECONDS"
                ) from None
            except OSError as error:
                raise OutputError(f"{self.folder}: the index cannot be written ({error.strerror})") from None
        self._lock_depth += 1
        try:
            yield
        finally:
            self._lock_depth -= 1
            if self._lock_depth == 0:
                self._lock.release()

    def put(self, files: Sequence[Incoming], root: str, root_path: str) -> None:
        with self.store.errors():
            cut = segmenter(self.store.configuration.segmenter)
        prepared = [
            (incoming, [_entry(document, incoming.said(document), cut) for document in incoming.documents])
            for incoming in files
        ]
        with self.writing(), self.store.writing():
            known = self.store.roots()
            if known.get(root, root_path) != root_path:
                raise UsageError(
                    f"two places would have the name {root!r}: {known[root]} and {root_path}; "
                    "give the second one another with --name"
                )
            self.store.put_root(root, root_path)
            for incoming, entries in prepared:
                file = incoming.file
                made = [self.store.vectors_of_text(entry.document.sha256, len(entry.units)) for entry in entries]
                self.store.delete(self.store.numbers(root, file.path))
                self.store.put_file(file._replace(failures=(*file.failures, *map(str, incoming.failures))))
                for document, entry, vectors in zip(incoming.documents, entries, made, strict=True):
                    number = self._insert(entry, root, file.path, incoming.said(document), document.metadata)
                    if vectors is not None:
                        self.store.put_vectors(number, *vectors)

    def _insert(self, entry: Entry, root: str, path: str, metadata: Mapping[str, str], found: Mapping[str, str]) -> int:
        try:
            return self.store.insert(entry, root, path, metadata, found)
        except sqlite3.IntegrityError:
            raise DataError(
                f"two documents would have the id {entry.document.id!r}; "
                "rename one, or add its folder under another --name"
            ) from None

    def note_files(self, files: Sequence[File]) -> None:
        if files:
            with self.writing(), self.store.writing():
                for file in files:
                    self.store.put_file(file)

    def remove(self, document_ids: Iterable[str], *, purge: bool = False) -> int:
        names = set(document_ids)
        with self.writing():
            gone = [entry for entry in self.documents() if entry.id in names]
            unknown = names - {entry.id for entry in gone}
            if unknown and not purge:  # with purge they may be from a call that was stopped
                titles = {entry.id: entry.title for entry in self.documents()}
                name = min(unknown)
                raise UsageError(f"no document has the id {name!r}; did you mean {_near(name, titles)}?")
            with self.store.writing():
                self.store.delete(entry.number for entry in gone)
                for root, path in {(entry.root, entry.path) for entry in gone}:
                    if self.store.numbers(root, path):
                        file = self.store.files(root)[root, path]
                        self.store.put_file(file._replace(size=-1, sha256=""))  # a sync reads it again
                    else:
                        self.store.delete_files([(root, path)])
                if purge:
                    self.store.set_meta(PURGE, "1")
            if purge:
                self._purge()
        return len(gone)

    def forget_files(self, files: Iterable[tuple[str, str]]) -> int:
        gone = list(files)
        with self.writing(), self.store.writing():
            numbers = [number for file in gone for number in self.store.numbers(*file)]
            self.store.delete(numbers)
            self.store.delete_files(gone)
        return len(numbers)

    def _purge(self) -> None:
        """Rewrites the shelves that hold something of documents that are gone, and empties the log."""
        self._texts = Texts(self.store)
        self._view = None
        Shelving(self.store, self.view_now()).rewrite_with_gone()
        self._view = None
        if not self.store.empty_log():
            raise OutputError(
                f"{self.folder}: the documents are removed, but a search is running that still holds the log open; "
                "run the same command again when it has ended"
            )
        with self.store.writing():
            self.store.set_meta(PURGE, "")
        self.store.empty_log()

    def embed(self, encoder: Encoder, progress: Progress | None = None, name: str = "") -> int:
        with self.writing():
            self._check_encoder(encoder)
            with self.store.reading():
                waiting = self.store.without_vectors()
                configuration = self.store.configuration
            if waiting and not configuration.encoder_sha256:
                named = replace(
                    configuration,
                    encoder=name or encoder.name,
                    encoder_sha256=encoder.sha256,
                    dimensions=encoder.dimensions,
                )
                with self.store.writing():
                    self.store.configure(named)
            total, done, untidy, made = sum(units for _, units in waiting), 0, 0, 0
            for batch in _batches(waiting):
                made += self._embed_batch(encoder, [number for number, _ in batch], _from(done, total, progress))
                units = sum(units for _, units in batch)
                done, untidy = done + units, untidy + units
                if progress:
                    progress(done, total)
                if untidy > TIDY_AFTER:
                    self._tidy(more_to_come=True)
                    untidy = 0
            self.tidy()
        return made

    def _embed_batch(self, encoder: Encoder, numbers: Sequence[int], progress: Progress | None) -> int:
        """Makes the vectors of these documents; a damaged one is left out, and stays without."""
        held: list[tuple[int, list[str]]] = []
        with self.store.reading():
            for number in numbers:
                try:
                    entry = self.store.entry(number)
                except DataError:
                    continue
                if entry is not None:
                    held.append((number, context_texts(Held(entry.document, entry.units))))
        vectors = encoder.encode_passages([text for _, texts in held for text in texts], progress)
        place = 0
        with self.store.writing():
            for number, texts in held:
                self.store.put_vectors(number, *quantise(vectors[place : place + len(texts)]))
                place += len(texts)
        return len(held)

    def forget_vectors(self) -> None:
        """Drops all vectors, so that another encoder can make them anew."""
        with self.writing():
            with self.store.writing():
                self.store.forget_vectors()
                self.store.configure(replace(self.store.configuration, encoder="", encoder_sha256="", dimensions=0))
                for row in self.store.shelves():
                    self.store.put_shelf(words_alone(row))
            remove_unknown_files(self.store)

    def _check_encoder(self, encoder: Encoder) -> None:
        built = self.configuration
        if built.encoder_sha256 and built.encoder_sha256 != encoder.sha256:
            raise ModelError(
                f"{self.folder}: the vectors were made with {built.encoder} (SHA-256 {built.encoder_sha256[:12]}...), "
                f"not with {encoder.name} ({encoder.sha256[:12]}...); name that encoder, or make all vectors anew: "
                f"pincite index embed --again --encoder {encoder.name} --index {self.folder}"
            )

    def tidy(self) -> None:
        self._tidy()

    def _tidy(self, *, more_to_come: bool = False) -> None:
        with self.writing():
            if self.store.meta(PURGE):
                self._purge()
            Shelving(self.store, self.view_now()).tidy(self.view_now, more_to_come=more_to_come)
            self.store.shorten_log()

    def check(self, *, repair: bool = False, questions: int = 200) -> Checked:
        if repair:
            with self.writing():
                Shelving(self.store, self.view_now()).repair()
        with self._seeing() as view:
            return check_index(self.store, view, questions)


def _inode(folder: Path) -> int:
    try:
        return (folder / DATABASE).stat().st_ino
    except OSError:
        return -1


def _entry(document: Document, metadata: Mapping[str, str], cut: Segmenter) -> Entry:
    """A document made ready: what the user says of it wins over what its reader and its first page say."""
    found = profile(replace(document, metadata={**document.metadata, **metadata}))
    said = described(metadata, document.metadata, found)
    return Entry(replace(document, title=found.title, metadata=said), found, Units.of(cut(document)))


def _from(before: int, total: int, progress: Progress | None) -> Progress | None:
    """Progress within a batch, told as progress of the whole."""
    return None if progress is None else lambda done, _: progress(before + done, total)


def _near(name: str, titles: Mapping[str, str]) -> str:
    try:
        return repr(resolve(name, titles))
    except UsageError as error:
        return str(error)


def _batches(waiting: Sequence[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    batch: list[tuple[int, int]] = []
    for entry in waiting:
        batch.append(entry)
        if sum(units for _, units in batch) >= EMBEDDED_AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch
