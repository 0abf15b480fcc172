"""The backend: one index and everything that can be done with it. Web pages, REST and MCP only translate."""

from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Future
from copy import copy
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import BoundedSemaphore, Event
from typing import TypeVar

from pincite.compare import ComparisonRow, found_first
from pincite.compare.page_images import UndrawablePageError, page_image
from pincite.engine.records import TEXTS, DocumentRecord, File, Page, matter_of
from pincite.errors import DataError, UsageError
from pincite.index import Index
from pincite.index.backup import Backup
from pincite.index.corrections import Correction, checked_value
from pincite.index.jobs import Job
from pincite.index.listing import outline
from pincite.index.remarks import remarks
from pincite.index.uploads import FOLDER as UPLOADS
from pincite.models import Progress
from pincite.search import Answer, SearchRequest
from pincite.serve.auth import LOCAL, SCOPES, Who
from pincite.serve.errors import Busy, Conflict, Forbidden, Invalid, NotFound, TooLarge
from pincite.serve.ingestion import Ingestion, JobProgress
from pincite.serve.row_stream import RowStream
from pincite.serve.search_threads import SearchThreads
from pincite.serve.settings import Settings
from pincite.serve.uploads import Uploaded, matter_path
from pincite.serve.validation import checked_question, checked_range, checked_request
from pincite.serve.writer_thread import WriterThread
from pincite.text import Document, Filter, Hit
from pincite.text.conditions import MATTER
from pincite.text.units import LoadedDocument

T = TypeVar("T")
Check = Callable[[DocumentRecord], None]
"""Raises an error if a document must not be changed as it is."""
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


