"""The backend: one index with everything that people and programs may do with it. The doors only translate."""

import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import TypeVar

from pincite.errors import ModelError, PinciteError, UsageError
from pincite.index import EmbeddedEngine, Question
from pincite.index.listing import outline
from pincite.index.records import Listed
from pincite.models import Encoder, Progress, load_encoder
from pincite.models.shipped import ENCODER
from pincite.pipeline import method
from pincite.pipeline.reading import SecondReading
from pincite.retrieve import SpanConfig
from pincite.retrieve.answered import Answered
from pincite.retrieve.shelves import Held
from pincite.serve import comparing, finding, uploads
from pincite.serve.checking import checked_filter, checked_hits, checked_question, checked_range
from pincite.serve.comparing import Row
from pincite.serve.failures import Busy, Invalid, NotFound, TooLarge
from pincite.serve.page_images import page_image
from pincite.serve.readers import Readers
from pincite.serve.settings import Settings
from pincite.serve.uploads import Uploaded
from pincite.serve.writer import Writer
from pincite.text import Document, Filter, Hit
from pincite.text.citation import citation

T = TypeVar("T")
log = logging.getLogger("pincite.serve")
MADE_WAY = 3
"""So often in a row other changes go before the making of vectors."""
DRAWING_SECONDS = 10.0
"""So long a picture of a page waits for its turn."""
COMPARED_DEPTH = 12
"""So many passages of each document are read again in a comparison."""


