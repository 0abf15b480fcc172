"""The backend: one index and everything that can be done with it. Web pages, REST and MCP only translate."""

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import BoundedSemaphore
from typing import TypeVar

from pincite.compare import ComparisonRow
from pincite.compare.page_images import UndrawablePageError, page_image
from pincite.engine.contract import every_document
from pincite.engine.records import DocumentRecord, Page
from pincite.errors import DataError, PinciteError
from pincite.index import Index
from pincite.index.corrections import Correction
from pincite.index.uploads import FOLDER as UPLOADS
from pincite.models import Progress
from pincite.search import Answer, SearchRequest
from pincite.serve import uploads
from pincite.serve.errors import Busy, Invalid, NotFound, TooLarge
from pincite.serve.search_threads import SearchThreads
from pincite.serve.settings import Settings
from pincite.serve.uploads import Uploaded
from pincite.serve.validation import checked_question, checked_range, checked_request
from pincite.serve.writer_thread import WriterThread
from pincite.text import Document, Filter, Hit
from pincite.text.units import LoadedDocument

T = TypeVar("T")
log = logging.getLogger("pincite.serve")
MOST_INTERRUPTIONS = 3
"""How often in a row embedding may be interrupted for other changes."""
DRAWING_SECONDS = 10.0
"""Longest time that a page waits to be drawn."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A range of a document's text with its citation and surrounding text."""

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
            "pieces": [list(edges) for edges in hit.pieces],
            "before": self.before,
            "after": self.behind,
            "heading_path": list(hit.heading_path),
            "citation": hit.citation,
        }


@dataclass(frozen=True, slots=True)
class Unsearchable:
    """A file of the collection that is not, or not completely, searchable, and why."""

    file: str
    problem: str


class _Interrupted(Exception):  # noqa: N818
    """Embedding was interrupted for other changes. What is embedded is kept, and the next call continues."""