class Backend:
    """Every method can be called from any thread and waits for its result; `ask` and `later` return a future.

    `seen_by` gives a caller the same collection without the documents of matters that are none of theirs.
    """

    who: Who = LOCAL
    """The caller."""

    def __init__(self, location: str | Path, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.index = Index.open(location, read_only=True, model_threads=1)
        self.name = self.index.name
        self._loaded = Event()
        self.threads = SearchThreads(self.index, self.settings.threads, self.settings.waiting)
        self.writer = WriterThread(str(location), self.settings.writing)
        self.ingestion = Ingestion(str(location), self.settings, self.index, self.writer)
        self._comparisons = BoundedSemaphore(self.settings.threads)
        self._drawings = BoundedSemaphore(self.settings.threads)
        waiting = (self.index.engine.record(missing.id) for missing in self.index.engine.without_vectors())
        uploaded = any(record and record.root == UPLOADS for record in waiting)
        unfinished = uploaded or self.index.is_renewing or self.index.has_former_vectors
        self.ingestion.resume(embed=unfinished)  # an earlier server was stopped, or was of an earlier version

    def seen_by(self, who: Who) -> "Backend":
        """The same collection, as far as a caller may see it."""
        seen = copy(self)
        seen.who = who
        return seen

    @property
    def visible(self) -> Filter | None:
        """The documents that exist for the caller; None where all do."""
        return self.who.visible

    def close(self) -> None:
        """Waits until every request is answered and every change is on disk."""
        self.ingestion.close()
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
        return self.threads.ask(checked_request(request, self.settings), self.visible)

    def search(self, request: SearchRequest) -> Answer:
        return self.ask(request).result()

    @property
    def is_loaded(self) -> bool:
        """Whether the models of the default method are loaded."""
        return self._loaded.is_set()

    def load_models(self) -> None:
        self.index.load_models()
        self._loaded.set()

    # Documents

    def page(self, where: Filter | None, cursor: str, limit: int) -> Page[DocumentRecord]:
        """One page of the documents that match a filter, in the order in which they were added."""
        if self.visible is None:
            return self.later(lambda: self.index.documents(where, cursor=cursor, limit=limit)).result()
        entries, first = self.documents(where), int(cursor or 0)  # counts what is seen: the index counts everything
        last = first + limit
        return Page(entries[first:last], str(last) if last < len(entries) else "")

    def documents(self, where: Filter | None = None) -> list[DocumentRecord]:
        """All documents, or those that match a filter."""
        visible = self.visible
        return self.later(lambda: list(self.index.every_document(where, visible=visible))).result()

    def matters(self) -> dict[str, int]:
        """The matters that the caller may see, with their numbers of documents: those that were granted, or all that
        the collection has."""
        counts = Counter({grant.matter: 0 for grant in self.who.matters})
        counts.update(record.matter for record in self.documents())
        return dict(sorted(counts.items()))

    @property
    def generation(self) -> int | None:
        """Counts the changes of the collection; None for who sees some matters alone: the changes of others are none of
        their business."""
        return self.index.engine.generation if self.visible is None else None

    def facets(self, keys: Sequence[str], where: Mapping[str, object] | None, most: int) -> dict[str, dict[str, int]]:
        """How many documents have each value of some keys, the most frequent first."""
        visible = self.visible
        return self.later(lambda: self.index.facets(*keys, where=where, most=most, visible=visible)).result()

    def named(self, name: str) -> DocumentRecord:
        """The document with that id, or the only one whose id or title contains it."""
        try:
            return self.later(lambda: self.index.record(name, visible=self.visible)).result()
        except UnicodeEncodeError:  # half of a surrogate pair, which no name contains
            raise _no_document(name) from None

    def document(self, document_id: str) -> DocumentRecord:
        """The document with exactly that id."""
        record = self.later(lambda: self.index.seen(document_id, self.visible)).result()
        if record is None:
            raise _no_document(document_id)
        return record

    def loaded(self, document_id: str) -> LoadedDocument:
        """A document with its text and units."""
        known = self.document(document_id).id
        return self.later(lambda: self.index.loaded_exactly(known)).result()

    def outline(self, document_id: str) -> list[dict[str, object]]:
        """The headings: their level, their text, and the offset of the text under them."""
        found = outline(self.loaded(document_id))
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
        record, document = self.document(document_id), self.loaded(document_id).document
        marked = []
        if start is not None and end is not None:
            marked = [checked_range(start, end, len(document.text))]
        if not self._drawings.acquire(timeout=DRAWING_SECONDS):
            raise Busy("other pages are being drawn; try again in a moment", retry_after=2)
        try:
            limits = self.settings
            with self.index.original_at_hand(record) as path:
                return page_image(document, path, page, marked, limits.file_seconds, limits.file_memory_bytes)
        except (UndrawablePageError, DataError) as error:
            raise NotFound(str(error)) from None
        finally:
            self._drawings.release()

    def unsearchable(self) -> list[Unsearchable]:
        """Files that could not be read, and why. Paths on this machine are left out. A file that gave no document
        belongs to no matter: who sees some matters alone does not see it."""

        def work() -> list[Unsearchable]:
            return [
                Unsearchable(f"{file.root}/{file.path}".rstrip("/"), _from(file.path or file.root, failure))
                for file, failure in self.index.failures()
                if self.visible is None or self._sees(file)
            ]

        return self.later(work).result()

    def remarks(self, records: Sequence[DocumentRecord]) -> list[dict[str, object]]:
        """What else is known of documents. Notes on a file are for those who see all of its documents."""

        def work() -> list[dict[str, object]]:
            engine = self.index.engine
            found = []
            for record in records:
                file = engine.file(record.root, record.path)
                whole = self.visible is None or (file is not None and self._sees(file))
                found.append({**remarks(engine, record), **({} if whole else {"notes": []})})
            return found

        return self.later(work).result()

    def _sees(self, file: File) -> bool:
        """Whether all documents that a file gave may be seen."""
        records, visible = self.index.engine.records_of(file.root, file.path), self.visible
        return bool(records) and all(visible is None or visible.fits(one.id, one.described) for one in records)

    # Comparing

    def compare(
        self, question: str, where: Filter | None = None, progress: Progress | None = None
    ) -> list[ComparisonRow]:
        """One question asked of many documents: a row for each, those in which nothing was found last."""
        records, each = self.compare_each(question, where)
        rows: list[ComparisonRow] = []
        for row in each:
            rows.append(row)
            if progress:
                progress(len(rows), len(records))
        if each.error:
            raise each.error
        return found_first(rows)

    def compare_each(
        self, question: str, where: Filter | None = None
    ) -> tuple[Sequence[DocumentRecord], RowStream[ComparisonRow]]:
        """The documents that a question is asked of, and a row for each, as it is found. What is wrong with the
        question is said before anything is looked for."""
        query = checked_question(question, self.settings)
        names = where.documents if where else ()
        ids = {self.named(name).id for name in names}
        rest = replace(where, documents=()) if where else None
        records = [record for record in self.documents(rest or None) if not ids or record.id in ids]
        if len(records) > self.settings.compared:
            raise Invalid(f"{len(records)} documents are too many to compare; choose at most {self.settings.compared}")
        if not self._comparisons.acquire(blocking=False):
            raise Busy("other comparisons are in progress; try again in a moment", retry_after=10)
        rows = self._compared(query, records)
        next(rows)
        return records, RowStream(rows)

    def _compared(self, query: str, records: Sequence[DocumentRecord]) -> Generator[ComparisonRow]:
        """The rows, behind one that says that the comparison has begun: from then on it gives its place back when it is
        closed."""
        try:
            yield ComparisonRow("", "", None, None)
            each = self.index.compare_each(query, records, visible=self.visible)
            for _ in records:  # one at a time, so that other requests are answered in between
                yield self.later(lambda: next(each)).result()
        finally:
            self._comparisons.release()

    # Changing

    def receive(
        self,
        files: Sequence[tuple[str, bytes]],
        *,
        who: str = "",
        replace: bool = False,
        metadata: Mapping[str, str] | None = None,
    ) -> Job:
        """Stores files as a job that waits to be read. They are on disk when this returns."""
        said = self.upload_metadata(metadata or {})
        settings = self.settings
        if not files:
            raise Invalid("no file was sent")
        if len(files) > settings.upload_files:
            raise TooLarge(f"{len(files)} files are too many; send at most {settings.upload_files} at once")
        for name, data in files:
            if len(data) > settings.file_bytes:
                raise TooLarge(f"{name}: has {len(data):,} bytes; the limit is {settings.file_bytes:,}")
        return self.ingestion.receive(files, who, replace=replace, metadata=said)

    def finished(self, job: Job) -> list[Uploaded]:
        """Waits until a job is done: its files are searchable by words then, and by meaning soon after."""
        done = self.ingestion.done(job).result()
        return [Uploaded.of(file.name, file.result) for file in done.files if file.result]

    def add(self, files: Sequence[tuple[str, bytes]], *, replace: bool = False) -> list[Uploaded]:
        """Stores files and waits until they are searchable."""
        return self.finished(self.receive(files, replace=replace))

    def job(self, job_id: str, who: Who) -> JobProgress:
        """A job that the caller may see: one of their own, or any with the scope admin."""
        found = self.ingestion.job(job_id)
        if not self._may_see(found.job, who):
            raise NotFound(f"no job {job_id[:100]!r}; jobs are forgotten some days after they are done")
        return found

    def jobs(self, who: Who) -> list[JobProgress]:
        """The jobs that the caller may see, the latest first."""
        return [progress for progress in self.ingestion.jobs() if self._may_see(progress.job, who)]

    def cancel(self, job_id: str, who: Who) -> JobProgress:
        """Cancels what of a job is not stored yet."""
        return self.ingestion.cancel(self.job(job_id, who).job.id)

    def _may_see(self, job: Job, who: Who) -> bool:
        mine = job.who == who.name and (who.visible is None or job.matter in who.visible.matters)
        return mine or who.may("admin", self.name)

    def upload_metadata(self, metadata: Mapping[str, str]) -> dict[str, str]:
        """What is said of new documents, with their matter: the one that is named, or the only one open to the
        caller."""
        said = {key: checked_value(key, value) for key, value in metadata.items()}
        writable = sorted(grant.matter for grant in self.who.matters if self.who.may_write_in(grant.matter))
        if not said.get(MATTER) and len(writable) == 1:
            said[MATTER] = writable[0]
        if not said.get(MATTER) and self.who.matters:
            raise Invalid(f"name the matter that this belongs to: {', '.join(writable) or 'you may write in none'}")
        self._check_write(said.get(MATTER, ""))
        return said

    def _check_write(self, matter: str) -> None:
        if not self.who.may_write_in(matter):
            raise Forbidden(f"{self.who.name} may not write in the matter {matter[:100]!r}")

    def add_texts(self, texts: Sequence[tuple[Document, Mapping[str, str]]], *, overwrite: bool = False) -> list[str]:
        """Stores texts under their ids; says for each what was wrong, "" where nothing was. Ids of a caller who sees
        some matters alone begin with the matter: which ids another matter has is nobody's business."""
        texts = [(document, self.upload_metadata(metadata)) for document, metadata in texts]
        for document, said in texts if self.who.matters else ():
            first = f"{TEXTS}/{matter_path('', said[MATTER])}"
            if not document.id.startswith(first):
                raise Invalid(f"{document.id[:100]!r}: ids of texts in this matter begin with {first!r}")

        def work(index: Index) -> list[str]:
            return [
                _added(index, document, said, overwrite=overwrite and self._may_replace(index, document.id))
                for document, said in texts
            ]

        done = self.writer.submit(work).result()
        if not all(done):
            self.ingestion.resume(embed=True)
        return done

    def _may_replace(self, index: Index, document_id: str) -> bool:
        record = index.engine.record(document_id)
        return record is None or self.who.may_write_in(record.matter)

    def backup(self) -> Backup:
        """Copies the index into a new folder below that of the settings, named after the collection and the time."""
        if self.visible is not None:
            raise Forbidden("a backup holds all matters, but the key is limited to some")
        if not self.settings.backups:
            raise Conflict('the server has no folder for backups; name one in its settings: backups = "/path"')
        to = Path(self.settings.backups) / f"{self.name}-{datetime.now(UTC):%Y-%m-%dT%H-%M-%S.%f}"
        return self.writer.submit(lambda index: index.backup(to)).result()

    def correct(self, document_id: str, correction: Correction, check: Check | None = None) -> DocumentRecord:
        """Corrects what was found in a document. `check` may refuse it as it is when its turn comes. Who moves it to
        another matter must be allowed to write in both."""

        def work(index: Index) -> DocumentRecord:
            with index.engine.lease():  # nobody changes it between the check and the correction
                record = self._writable(index, document_id, check)
                if MATTER in correction.values:
                    moved = {MATTER: checked_value(MATTER, correction.values[MATTER])}
                    self._check_write(matter_of(moved, record.root))
                return index.correct(document_id, correction)

        return self.writer.submit(work).result()

    def remove(self, document_ids: Sequence[str], check: Check | None = None) -> int:
        """Removes documents by their ids. Uploaded files are deleted with them. `check` may refuse each."""

        def work(index: Index) -> int:
            with index.engine.lease():
                for name in document_ids:
                    self._writable(index, name, check)
                count = index.remove(*document_ids)
            index.tidy()
            return count

        return self.writer.submit(work).result()

    def _writable(self, index: Index, document_id: str, check: Check | None) -> DocumentRecord:
        """A document that the caller may change."""
        record = index.seen(document_id, self.visible)
        if record is None:
            raise _no_document(document_id)
        self._check_write(record.matter)
        if check is not None:
            check(record)
        return record

    def status(self) -> dict[str, object]:
        """What the collection contains."""

        def work() -> dict[str, object]:
            with self.index.engine.view(self.visible) as view:
                statistics, generation = view.statistics, view.generation
            return {
                "name": self.name,
                "right": next((scope for scope in reversed(SCOPES) if self.who.may(scope, self.name)), "read"),
                "documents": statistics.documents,
                "passages": statistics.units,
                "with_vectors": statistics.with_vectors,
                "encoder": self.index.engine.configuration.encoder or None,
                "generation": generation if self.visible is None else None,
            }

        return self.later(work).result()


def _no_document(name: str) -> NotFound:
    return NotFound(f"no document {name[:200]!r} in the collection; it may have been removed")


def _from(name: str, said: str) -> str:
    """The message from the name of the file on, without the folders before it."""
    return said[max(0, said.find(name)) :]


def _added(index: Index, document: Document, metadata: Mapping[str, str], *, overwrite: bool) -> str:
    try:
        index.add_text(
            document.id, document.text, title=document.title, metadata=metadata, overwrite=overwrite, vectors="later"
        )
    except UsageError as error:
        return str(error).replace("pass overwrite=True", "send `overwrite`")
    return ""