@dataclass(frozen=True, slots=True)
class Search:
    """A question as a door gives it."""

    query: str
    k: int = 10
    documents: Sequence[str] = ()
    """Ids, or parts of ids or titles that only one document has."""
    metadata: Mapping[str, str] | None = None
    after: str = ""
    before: str = ""
    fast: bool = False
    """Without the re-ranker."""
    granularity: str = "sentence"


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A stretch of a document with its citation, and what stands around it."""

    document: Document
    hit: Hit
    before: str
    behind: str

    def to_dict(self) -> dict[str, object]:
        hit = self.hit
        return {
            "document": self.document.id,
            "title": self.document.title,
            "page": hit.page,
            "start": hit.start,
            "end": hit.end,
            "text": hit.text,
            "before": self.before,
            "after": self.behind,
            "heading_path": list(hit.heading_path),
            "citation": citation(hit),
        }


@dataclass(frozen=True, slots=True)
class Unread:
    """A file of the collection that is not searchable, and why."""

    file: str
    problem: str


class _MadeWay(Exception):  # noqa: N818
    """The making of vectors stops for other changes; what is made is kept, and the next call goes on."""


class Backend:
    """Every method can be called from any thread and waits for its result; `ask` and `later` give a future instead."""

    def __init__(self, folder: Path, settings: Settings | None = None) -> None:
        self.folder, self.settings = folder, settings or Settings()
        self.name = folder.resolve().name.removesuffix(".pincite") or "documents"
        with EmbeddedEngine(folder) as engine:
            self._encoder_name = engine.configuration.encoder
            bare = any(entry.root == uploads.FOLDER and not entry.has_vectors for entry in engine.documents())
        self.encoder = _encoder(self._encoder_name)
        self._reading: SecondReading | None = None
        self._loading = Lock()
        self._made_way = 0
        self._default = method("default")
        self.readers = Readers(self._opened, self.settings.threads, self.settings.waiting)
        self.writer = Writer(folder, self.settings.writing)
        self._comparisons = BoundedSemaphore(self.settings.threads)
        self._drawings = BoundedSemaphore(self.settings.threads)
        if bare:  # an earlier server ended before it made them
            self._embed_later()

    def close(self) -> None:
        """Everything that was asked is answered, and every change is on disk."""
        self.readers.close()
        self.writer.close()

    def __enter__(self) -> "Backend":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _opened(self) -> EmbeddedEngine:
        return EmbeddedEngine(self.folder, self.encoder)

    def later(self, work: "Callable[[EmbeddedEngine], T]") -> "Future[T]":
        """What `work` gives when a thread has carried it out."""
        return self.readers.submit(work)

    # Searching

    def ask(self, search: Search) -> "Future[Answered]":
        """The answer, later; what is wrong with the question is said at once."""
        query = checked_question(search.query, self.settings)
        where = checked_filter(search.documents, search.metadata, search.after, search.before)
        asked = Question(
            query,
            checked_hits(search.k, self.settings),
            where,
            _spans(search.granularity),
            self._default.context,
            self.encoder is not None,
            None if search.fast else self.reading(),
        )
        done: Future[Answered] = Future()
        if where is not None and where.documents:
            found = self.readers.submit(lambda engine: engine.search([_resolved(engine, asked)])[0])
        else:
            found = self.readers.ask(asked)
        found.add_done_callback(lambda answer: _pass_on(answer, done, lambda held: Answered.of(query, held)))
        return done

    def search(self, search: Search) -> Answered:
        return self.ask(search).result()

    @property
    def is_loaded(self) -> bool:
        """Whether the second reading is there already."""
        return self._reading is not None

    def reading(self) -> SecondReading:
        """The second reading of the default method, loaded once."""
        with self._loading:
            if self._reading is None:
                assert self._default.reading is not None
                self._reading = self._default.reading.load()
            return self._reading

    # Documents

    def documents(self, where: Filter | None = None) -> list[Listed]:
        """Every document, or those that a filter admits, in the order in which they were added."""
        return self.later(lambda engine: finding.listed(engine, where)).result()

    def named(self, name: str) -> Listed:
        """The document of that id, or the only one with that part of an id or title."""
        return self.later(lambda engine: finding.named(engine, name)).result()

    def document(self, document_id: str) -> Listed:
        return self.later(lambda engine: finding.one(engine, document_id)).result()

    def held(self, document_id: str) -> Held:
        """A document with its text and units."""
        return self.later(lambda engine: finding.held(engine, document_id)).result()

    def outline(self, document_id: str) -> list[dict[str, object]]:
        """The headings: how deep, what they say, where the text under them begins."""
        found = outline(self.held(document_id))
        return [{"level": level, "heading": heading, "start": start} for level, heading, start in found]

    def excerpt(self, document_id: str, start: int | None = None, end: int | None = None, around: int = 0) -> Excerpt:
        """A stretch of a document, and so many characters on both sides of it."""
        held = self.held(document_id)
        document = held.document
        first, last = checked_range(start, end, len(document.text))
        unit = int(held.units.ends.searchsorted(first, side="right")) if len(held.units) else 0
        headings = held.units.context(unit).heading_path if unit < len(held.units) else ()
        hit = Hit.of(document, (first, last), headings, 0.0, 1, {})
        before, behind = document.text[max(0, first - around) : first], document.text[last : last + around]
        return Excerpt(document, hit, before, behind)

    def page_image(self, document_id: str, page: int, start: int | None = None, end: int | None = None) -> bytes:
        """A page of a PDF file as PNG, with a stretch of the text marked on it."""

        def work(engine: EmbeddedEngine) -> tuple[Document, Path]:
            entry = finding.one(engine, document_id)
            document = engine.document(entry.id)
            file = engine.files(entry.root).get((entry.root, entry.path))
            path = Path(engine.roots()[entry.root]) / entry.path
            if document.source.reader != "pdf" or document.id != f"{entry.root}/{entry.path}".rstrip("/"):
                raise NotFound(f"{document_id}: only a PDF file has pages that can be shown as pictures")
            if file is None or not _is_same(path, file.size, file.sha256):
                raise NotFound(f"{document_id}: the file is gone or has changed since it was read; add it again")
            return document, path

        document, path = self.later(work).result()
        pages = len(document.source.page_starts)
        if not 1 <= page <= pages:
            raise NotFound(f"{document_id}: there is no page {page}; it has {pages}")
        boxes = []
        if start is not None and end is not None:
            boxes = [box for box in document.boxes(*checked_range(start, end, len(document.text))) if box.page == page]
        if not self._drawings.acquire(timeout=DRAWING_SECONDS):
            raise Busy("other pages are being drawn; ask again in a moment", retry_after=2)
        try:
            return page_image(path, page, boxes, self.settings.file_seconds, self.settings.file_memory_bytes)
        finally:
            self._drawings.release()

    def unread(self) -> list[Unread]:
        """What could not be read, and why; no path of this machine is told."""

        def work(engine: EmbeddedEngine) -> list[Unread]:
            return [
                Unread(f"{file.root}/{file.path}".rstrip("/"), _from(file.path or file.root, failure))
                for file in engine.files().values()
                for failure in file.failures
            ]

        return self.later(work).result()

    # Comparing

    def compare(
        self,
        question: str,
        documents: Sequence[str] = (),
        metadata: Mapping[str, str] | None = None,
        after: str = "",
        before: str = "",
        progress: Progress | None = None,
    ) -> list[Row]:
        """One question over many documents: a row each."""
        query = checked_question(question, self.settings)
        where = checked_filter((), metadata, after, before)

        def chosen(engine: EmbeddedEngine) -> list[Listed]:
            named = {finding.named(engine, name).id for name in documents}
            return [entry for entry in finding.listed(engine, where) if not named or entry.id in named]

        entries = self.later(chosen).result()
        if len(entries) > self.settings.compared:
            raise Invalid(f"{len(entries)} documents are too many to compare; choose at most {self.settings.compared}")
        if not self._comparisons.acquire(blocking=False):
            raise Busy("other comparisons are under way; ask again in a moment", retry_after=10)
        try:
            whole = self.reading()
            reading = replace(whole, rescoring=replace(whole.rescoring, depth=COMPARED_DEPTH))
            rows: list[Row] = []
            for at, entry in enumerate(entries, start=1):  # one at a time, so that others are answered in between
                rows.append(self.later(partial(comparing.row, question=query, entry=entry, reading=reading)).result())
                if progress:
                    progress(at, len(entries))
            return rows
        finally:
            self._comparisons.release()

    # Changing

    def add(self, files: Sequence[tuple[str, bytes]], *, replace: bool = False) -> list[Uploaded]:
        """Stores files and makes them searchable: by words when this returns, by vectors soon after."""
        settings = self.settings
        if not files:
            raise Invalid("no file was sent")
        if len(files) > settings.upload_files:
            raise TooLarge(f"{len(files)} files are too many; send at most {settings.upload_files} at once")
        for name, data in files:
            if len(data) > settings.file_bytes:
                raise TooLarge(f"{name}: has {len(data):,} bytes, the limit is {settings.file_bytes:,}")

        def work(engine: EmbeddedEngine) -> list[Uploaded]:
            return [uploads.store(engine, name, data, settings, replace=replace) for name, data in files]

        done = self.writer.submit(work).result()
        if any(uploaded.status != "same" for uploaded in done):  # a failed replacement also loses the vectors
            self._embed_later()
        return done

    def remove(self, document_ids: Sequence[str]) -> int:
        """Removes documents; of uploaded files nothing is left."""

        def work(engine: EmbeddedEngine) -> int:
            ids = [finding.one(engine, name).id for name in document_ids]
            gone = set(ids)
            uploads.forget(engine.folder, ids, [entry.id for entry in engine.documents() if entry.id not in gone])
            count = engine.remove(ids)
            engine.tidy()
            return count

        return self.writer.submit(work).result()

    def _embed_later(self) -> None:
        """Makes the missing vectors when the writer has nothing else to do."""
        if self.encoder is None or self.writer.closed:
            return
        with suppress(Busy):  # what is waiting ends with this, too
            self.writer.submit(self._embed)

    def _embed(self, engine: EmbeddedEngine) -> None:
        assert self.encoder is not None
        try:
            engine.embed(self.encoder, self._make_way, self._encoder_name or ENCODER)
            self._made_way = 0
        except _MadeWay:
            self._made_way += 1
            self._embed_later()
        except PinciteError as error:
            log.warning("vectors could not be made: %s", error)

    def _make_way(self, _: int, __: int) -> None:
        """What a document has so far is lost with it, so that this is done a few times only, and when all ends."""
        if self.writer.closed or (self.writer.wanted and self._made_way < MADE_WAY):
            raise _MadeWay

    def status(self) -> dict[str, object]:
        """What the collection holds."""

        def work(engine: EmbeddedEngine) -> dict[str, object]:
            entries = finding.listed(engine, None)
            return {
                "name": self.name,
                "documents": len(entries),
                "passages": sum(entry.unit_count for entry in entries),
                "with_vectors": sum(entry.has_vectors for entry in entries),
                "encoder": engine.configuration.encoder or None,
                "generation": engine.view_now().generation,
            }

        return self.later(work).result()


def _encoder(name: str) -> Encoder | None:
    """The index's own; an index without vectors gets ours, with which uploads get theirs."""
    try:
        return load_encoder(name or ENCODER, threads=1)
    except (ModelError, UsageError):
        return None


def _from(name: str, said: str) -> str:
    """From the name of the file on, without the folders before it."""
    return said[max(0, said.find(name)) :]


def _spans(granularity: str) -> SpanConfig:
    try:
        return SpanConfig(granularity)
    except UsageError as error:
        raise Invalid(str(error)) from None


def _resolved(engine: EmbeddedEngine, asked: Question) -> Question:
    assert asked.where is not None
    names = tuple(finding.named(engine, name).id for name in asked.where.documents)
    return replace(asked, where=replace(asked.where, documents=names))


def _is_same(path: Path, size: int, digest: str) -> bool:
    from hashlib import sha256

    try:
        return path.stat().st_size == size and sha256(path.read_bytes()).hexdigest() == digest
    except OSError:
        return False


def _pass_on(found: "Future[T]", done: "Future[Answered]", made: "Callable[[T], Answered]") -> None:
    if not done.set_running_or_notify_cancel():
        return  # whoever asked is gone
    try:
        done.set_result(made(found.result()))
    except BaseException as error:  # noqa: BLE001 - whoever asked gets it
        done.set_exception(error)
