"""`Index`, the front door: a collection of documents that is added to, changed and searched."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from pincite.compare.comparison import ComparisonRow, compared, found_first
from pincite.engine.configuration import Configuration
from pincite.engine.contract import (
    EMBEDDER,
    WRITER,
    CandidateView,
    Capabilities,
    Engine,
    every_document,
    every_file,
    every_root,
)
from pincite.engine.embedding import check_encoder, embed, embed_share
from pincite.engine.memory import MemoryEngine
from pincite.engine.records import CheckReport, DocumentRecord, File, Page, matter_of
from pincite.errors import DamagedDocumentError, DataError, ModelError, OutputError, UsageError, one_of
from pincite.index import ingest
from pincite.index.backup import Backup, backup, backup_cluster, restore, verified
from pincite.index.corrections import Correction
from pincite.index.duplicates import settle_duplicates
from pincite.index.embedded import EmbeddedEngine
from pincite.index.embedded.database import DATABASE
from pincite.index.facets import counted_values
from pincite.index.ingest import IngestOptions, IngestReport, SyncPlan
from pincite.index.jobs import forget_jobs_of, incoming_faults
from pincite.index.listing import Heading, exported, outline
from pincite.index.metadata import Metadata
from pincite.index.names import resolve, seen_record, similar
from pincite.index.opensearch.location import SCHEMES, is_cluster
from pincite.index.plain_methods import search_plainly
from pincite.index.prepare import Preparation, described_again
from pincite.index.remembered_answers import forget_old_answers
from pincite.index.upgrade import UpgradeReport, is_earlier, upgrade
from pincite.index.upgrade_plan import UpgradePlan, plan_upgrade
from pincite.index.uploads import FOLDER, OURS, delete_uploads, upload_faults
from pincite.models import Encoder
from pincite.models.minilm import NAME as MINILM
from pincite.models.shipped import ENCODER, SHIPPED
from pincite.pipeline import Method, ModelCache
from pincite.pipeline import method as method_named
from pincite.search import Answer, Question, SearchRequest, SpanConfig, search
from pincite.search.request import NO_ENCODER
from pincite.segment import segmenter
from pincite.text import Document, Filter
from pincite.text.units import LoadedDocument

if TYPE_CHECKING:
    from pincite.cases.similar import SimilarAnswer, SimilarCases
    from pincite.index.opensearch import OpenSearchEngine

IN_MEMORY = ":memory:"
"""The location of an index that is kept in memory alone."""
VECTORS = ("now", "later", "none")
"""When new documents are embedded: before the call returns, by a later `embed`, or never."""

RENEWAL = ("vectors", "renewal")
"""The record that says with which encoder all vectors are being made again."""
FORMER_VECTORS = (
    "the vectors of this index come from the encoder of an earlier version: they are left out, words and the re-ranker "
    "answer; 'pincite index embed' renews them"
)

OTHERS_EMBED = (
    "another process is embedding and goes on with these documents; if it stops, 'pincite index embed' continues"
)

Where = Filter | Mapping[str, object] | None
StageProgress = Callable[[str, int, int], None]
"""Is told (what, done, all) as long work goes on: what is "reading" or "embedding"."""


class Index:
    """A collection of documents. It may be shared between threads, and by any number of processes.

    >>> index = Index.create(":memory:")
    >>> index.add_text("quay", "LEASE\\n\\nThe rent is due monthly. The tenant shall not keep pets.", vectors="none")
    >>> hit = index.search("May the tenant keep pets?", k=1)[0]
    >>> hit.text == index.document("quay").text[hit.start : hit.end]
    True
    """

    def __init__(self, engine: Engine, models: ModelCache | None = None) -> None:
        self.engine = engine
        self._models = models or ModelCache()

    # Opening and closing

    @classmethod
    def create(cls, location: str | Path, *, language: str = "english") -> "Index":
        """A new, empty index: a folder, by custom named NAME.pincite, ":memory:", or opensearch://HOST:PORT/NAME."""
        if str(location) == IN_MEMORY:
            return cls(MemoryEngine())
        if is_cluster(location):
            _cluster_engine().create(str(location), language)
        else:
            EmbeddedEngine.create(_folder(location), language)
        return cls.open(location)

    @classmethod
    def open(
        cls, location: str | Path, *, read_only: bool = False, wait: float = 10.0, model_threads: int = 0
    ) -> "Index":
        """An index that is there. A change waits `wait` seconds for another writer; a model uses `model_threads`
        threads, 0 for all cores."""
        if str(location) == IN_MEMORY:
            raise UsageError("an index in memory ends with its process and cannot be opened again; create a new one")
        models = ModelCache(model_threads)
        if is_cluster(location):
            return cls(_cluster_engine()(str(location), write=not read_only, wait=wait), models)
        return cls(EmbeddedEngine(_folder(location), write=not read_only, wait=wait), models)

    @staticmethod
    def exists(location: str | Path) -> bool:
        """Whether there is an index."""
        if is_cluster(location):
            return _cluster_engine().exists(str(location))
        return (_folder(location) / DATABASE).exists()

    def close(self) -> None:
        """Lets go of files and locks."""
        self.engine.close()

    def __enter__(self) -> "Index":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Index({self.engine.location!r})"

    @property
    def location(self) -> str:
        return self.engine.location

    @property
    def name(self) -> str:
        """What the collection is called: the last part of its location."""
        return Path(self.location).resolve().name.removesuffix(".pincite") or "documents"

    @property
    def capabilities(self) -> Capabilities:
        return self.engine.capabilities

    # Searching

    def search(
        self,
        query: str,
        k: int = 10,
        *,
        where: Where = None,
        method: str = "default",
        granularity: str = "sentence",
        fast: bool = False,
    ) -> Answer:
        """The passages that answer a question, best first.

        `where` narrows the documents: {"kind": "lease", "party": "Acme", "document": "quay", "after": "2020-01-01"}.
        `fast` leaves the re-ranker out. Several questions are answered faster together, by `search_many`.
        """
        return self.answer([self._request(query, k, where, method, granularity, fast)])[0]

    def search_many(
        self,
        queries: Iterable[str],
        k: int = 10,
        *,
        where: Where = None,
        method: str = "default",
        granularity: str = "sentence",
        fast: bool = False,
    ) -> list[Answer]:
        """`search` for several questions, all from one state of the collection."""
        return self.answer([self._request(query, k, where, method, granularity, fast) for query in queries])

    async def asearch(
        self,
        query: str,
        k: int = 10,
        *,
        where: Where = None,
        method: str = "default",
        granularity: str = "sentence",
        fast: bool = False,
    ) -> Answer:
        """`search` without blocking the event loop."""
        asked = partial(self.search, where=where, method=method, granularity=granularity, fast=fast)
        return await asyncio.to_thread(asked, query, k)

    @staticmethod
    def _request(query: str, k: int, where: Where, method: str, granularity: str, fast: bool) -> SearchRequest:
        return SearchRequest(query, k, Filter.of(where), granularity, method, fast=fast)

    def answer(
        self,
        requests: Sequence[SearchRequest],
        *,
        visible: Filter | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> list[Answer]:
        """An answer for each request. Documents that `visible` does not admit do not exist for them."""
        answers: dict[int, Answer] = {}
        groups: dict[tuple[str, str, str], list[int]] = {}
        for at, request in enumerate(requests):
            groups.setdefault((request.method, request.fusion, request.encoder), []).append(at)
        with self.engine.view(visible) as view:
            for places in groups.values():
                chosen = [self._resolved(requests[at], view.configuration, visible) for at in places]
                answers.update(zip(places, self._answered(view, chosen, visible, progress), strict=True))
        return [answers[at] for at in range(len(requests))]

    def _answered(
        self,
        view: CandidateView,
        chosen: "Sequence[_Resolved]",
        visible: Filter | None,
        progress: Callable[[int, int], None] | None,
    ) -> list[Answer]:
        questions, method, encoder = [one.question for one in chosen], chosen[0].method, chosen[0].encoder
        if method.plain:
            return search_plainly(self.engine, questions, method, encoder, progress, visible)
        if encoder is not None:
            check_encoder(view.configuration, encoder, self.location)
        answers = search(view, questions, encoder)
        note = chosen[0].note
        return [replace(answer, notes=(note, *answer.notes)) for answer in answers] if note else answers

    def _resolved(
        self, request: SearchRequest, configuration: Configuration, visible: Filter | None = None
    ) -> "_Resolved":
        """A request with its method, models and documents."""
        method = method_named(request.method, request.fusion)
        if request.reranker and method.rerank is None:
            raise UsageError(f"another re-ranker goes with a method that re-ranks, not with {request.method}")
        if request.reranker and request.fusion:
            raise UsageError("the scores of another re-ranker are fused by their ranks; leave the fusion out")
        if method.plain and (request.weights or request.granularity != "sentence"):
            raise UsageError(f"weights and granularity go with the context methods, not with {request.method}")
        if method.needs_encoder and request.encoder == NO_ENCODER:
            raise UsageError(f"the method {request.method} needs an encoder; 'none' goes with context, bm25, tfidf")
        rerank = None if request.fast else self._models.rerank(method, request.reranker)
        encoder, note = self._encoder(method, request.encoder, configuration)
        question = Question(
            request.query,
            request.k,
            self._where(request.where, visible),
            SpanConfig(request.granularity),
            request.context(method.context),
            request.encoder != NO_ENCODER and note != FORMER_VECTORS,
            rerank,
            request.operators,
        )
        return _Resolved(question, method, encoder, note)

    def _where(self, where: Filter | None, visible: Filter | None = None) -> Filter | None:
        """The filter with the ids of the documents that it names."""
        if not where:
            return None
        return replace(where, documents=tuple(resolve(self.engine, name, visible).id for name in where.documents))

    def _encoder(self, method: Method, asked: str, configuration: Configuration) -> tuple[Encoder | None, str]:
        """The encoder that reads questions, and a note on it. Vectors of an index are read with the encoder that made
        them; where that is not installed, the dense parts are left out."""
        own = configuration.encoder
        name = asked or (method.encoder if method.plain else own)
        if name in ("", NO_ENCODER):
            return None, ""
        note = ""
        if not method.plain and own and method.name.partition(":")[0] == "context" and not own.startswith(MINILM):
            note = f"the vectors of this index are those of {own}, not of {MINILM}"
        if not method.plain and not asked and self._has_former_vectors(configuration):
            return None, FORMER_VECTORS
        try:
            return self._models.encoder(name), note
        except (ModelError, UsageError):
            if method.needs_encoder or asked:
                raise
            return None, note

    @property
    def has_former_vectors(self) -> bool:
        """Whether the vectors were made by the encoder of an earlier version; `embed` renews them."""
        return self._has_former_vectors(self.engine.configuration)

    def _has_former_vectors(self, configuration: Configuration) -> bool:
        shipped = SHIPPED.get(configuration.encoder)
        if shipped is None or not configuration.encoder_sha256:
            return False
        try:
            return self._models.encoder(shipped.name).sha256 != configuration.encoder_sha256
        except (ModelError, UsageError):
            return False

    def load_models(self) -> None:
        """Loads what the default method needs, so that the first question does not wait for it."""
        self._resolved(SearchRequest("", method="default"), self.engine.configuration)

    def compare(
        self,
        question: str,
        *,
        where: Where = None,
        fast: bool = False,
        visible: Filter | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> list[ComparisonRow]:
        """One question over many documents: a row each, in the order in which the documents were added; those in which
        nothing was found come last."""
        rows = []
        filtered = self._where(Filter.of(where), visible)
        records = list(every_document(self.engine, filtered, visible))
        for row in self.compare_each(question, records, fast=fast, visible=visible):
            rows.append(row)
            if progress:
                progress(len(rows), len(records))
        return found_first(rows)

    def compare_each(
        self, question: str, records: Iterable[DocumentRecord], *, fast: bool = False, visible: Filter | None = None
    ) -> Iterator[ComparisonRow]:
        """The rows of a comparison, as they are found."""
        resolved = self._resolved(SearchRequest(question, 1, fast=fast), self.engine.configuration)
        return compared(self.engine, resolved.question, records, resolved.encoder, visible)

    def similar_cases(
        self,
        case: str | Document,
        k: int = 10,
        where: Where = None,
        *,
        later: bool = False,
        date: str = "",
        visible: Filter | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> "SimilarAnswer":
        """The `k` cases most like a judgment: its text, or `index.document(name)` for one of the index. Each has the
        two stretches that match best, what both cite, and why it was found. Cases that were decided after it are left
        out unless `later`; its date is `date`, or what its text says. Needs the extra `cases`."""
        return self._cases.like(case, k, where, later=later, date=date, visible=visible, progress=progress)

    @cached_property
    def _cases(self) -> "SimilarCases":
        """What was read of the cases stays until the collection changes."""
        from pincite.cases.similar import SimilarCases

        return SimilarCases(self)

    # Documents

    def documents(
        self, where: Where = None, *, cursor: str = "", limit: int = 100, visible: Filter | None = None
    ) -> Page[DocumentRecord]:
        """A page of documents in the order in which they were added; its `next` is the cursor of the one after."""
        if limit < 1:
            raise UsageError(f"limit must be at least 1, not {limit}")
        if cursor and not cursor.isdecimal():
            raise UsageError("invalid cursor: use `next` of the previous page")
        return self.engine.documents(self._where(Filter.of(where), visible), visible, cursor=cursor, limit=limit)

    def every_document(self, where: Where = None, *, visible: Filter | None = None) -> Iterator[DocumentRecord]:
        """All documents, or those that match a filter, in the order in which they were added."""
        return every_document(self.engine, self._where(Filter.of(where), visible), visible)

    def facets(
        self, *keys: str, where: Where = None, most: int = 100, visible: Filter | None = None
    ) -> dict[str, dict[str, int]]:
        """How many documents have each value of these keys, the most frequent first; of all keys where none is named.
        A document with several parties counts under each."""
        return counted_values(self.every_document(where, visible=visible), keys, most)

    def __iter__(self) -> Iterator[DocumentRecord]:
        return self.every_document()

    def __len__(self) -> int:
        with self.engine.view() as view:
            return view.document_count

    def record(self, name: str, *, visible: Filter | None = None) -> DocumentRecord:
        """What is known of a document: by its id, or by a part of its id or title that only one has."""
        return resolve(self.engine, name, visible)

    def seen(self, document_id: str, visible: Filter | None) -> DocumentRecord | None:
        """The document with exactly that id, if `visible` admits it."""
        return seen_record(self.engine, document_id, visible)

    def loaded(self, name: str) -> LoadedDocument:
        """A document with its text and units."""
        return self.loaded_exactly(resolve(self.engine, name).id)

    def loaded_exactly(self, document_id: str) -> LoadedDocument:
        """The document with exactly that id: where it is gone meanwhile, no other one takes its place."""
        return self.engine.load([document_id])[0]

    def document(self, name: str) -> Document:
        """A document with its text, its metadata and the map back to its source."""
        return self.loaded(name).document

    def outline(self, name: str) -> list[Heading]:
        """The headings of a document."""
        return outline(self.loaded(name))

    def original(self, name: str) -> Path:
        """Where the file of a document lies; an error where it is gone, has changed, or holds several documents."""
        return self.original_of(resolve(self.engine, name))

    def original_of(self, record: DocumentRecord) -> Path:
        """The same for a document that is known already."""
        root = next((root for root in every_root(self.engine) if root.name == record.root), None)
        file = self.engine.file(record.root, record.path)
        if root is None or file is None or not root.path:
            raise DataError(f"{record.id}: has no file")
        path = Path(root.path) / record.path if record.path else Path(root.path)
        if record.id != "/".join(part for part in (record.root, record.path) if part):
            raise DataError(f"{record.id}: is part of the file {record.path}")
        if not ingest.is_same(path, file):
            raise DataError(f"{record.id}: the file is gone or has changed since it was read; add it again")
        return path

    @contextmanager
    def original_at_hand(self, record: DocumentRecord) -> Iterator[Path]:
        """Where the file of a document can be read within the block, wherever the index lives."""
        if record.root != FOLDER or self.engine.stored_record(*OURS) is None:
            yield self.original_of(record)
            return
        if record.id != f"{record.root}/{record.path}":
            raise DataError(f"{record.id}: is part of the file {record.path}")
        file, name = self.engine.file(record.root, record.path), f"{FOLDER}/{record.path}"
        with self.engine.originals.at_hand(name) as path:
            if path is None or file is None or self.engine.originals.digest(name) != file.sha256:
                raise DataError(f"{record.id}: the file is gone or has changed since it was read; add it again")
            yield path

    def failures(self) -> Iterator[tuple[File, str]]:
        """The files that are not searchable, or in part, and why."""
        for file in every_file(self.engine):
            for failure in file.failures:
                yield file, failure

    def export(self, damaged: list[str] | None = None) -> Iterator[str]:
        """Every document as a line of JSON, with its text, metadata, source and passages."""
        return exported(self.engine, [] if damaged is None else damaged)

    # Changing

    def add(
        self,
        *paths: str | Path,
        metadata: Mapping[str, str] | Metadata | None = None,
        name: str = "",
        vectors: str = "now",
        encoder: str = "",
        options: IngestOptions | None = None,
        progress: StageProgress | None = None,
    ) -> IngestReport:
        """Reads files and folders. What is there and has not changed is left as it is.

        `metadata` applies to every document of the call; `name` is what ids begin with, instead of the folder's own
        name; `vectors` says when the documents are embedded: now, later or none.
        """
        _check_vectors(vectors)
        places = [Path(path) for path in paths]
        missing = [str(path) for path in places if not path.exists()]
        if missing or not places:
            raise DataError(f"{', '.join(missing) or 'nothing'}: no such file or folder; nothing was added")
        chosen = _options(options, metadata, name)
        report = IngestReport()
        with self.engine.lease(WRITER):
            for path in places:
                report += ingest.add(self.engine, path, chosen, progress)
        self._embed_after(report, vectors, encoder, progress)
        return report

    def sync(
        self,
        folder: str | Path,
        *,
        metadata: Mapping[str, str] | Metadata | None = None,
        name: str = "",
        vectors: str = "now",
        encoder: str = "",
        options: IngestOptions | None = None,
        progress: StageProgress | None = None,
    ) -> IngestReport:
        """Makes the index follow a folder: adds what is new, replaces what changed, removes what is gone from it."""
        _check_vectors(vectors)
        with self.engine.lease(WRITER):
            chosen = _options(options, metadata, name)
            report = ingest.sync(self.engine, Path(folder), chosen, progress)
        self._embed_after(report, vectors, encoder, progress)
        return report

    def plan_sync(self, folder: str | Path, *, options: IngestOptions | None = None) -> SyncPlan:
        """What `sync` would do."""
        return ingest.plan_sync(self.engine, Path(folder), options)

    def add_text(
        self,
        id: str,  # noqa: A002 - the caller's own word for it
        text: str,
        *,
        title: str = "",
        metadata: Mapping[str, str] | None = None,
        overwrite: bool = False,
        vectors: str = "now",
    ) -> None:
        """Adds a text under an id of the caller's. One that is there is replaced only with `overwrite`."""
        _check_vectors(vectors)
        if not id.strip():
            raise UsageError("the id of a text is empty")
        if not text.strip():
            raise UsageError(f"the text of {id!r} is empty")
        said = Metadata(dict(metadata or {})).checked("metadata").everywhere
        with self.engine.lease(WRITER):
            known = self.engine.record(id)
            if known is not None and (not overwrite or known.root != ingest.TEXTS.name):
                what = "came from a file" if known.root != ingest.TEXTS.name else "pass overwrite=True to replace it"
                raise UsageError(f"there is a document with the id {id!r} already; {what}")
            prepare = Preparation(segmenter(self.engine.configuration.segmenter), {id: said})
            self.engine.put(list(ingest.text_files([Document(id, text, title or id)], prepare)), ingest.TEXTS)
            self.engine.tidy()
        if vectors == "now" and not self.has_former_vectors:
            self.embed()

    def add_documents(
        self,
        documents: Iterable[Document],
        *,
        vectors: str = "now",
        encoder: str = "",
        progress: StageProgress | None = None,
    ) -> IngestReport:
        """Adds documents that were read elsewhere, under their own ids; those that are there are replaced."""
        _check_vectors(vectors)
        report = IngestReport()
        prepare = Preparation(segmenter(self.engine.configuration.segmenter))
        with self.engine.lease(WRITER):
            for batch in ingest.batches(ingest.text_files(documents, prepare)):
                self.engine.put(batch, ingest.TEXTS)
                report.documents += len(batch)
            self.engine.tidy()
        self._embed_after(report, vectors, encoder, progress)
        return report

    def set(
        self,
        name: str,
        metadata: Mapping[str, str] | None = None,
        *,
        add_parties: Sequence[str] = (),
        remove_parties: Sequence[str] = (),
        **fields: str,
    ) -> DocumentRecord:
        """Corrects what was found in a document: title, kind, parties ("A; B"), date; or says anything else of it by a
        key of your own. It overrules what was found, and survives reading the file again; an empty value takes it back.

        An unknown kind, an impossible date, or a key that is nearly the name of a field is an error.
        """
        said = {**(metadata or {}), **fields}
        return self.correct(name, Correction(said, tuple(add_parties), tuple(remove_parties)))

    def correct(self, name: str, correction: Correction) -> DocumentRecord:
        """`set` with everything in one object, as the command line and the server read it."""
        if not correction:
            raise UsageError("nothing is said of the document; give title, kind, parties, date, or a key of your own")
        with self.engine.lease(WRITER):
            record = resolve(self.engine, name)
            file = self.engine.file(record.root, record.path)
            assert file is not None
            before = {entry.id: entry.metadata for entry in self.engine.records_of(record.root, record.path)}
            merged = correction.applied(record)
            root = next(root for root in every_root(self.engine) if root.name == record.root)
            self.engine.put([described_again(self.engine, file, {**before, record.id: merged}.__getitem__)], root)
            if matter_of(merged, record.root) != record.matter:
                settle_duplicates(self.engine)
            self.engine.tidy()
            found = self.engine.record(record.id)
        assert found is not None
        return found

    def remove(self, *ids: str, purge: bool = False) -> int:
        """Removes documents by their ids and says how many. Files outside the index are never touched; those that a
        server was given go with their documents, after the change is stored. With `purge` no byte of their text is left
        in the index; unknown ids are passed over then, so that a stopped purge can be finished."""
        if purge and not self.capabilities.purge:
            raise UsageError(f"{self.location}: this engine cannot purge; remove the documents without it")
        with self.engine.lease(WRITER):
            unknown = [name for name in ids if not _is_known(self.engine, name)]
            if unknown and not purge:
                raise UsageError(f"no document has the id {unknown[0]!r}{_meant(self.engine, unknown[0])}")
            count = self.engine.remove(ids, purge=purge)
            delete_uploads(self.engine, ids)
            settle_duplicates(self.engine)
            if purge:
                forget_jobs_of(self.engine, ids)
                forget_old_answers(self.engine, most=0)  # they may quote titles
            return count

    def embed(
        self, encoder: str = "", *, again: bool = False, progress: Callable[[int, int], None] | None = None
    ) -> int:
        """Embeds the documents that have no vectors and says how many; with `again` all of them, with this encoder.
        Vectors that an earlier version's encoder made are dropped and made again."""
        name = encoder or self._encoder_name() or ENCODER
        loaded = self._models.encoder(name)
        with self.engine.lease(EMBEDDER):  # always before the writer's lease: nobody waits for each other
            with self.engine.lease(WRITER):
                configuration = self.engine.configuration
                if again or (name == configuration.encoder and self._has_former_vectors(configuration)):
                    self.engine.put_record(*RENEWAL, _loadable(name))
                    self.engine.forget_vectors()
            count = embed(self.engine, loaded, progress, _loadable(name))
            if self.is_renewing:
                self.engine.delete_record(*RENEWAL)
            return count

    def embed_share(self) -> int:
        """Embeds documents beside other processes that do the same, and says how many; on a cluster."""
        name = self._encoder_name() or ENCODER
        return embed_share(self.engine, self._models.encoder(name), _loadable(name))

    @property
    def is_renewing(self) -> bool:
        """Whether all vectors are being made again: a renewal that was stopped goes on with the next `embed`."""
        return self.engine.stored_record(*RENEWAL) is not None

    def _encoder_name(self) -> str:
        """The encoder of the index, "" where it has none: the one of its vectors, or of those being made again."""
        renewal = self.engine.stored_record(*RENEWAL)
        return self.engine.configuration.encoder or (renewal.value if renewal else "")

    def _embed_after(self, report: IngestReport, vectors: str, encoder: str, progress: StageProgress | None) -> None:
        """Embeds what was read, where the encoder is at hand; else says how to get it."""
        if vectors != "now" or encoder == NO_ENCODER or not self.engine.without_vectors(limit=1):
            return
        if not encoder and self.has_former_vectors:
            report.notes.append(FORMER_VECTORS)
            return
        try:
            with self.engine.lease(EMBEDDER):
                pass
        except OutputError:
            report.notes.append(OTHERS_EMBED)
            return
        try:
            report.embedded = self.embed(encoder, progress=_stage("embedding", progress))
        except (ModelError, UsageError) as error:
            if encoder:
                raise
            report.notes.append(f"nothing was embedded ({str(error).splitlines()[0]}); search by words works")

    # Upkeep

    def check(self, *, repair: bool = False, questions: int = 200) -> CheckReport:
        """Verifies every document and every file of the index; `repair` rebuilds what can be rebuilt."""
        report = self.engine.check(repair=repair, questions=questions)
        if not report.is_whole:
            return report
        with self.engine.lease(WRITER) if repair else nullcontext():
            waiting = incoming_faults(self.engine, repair=repair)
            report = replace(report, faults=(*report.faults, *upload_faults(self.engine, repair=repair), *waiting))
        earlier = self.earlier_documents()
        if not earlier:
            return report
        advice = f"{earlier}; 'pincite index upgrade' makes them again"
        return replace(report, figures={**report.figures, "of an earlier version": advice})

    def backup(self, to: Path, progress: Callable[[int, int], None] | None = None) -> Backup:
        """Copies the index into a new folder, with the checksum of every file; searching goes on meanwhile."""
        if isinstance(self.engine, EmbeddedEngine):
            return backup(self.engine.folder, to, self.engine.wait, progress)
        if not is_cluster(self.location):
            raise UsageError(f"{self.location}: an index in memory cannot be backed up")
        return backup_cluster(cast("OpenSearchEngine", self.engine), to, progress)

    @classmethod
    def restore(cls, backup: Path, to: str | Path) -> "Index":
        """The index of a backup, in a new folder or as a new collection on a cluster. A damaged backup is refused."""
        if is_cluster(to):
            verified(backup)
            _cluster_engine().restore(backup, str(to))
        else:
            restore(backup, Path(to))
        index = cls.open(to)
        index.engine.tidy()
        return index

    def plan_upgrade(self, *, vectors: str = "now", encoder: str = "") -> UpgradePlan:
        """What `upgrade` would do, and about how long it would take."""
        _check_vectors(vectors)
        return plan_upgrade(self.engine, self._upgrade_encoder(vectors, encoder)[0], former=self.has_former_vectors)

    def upgrade(
        self,
        *,
        vectors: str = "now",
        encoder: str = "",
        options: IngestOptions | None = None,
        progress: StageProgress | None = None,
    ) -> UpgradeReport:
        """Brings documents that an earlier version made to the present one: reads their files again, or takes the
        stored text where a file is gone or has changed; segments, profiles and embeds again. Corrections are kept.

        Stopped in the middle, the next call does the rest. Searching goes on meanwhile. `options` says how files are
        read; an index without vectors stays without, unless `encoder` names one.
        """
        _check_vectors(vectors)
        loaded, note = self._upgrade_encoder(vectors, encoder)
        name, former = encoder or self._encoder_name(), self.has_former_vectors

        def embed_again() -> int:
            return 0 if loaded is None or former else embed(self.engine, loaded, None, _loadable(name))

        report = upgrade(self.engine, options or IngestOptions(), embed_again, _stage("upgrading", progress))
        if loaded is not None:
            report.embedded += self.embed(name, progress=_stage("embedding", progress))
        report.notes += [note] if note else []
        return report

    def _upgrade_encoder(self, vectors: str, encoder: str) -> tuple[Encoder | None, str]:
        """The encoder that embeds again, and a note where the one of the index is not installed."""
        name = encoder or self._encoder_name()
        if vectors != "now" or name in ("", NO_ENCODER):
            return None, ""
        try:
            loaded = self._models.encoder(name)
        except (ModelError, UsageError) as error:
            if encoder:
                raise
            return None, f"nothing is embedded ({str(error).splitlines()[0]}); search by words works"
        if name != self.engine.configuration.encoder or not self.has_former_vectors:
            check_encoder(self.engine.configuration, loaded, self.location)
        return loaded, ""

    def earlier_documents(self) -> int:
        """How many documents were made by an earlier version; `upgrade` brings them to the present one."""
        return sum(map(is_earlier, every_document(self.engine)))

    def tidy(self) -> None:
        """Brings recent changes into the form that is searched fastest. Answers stay the same."""
        self.engine.tidy()


@dataclass(frozen=True, slots=True)
class _Resolved:
    """A request with everything that it names."""

    question: Question
    method: Method
    encoder: Encoder | None
    note: str


def _folder(location: str | Path) -> Path:
    scheme, sign, _ = str(location).partition("://")
    if sign:
        raise one_of("engine", scheme, ["a folder", IN_MEMORY, *(f"{scheme}://" for scheme in SCHEMES)])
    return Path(location)


def _cluster_engine() -> "type[OpenSearchEngine]":
    """Loaded when it is asked for: few need its client."""
    from pincite.index.opensearch import OpenSearchEngine

    return OpenSearchEngine


def _is_known(engine: Engine, document_id: str) -> bool:
    try:
        return engine.record(document_id) is not None
    except DamagedDocumentError:
        return True


def _check_vectors(vectors: str) -> None:
    if vectors not in VECTORS:
        raise one_of("choice of vectors", vectors, VECTORS)


def _options(options: IngestOptions | None, metadata: Mapping[str, str] | Metadata | None, name: str) -> IngestOptions:
    chosen = options or IngestOptions()
    if metadata is not None:
        said = metadata if isinstance(metadata, Metadata) else Metadata(dict(metadata)).checked("metadata")
        chosen = replace(chosen, metadata=said)
    return replace(chosen, name=name) if name else chosen


def _stage(what: str, progress: StageProgress | None) -> Callable[[int, int], None] | None:
    return None if progress is None else partial(progress, what)


def _loadable(name: str) -> str:
    """What an encoder can be loaded by from anywhere: a folder by its full path."""
    return str(Path(name).resolve()) if Path(name).is_dir() else name


def _meant(engine: Engine, name: str) -> str:
    try:
        return f"; did you mean {resolve(engine, name).id!r}?"
    except UsageError:
        return similar(engine, name)