class Backend:
    """Every method can be called from any thread and waits for its result; `ask` and `later` return a future."""

    def __init__(self, folder: Path, settings: Settings | None = None) -> None:
        self.folder, self.settings = folder, settings or Settings()
        self.name = folder.resolve().name.removesuffix(".pincite") or "documents"
        self.index = Index.open(folder, read_only=True, model_threads=1)
        self._interruptions = 0
        self._is_loaded = False
        self.threads = SearchThreads(self.index, self.settings.threads, self.settings.waiting)
        self.writer = WriterThread(folder, self.settings.writing)
        self._comparisons = BoundedSemaphore(self.settings.threads)
        self._drawings = BoundedSemaphore(self.settings.threads)
        waiting = (self.index.engine.record(missing.id) for missing in self.index.engine.without_vectors())
        uploaded = any(record and record.root == UPLOADS for record in waiting)
        if uploaded or self.index.is_renewing or self.index.has_former_vectors:
            self._embed_later()  # an earlier server was stopped before it was done, or was of an earlier version

    def close(self) -> None:
        """Waits until every request is answered and every change is on disk."""
        self.threads.close()
        self.writer.close()
        self.index.close()

    def __enter__(self) -> "Backend":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def later(self, work: "Callable[[], T]") -> "Future[T]":
        """Runs a function in a search thread. The future gets what it returns."""
        return self.threads.submit(work)

    # Searching

    def ask(self, request: SearchRequest) -> "Future[Answer]":
        """Answers a request in a search thread. An invalid request raises an error at once."""
        return self.threads.ask(checked_request(request, self.settings))

    def search(self, request: SearchRequest) -> Answer:
        return self.ask(request).result()

    @property
    def is_loaded(self) -> bool:
        """Whether the models of the default method are loaded."""
        return self._is_loaded

    def load_models(self) -> None:
        self.index.load_models()
        self._is_loaded = True

    # Documents

    def page(self, where: Filter | None, cursor: str, limit: int) -> Page[DocumentRecord]:
        """One page of the documents that match a filter, in the order in which they were added."""
        return self.later(lambda: self.index.documents(where, cursor=cursor, limit=limit)).result()

    def documents(self, where: Filter | None = None) -> list[DocumentRecord]:
        """All documents, or those that match a filter."""
        return self.later(lambda: list(every_document(self.index.engine, where))).result()

    def named(self, name: str) -> DocumentRecord:
        """The document with that id, or the only one whose id or title contains it."""
        try:
            return self.later(lambda: self.index.record(name)).result()
        except UnicodeEncodeError:  # half of a surrogate pair, which no name contains
            raise _no_document(name) from None

    def document(self, document_id: str) -> DocumentRecord:
        """The document with exactly that id."""
        record = self.later(lambda: self.index.engine.record(document_id)).result()
        if record is None:
            raise _no_document(document_id)
        return record

    def loaded(self, document_id: str) -> LoadedDocument:
        """A document with its text and units."""
        known = self.document(document_id).id
        return self.later(lambda: self.index.loaded(known)).result()

    def outline(self, document_id: str) -> list[dict[str, object]]:
        """The headings: their level, their text, and the offset of the text under them."""
        known = self.document(document_id).id
        found = self.later(lambda: self.index.outline(known)).result()
        return [{"level": level, "heading": heading, "start": start} for level, heading, start in found]

    def excerpt(self, document_id: str, start: int | None = None, end: int | None = None, around: int = 0) -> Excerpt:
        """A range of a document's text, with `around` characters of context on each side."""
        document, units = self.loaded(document_id)
        first, last = checked_range(start, end, len(document.text))
        unit = int(units.ends.searchsorted(first, side="right")) if len(units) else 0
        headings = units.context(unit).heading_path if unit < len(units) else ()
        hit = Hit.of(document, (first, last), headings, 0.0, 1, {})
        before, behind = document.text[max(0, first - around) : first], document.text[last : last + around]
        return Excerpt(document, hit, before, behind)

    def page_image(self, document_id: str, page: int, start: int | None = None, end: int | None = None) -> bytes:
        """A page of a PDF file as PNG, with a range of the text highlighted."""
        document = self.loaded(document_id).document
        marked = []
        if start is not None and end is not None:
            marked = [checked_range(start, end, len(document.text))]
        try:
            path = self.later(lambda: self.index.original(document.id)).result()
        except DataError as error:
            raise NotFound(str(error)) from None
        if not self._drawings.acquire(timeout=DRAWING_SECONDS):
            raise Busy("other pages are being drawn; try again in a moment", retry_after=2)
        try:
            limits = self.settings
            return page_image(document, path, page, marked, limits.file_seconds, limits.file_memory_bytes)
        except UndrawablePageError as error:
            raise NotFound(str(error)) from None
        finally:
            self._drawings.release()

    def unsearchable(self) -> list[Unsearchable]:
        """Files that could not be read, and why. Paths on this machine are left out."""

        def work() -> list[Unsearchable]:
            return [
                Unsearchable(f"{file.root}/{file.path}".rstrip("/"), _from(file.path or file.root, failure))
                for file, failure in self.index.failures()
            ]

        return self.later(work).result()

    # Comparing

    def compare(
        self, question: str, where: Filter | None = None, progress: Progress | None = None
    ) -> list[ComparisonRow]:
        """One question asked of many documents: a row for each."""
        query = checked_question(question, self.settings)
        names = where.documents if where else ()
        ids = {self.named(name).id for name in names}
        rest = replace(where, documents=()) if where else None
        records = [record for record in self.documents(rest or None) if not ids or record.id in ids]
        if len(records) > self.settings.compared:
            raise Invalid(f"{len(records)} documents are too many to compare; choose at most {self.settings.compared}")
        if not self._comparisons.acquire(blocking=False):
            raise Busy("other comparisons are in progress; try again in a moment", retry_after=10)
        try:
            rows: list[ComparisonRow] = []
            each = self.index.compare_each(query, records)
            for at in range(1, len(records) + 1):  # one at a time, so that other requests are answered in between
                rows.append(self.later(lambda: next(each)).result())
                if progress:
                    progress(at, len(records))
            return rows
        finally:
            self._comparisons.release()

    # Changing

    def add(self, files: Sequence[tuple[str, bytes]], *, replace: bool = False) -> list[Uploaded]:
        """Stores files and makes them searchable: by words when this returns, by meaning soon after."""
        settings = self.settings
        if not files:
            raise Invalid("no file was sent")
        if len(files) > settings.upload_files:
            raise TooLarge(f"{len(files)} files are too many; send at most {settings.upload_files} at once")
        for name, data in files:
            if len(data) > settings.file_bytes:
                raise TooLarge(f"{name}: has {len(data):,} bytes; the limit is {settings.file_bytes:,}")

        def work(index: Index) -> list[Uploaded]:
            return [uploads.store(index, name, data, settings, replace=replace) for name, data in files]

        done = self.writer.submit(work).result()
        if any(uploaded.status != "same" for uploaded in done):  # a failed replacement loses its vectors, too
            self._embed_later()
        return done

    def correct(self, document_id: str, correction: Correction) -> DocumentRecord:
        """Corrects what was found in a document."""

        def work(index: Index) -> DocumentRecord:
            if index.engine.record(document_id) is None:
                raise _no_document(document_id)
            return index.correct(document_id, correction)

        return self.writer.submit(work).result()

    def remove(self, document_ids: Sequence[str]) -> int:
        """Removes documents by their ids. Uploaded files are deleted with them."""

        def work(index: Index) -> int:
            for name in document_ids:
                if index.engine.record(name) is None:
                    raise _no_document(name)
            count = index.remove(*document_ids)
            index.tidy()
            return count

        return self.writer.submit(work).result()

    def _embed_later(self) -> None:
        """Queues the embedding of documents that have no vectors."""
        if self.writer.closed:
            return
        with suppress(Busy):  # the changes that are waiting queue it again
            self.writer.submit(self._embed)

    def _embed(self, index: Index) -> None:
        before = index.engine.missing_units()
        try:
            index.embed(progress=self._interrupt)
            self._interruptions = 0
        except _Interrupted:
            progressed = index.engine.missing_units() != before
            self._interruptions = 0 if progressed else self._interruptions + 1
            self._embed_later()
        except PinciteError as error:
            log.warning("cannot embed documents: %s", error)

    def _interrupt(self, _: int, __: int) -> None:
        """Interrupts embedding when the server stops, and for other changes: these only a few times in a row,
        because the current batch is lost."""
        if self.writer.closed or (self.writer.wanted and self._interruptions < MOST_INTERRUPTIONS):
            raise _Interrupted

    def status(self) -> dict[str, object]:
        """What the collection contains."""

        def work() -> dict[str, object]:
            with self.index.engine.view() as view:
                statistics, generation = view.statistics, view.generation
            return {
                "name": self.name,
                "documents": statistics.documents,
                "passages": statistics.units,
                "with_vectors": statistics.with_vectors,
                "encoder": self.index.engine.configuration.encoder or None,
                "generation": generation,
            }

        return self.later(work).result()


def _no_document(name: str) -> NotFound:
    return NotFound(f"no document {name[:200]!r} in the collection; it may have been removed")


def _from(name: str, said: str) -> str:
    """The message from the name of the file on, without the folders before it."""
    return said[max(0, said.find(name)) :]
