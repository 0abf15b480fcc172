"""REST for programs: everything under /v1, translated to calls of the backend."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import Annotated, Any, TypeVar
from urllib.parse import urlencode

from fastapi import APIRouter, File, Form, Header, Path, Query, Request, UploadFile
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import BeforeValidator
from starlette.concurrency import run_in_threadpool

from pincite.compare import ComparisonRow, found_first
from pincite.compare.export import MEDIA_TYPES, comparison_rows, exported, hit_rows
from pincite.engine.records import DocumentRecord
from pincite.errors import PinciteError
from pincite.index.listing import listing
from pincite.search import Answer, SearchRequest
from pincite.serve import schemas as s
from pincite.serve.backend import Backend
from pincite.serve.document_paths import TEXTS, exact_id
from pincite.serve.errors import Forbidden, Invalid, Stale
from pincite.serve.etags import etag, unchanged
from pincite.serve.ingestion import JobProgress
from pincite.serve.kinds_text import KINDS_TEXT
from pincite.serve.problems import MEDIA_TYPE, encoded, problem_of
from pincite.serve.row_stream import sent
from pincite.serve.state import backend_for, noted, recorded, state_of
from pincite.serve.texts import store_texts, uploaded_metadata
from pincite.serve.uploads import Uploaded
from pincite.serve.validation import checked_cursor, checked_range, checked_request
from pincite.text import Filter
from pincite.text.conditions import MATTER

T = TypeVar("T")
AT_ONCE = 4
"""Questions of a batch that are answered at the same time."""
NDJSON = "application/x-ndjson"

Collection = Annotated[str | None, Query(description="The collection; the first one if omitted.", max_length=200)]
DocumentId = Annotated[
    str,
    BeforeValidator(exact_id),
    Path(
        description="The id of a document. With its slashes written as %2F it may end in anything, such as /text.",
        examples=["corpus/contracts/lease-14-garnet-quay-2019.txt"],
        max_length=1000,
    ),
]
JobId = Annotated[str, Path(description="The id of a job.", max_length=100)]
WAIT = "Answer when the files are searchable, and not when they are received."
IfMatch = Annotated[
    str,
    Header(
        alias="If-Match", max_length=1000, description="The ETag of the document as you saw it; 412 if it has changed."
    ),
]
Condition = Annotated[
    str,
    Query(
        description="A condition as JSON, as in `filters.where`.",
        examples=['{"date": {"gte": "2020-01-01"}}'],
        max_length=10_000,
    ),
]
Offset = Annotated[int | None, Query(ge=0, le=2**40, description="A character offset in the text, from 0.")]

_WHAT = {
    400: "The request cannot be read.",
    401: "The key is missing or unknown.",
    403: "The key lacks the right, or the request comes from another website.",
    404: "It does not exist, or has been removed.",
    408: "The rest of the request did not arrive.",
    409: "Another file with that name exists.",
    412: "The document has changed since the ETag in If-Match, or the collection since `generation`.",
    413: "The request exceeds a limit.",
    422: "A value is invalid, or a file cannot be read.",
    429: "Too many requests.",
    503: "The server is busy or stopping; Retry-After says when to try again.",
}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The errors of a route for the OpenAPI document. Those that every route can return are always included."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    every = sorted({400, 401, 403, 408, 413, 422, 429, 503, *statuses})
    return {status: {"description": _WHAT[status], "content": content} for status in every}


router = APIRouter(prefix="/v1")
EXPORTS: dict[str, Any] = {kind: {"schema": {"type": "string", "format": "binary"}} for kind in MEDIA_TYPES.values()}
"""Tables for people, beside JSON for programs."""


def export_form(accept: str) -> str:
    """The format of a table that an `Accept` header asks for; "" for JSON."""
    return next((form for form, kind in MEDIA_TYPES.items() if kind in accept), "")


def condition_of(written: str) -> dict[str, Any] | None:
    """A condition in a query parameter."""
    if not written.strip():
        return None
    try:
        given = json.loads(written)
    except ValueError as error:
        raise Invalid(f"where: not JSON ({error})") from None
    if not isinstance(given, dict):
        raise Invalid('where: must be an object, such as {"kind": "lease"}')
    return given


def _request(body: s.SearchOptions, query: str) -> SearchRequest:
    return SearchRequest(query, body.offset + body.k, body.filters.to_filter(), body.granularity, fast=body.fast)


async def _waiting(work: Callable[..., T], *given: Any, **named: Any) -> T:
    return await run_in_threadpool(work, *given, **named)


@router.post(
    "/search", response_model=s.Envelope, responses={200: {"content": EXPORTS}, **problems(404, 412)}, tags=["search"]
)
async def search(
    request: Request, body: s.SearchBody, accept: Annotated[str, Header(include_in_schema=False)] = ""
) -> Response:
    """The passages that answer a question, best first, with their exact offsets; as a table if `Accept` says so."""
    backend = backend_for(request, body.collection)
    generation = await _generation(backend, body)
    answer = await _answer(backend, _checked(_request(body, body.query), body, backend))
    if body.generation is not None:
        await _generation(backend, body)
    _note_search(request, backend, answer)
    if form := export_form(accept):
        made = await _waiting(exported, form, answer.query, hit_rows(_page(answer, body).hits))
        return Response(made, media_type=MEDIA_TYPES[form])
    return JSONResponse({**_page(answer, body).to_dict(explain=body.explain), "generation": generation})


async def _generation(backend: Backend, body: s.SearchOptions) -> int | None:
    """The generation before a question is answered: an answer is of this one or a later one. An error where the caller
    wants another one."""
    now = await _waiting(lambda: backend.generation)
    if body.generation is not None and now is None:
        raise Invalid("generation: a key that is limited to some matters is not told any; leave it out")
    if body.generation is not None and body.generation != now:
        raise Stale(
            f"generation: the collection has changed since {body.generation} and is at {now}; begin again with the "
            "first page"
        )
    return now


def _checked(asked: SearchRequest, body: s.SearchOptions, backend: Backend) -> SearchRequest:
    """The request, if its last hit is not too far down."""
    most = backend.settings.most_hits
    if body.offset and asked.k > most:
        raise Invalid(
            f"offset + k must be at most {most}, not {body.offset} + {body.k}; narrow the question by `filters` instead"
        )
    return checked_request(asked, backend.settings)


def _page(answer: Answer, body: s.SearchOptions) -> Answer:
    """The hits behind the first `offset` ones. They keep their ranks."""
    return replace(answer, hits=answer.hits[body.offset :]) if body.offset else answer


async def _answer(backend: Backend, asked: SearchRequest) -> Answer:
    if not asked.fast and not backend.is_loaded:
        await _waiting(backend.load_models)
    return await asyncio.wrap_future(backend.ask(asked))


def _note_search(request: Request, backend: Backend, answer: Answer) -> None:
    found = list(dict.fromkeys(hit.document_id for hit in answer))
    noted(request, backend, "search", question=answer.query, documents=found)


@router.post(
    "/search/batch",
    response_model=s.BatchAnswer,
    responses={200: {"content": {NDJSON: {"schema": {"type": "string"}}}}, **problems(404, 412)},
    tags=["search"],
)
async def search_batch(
    request: Request, body: s.BatchBody, accept: Annotated[str, Header(include_in_schema=False)] = ""
) -> Response:
    """The answers to several questions, in their order; as JSON Lines if `Accept` asks for them."""
    backend = backend_for(request, body.collection)
    most = backend.settings.batch
    if len(body.queries) > most:
        raise Invalid(f"a batch has at most {most} questions, not {len(body.queries)}")
    requests = [_checked(_request(body, query), body, backend) for query in body.queries]
    generation = await _generation(backend, body)
    some = asyncio.Semaphore(AT_ONCE)

    async def one(asked: SearchRequest) -> dict[str, Any]:
        async with some:
            answer = await _answer(backend, asked)
        if body.generation is not None:
            await _generation(backend, body)
        _note_search(request, backend, answer)
        return {**_page(answer, body).to_dict(explain=body.explain), "generation": generation}

    tasks = [asyncio.create_task(one(asked)) for asked in requests]
    if NDJSON not in accept:
        try:
            return JSONResponse({"answers": [await task for task in tasks]})
        finally:
            for task in tasks:
                task.cancel()

    async def lines() -> AsyncIterator[bytes]:
        try:
            for query, task in zip(body.queries, tasks, strict=True):
                try:
                    shape = await task
                except PinciteError as error:
                    shape = {"query": query, "problem": problem_of(error, request.state.request_id)[0]}
                yield json.dumps(shape, ensure_ascii=False).encode() + b"\n"
        finally:
            for task in tasks:
                task.cancel()

    return StreamingResponse(lines(), media_type=NDJSON)


@router.post(
    "/compare",
    response_model=s.ComparisonSchema,
    responses={200: {"content": {NDJSON: {"schema": {"type": "string"}}, **EXPORTS}}, **problems(404)},
    tags=["search"],
)
async def compare(
    request: Request, body: s.CompareBody, accept: Annotated[str, Header(include_in_schema=False)] = ""
) -> Response:
    """One question asked of many documents: a row for each, empty where the document probably does not answer, those
    last; as JSON Lines, each when it is found, if `Accept` asks for them. Closing the connection ends the
    comparison."""
    backend = backend_for(request, body.collection)
    records, rows = await _waiting(backend.compare_each, body.query, body.filters.to_filter())
    noted(request, backend, "compare", question=body.query, documents=[record.id for record in records])
    if NDJSON not in accept:
        found: list[ComparisonRow] = await _waiting(list, rows)
        if rows.error:
            raise rows.error
        if form := export_form(accept):
            made = await _waiting(exported, form, body.query, comparison_rows(found))
            return Response(made, media_type=MEDIA_TYPES[form])
        return JSONResponse({"query": body.query, "rows": [row.to_dict() for row in found_first(found)]})
    total = len(records)

    def lines() -> Iterator[bytes]:
        for at, row in enumerate(rows, start=1):
            yield json.dumps({**row.to_dict(), "done": at, "of": total}, ensure_ascii=False).encode() + b"\n"
        if rows.error:
            yield json.dumps({"problem": problem_of(rows.error, request.state.request_id)[0]}).encode() + b"\n"

    return StreamingResponse(sent(lines(), rows), media_type=NDJSON)


@router.get("/documents", response_model=s.DocumentPage, responses=problems(404), tags=["documents"])
async def documents(
    request: Request,
    collection: Collection = None,
    kind: Annotated[str, Query(max_length=200, description=KINDS_TEXT)] = "",
    party: Annotated[str, Query(max_length=200)] = "",
    after: Annotated[str, Query(max_length=40)] = "",
    before: Annotated[str, Query(max_length=40)] = "",
    where: Condition = "",
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    cursor: Annotated[str, Query(max_length=100, description="`next` of the previous page.")] = "",
) -> Response:
    """The documents in the order in which they were added, a page at a time."""
    backend = backend_for(request, collection)
    named = Filter.of({"kind": kind, "party": party, "after": after, "before": before}) or Filter()
    admitted = named.also(condition_of(where) or {}) or None
    page = await _waiting(backend.page, admitted, checked_cursor(cursor), limit)
    return JSONResponse({"documents": await _waiting(_described, backend, page.items), "next": page.next or None})


@router.post(
    "/documents",
    status_code=202,
    response_model=s.JobShape,
    responses={
        202: {"description": "The files are received and wait to be read; Location names the job."},
        201: {"model": s.Uploads, "description": "With `wait`: the files are stored and searchable."},
        200: {"model": s.Uploads, "description": "With `wait`: all files were stored already."},
        207: {"model": s.Uploads, "description": "With `wait`: some could not be stored; each says why."},
        **problems(404, 409),
    },
    tags=["documents"],
)
async def add_documents(
    request: Request,
    files: Annotated[list[UploadFile], File(description="One or more files.", min_length=1)],
    replace_stored: Annotated[
        bool, Form(alias="replace", description="Replace stored files of the same name.")
    ] = False,
    matter: Annotated[
        str, Form(max_length=200, description="The matter that they belong to; the caller's own, if there is one.")
    ] = "",
    metadata: Annotated[
        str, Form(description="Metadata of every file, a JSON object of texts.", examples=['{"matter": "4711"}'])
    ] = "",
    wait: Annotated[bool, Form(description=WAIT)] = False,
    wait_too: Annotated[bool, Query(alias="wait", description=WAIT)] = False,
    collection: Collection = None,
) -> Response:
    """Receives files, which are on disk when the response arrives, and reads them one after the other. A file is
    searchable by words when the job says so, and by meaning soon after."""
    backend = backend_for(request, collection, "write")
    said = {**uploaded_metadata(metadata), **({MATTER: matter} if matter else {})}
    given = [(file.filename or "", await file.read()) for file in files]
    who = request.state.who.name
    with recorded(request, backend, "receive", names=[name for name, _ in given]):
        job = await _waiting(backend.receive, given, who=who, replace=replace_stored, metadata=said)
        if not (wait or wait_too or job.is_done):
            place = f"/v1/jobs/{job.id}" + (f"?{urlencode({'collection': collection})}" if collection else "")
            return JSONResponse(JobProgress(job).to_dict(), 202, {"location": place})
        done = await _waiting(backend.finished, job)
    return _stored(request, done)


@router.post(
    TEXTS.removeprefix("/v1"),
    status_code=201,
    response_model=s.Uploads,
    responses={
        201: {"description": "The texts are stored and searchable by words."},
        207: {"model": s.Uploads, "description": "Some could not be stored; each says why."},
        **problems(404, 409),
    },
    tags=["documents"],
)
async def add_texts(
    request: Request,
    body: s.TextsBody,
    collection: Collection = None,
    wait: Annotated[bool, Query(include_in_schema=False)] = True,
) -> Response:
    """Stores texts under the caller's ids. `POST /v1/documents` takes the same JSON. Texts need no reading, so that
    nobody waits for them, whatever `wait` says there."""
    backend = backend_for(request, collection, "write")
    with recorded(request, backend, "receive", names=[text.id for text in body.texts]):
        done = await _waiting(store_texts, backend, body)
    for text in done:
        noted(request, backend, "add", name=text.name, documents=list(text.documents), status=text.status)
    return _stored(request, done)


def _stored(request: Request, done: Sequence[Uploaded]) -> Response:
    failures = [uploaded.failure for uploaded in done if uploaded.failure]
    shape = {"files": [uploaded.to_dict() for uploaded in done]}
    if len(failures) == len(done):
        body, headers = problem_of(failures[0], request.state.request_id)
        return Response(encoded({**body, **shape}), body["status"], headers, MEDIA_TYPE)
    if any(uploaded.status not in ("added", "same") for uploaded in done):
        return JSONResponse(shape, 207)
    return JSONResponse(shape, 201 if any(uploaded.status == "added" for uploaded in done) else 200)


@router.get("/jobs", response_model=s.JobPage, responses=problems(404), tags=["documents"])
async def jobs(
    request: Request,
    collection: Collection = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    cursor: Annotated[str, Query(max_length=100, description="`next` of the previous page.")] = "",
) -> Response:
    """The uploads of the caller, the latest first; with an admin key those of everybody."""
    backend = backend_for(request, collection)
    found = await _waiting(backend.jobs, request.state.who)
    rest = [progress for progress in found if not cursor or progress.job.id < cursor]
    page = rest[:limit]
    following = page[-1].job.id if len(rest) > limit else None
    return JSONResponse({"jobs": [progress.to_dict() for progress in page], "next": following})


@router.get("/jobs/{job_id}", response_model=s.JobShape, responses=problems(404), tags=["documents"])
async def job(request: Request, job_id: JobId, collection: Collection = None) -> Response:
    """What has become of an upload."""
    backend = backend_for(request, collection)
    return JSONResponse((await _waiting(backend.job, job_id, request.state.who)).to_dict())


@router.delete("/jobs/{job_id}", response_model=s.JobShape, responses=problems(404), tags=["documents"])
async def cancel_job(request: Request, job_id: JobId, collection: Collection = None) -> Response:
    """Cancels what of an upload is not stored yet. What is stored stays; remove its documents instead."""
    backend = backend_for(request, collection, "write")
    await _waiting(backend.job, job_id, request.state.who)
    with recorded(request, backend, "cancel", job=job_id):
        cancelled = await _waiting(backend.cancel, job_id, request.state.who)
    return JSONResponse(cancelled.to_dict())


@router.get(
    "/documents/{document_id:path}/text", response_model=s.TextShape, responses=problems(404), tags=["documents"]
)
async def text(
    request: Request, document_id: DocumentId, start: Offset = None, end: Offset = None, collection: Collection = None
) -> Response:
    """A document's text, or a range of it."""
    backend = backend_for(request, collection)
    whole = (await _waiting(backend.loaded, document_id)).document.text
    first, last = checked_range(start, end, len(whole))
    _note_read(request, backend, document_id, first, last)
    shape = {"document": document_id, "start": first, "end": last, "characters": len(whole)}
    return JSONResponse({**shape, "text": whole[first:last]})


@router.get(
    "/documents/{document_id:path}/passage",
    response_model=s.PassageShape,
    responses=problems(404),
    tags=["documents"],
)
async def passage(
    request: Request,
    document_id: DocumentId,
    start: Annotated[int, Query(ge=0, le=2**40)],
    end: Annotated[int, Query(ge=0, le=2**40)],
    around: Annotated[int, Query(ge=0, le=5000, description="Characters of context on each side.")] = 300,
    collection: Collection = None,
) -> Response:
    """A range of a document's text with its citation, headings and surrounding text."""
    backend = backend_for(request, collection)
    found = await _waiting(backend.excerpt, document_id, start, end, around)
    _note_read(request, backend, document_id, start, end)
    return JSONResponse(found.to_dict())


@router.get(
    "/documents/{document_id:path}/outline", response_model=s.OutlineShape, responses=problems(404), tags=["documents"]
)
async def outline(request: Request, document_id: DocumentId, collection: Collection = None) -> Response:
    """The headings of a document."""
    backend = backend_for(request, collection)
    headings = await _waiting(backend.outline, document_id)
    _note_read(request, backend, document_id)
    return JSONResponse({"document": document_id, "headings": headings})


@router.get(
    "/documents/{document_id:path}/pages/{page}",
    responses={200: {"content": {"image/png": {"schema": {"type": "string", "format": "binary"}}}}, **problems(404)},
    response_class=Response,
    tags=["documents"],
)
async def page_image(
    request: Request,
    document_id: DocumentId,
    page: Annotated[int, Path(ge=1, le=1_000_000)],
    start: Offset = None,
    end: Offset = None,
    collection: Collection = None,
) -> Response:
    """A page of a PDF file as an image, with a range of the text highlighted."""
    backend = backend_for(request, collection)
    picture = await _waiting(backend.page_image, document_id, page, start, end)
    _note_read(request, backend, document_id, page=page)
    return Response(picture, media_type="image/png", headers={"cache-control": "private, max-age=300"})


@router.get(
    "/documents/{document_id:path}",
    response_model=s.TaggedDocument,
    responses={304: {"description": "The document matches If-None-Match."}, **problems(404)},
    tags=["documents"],
)
async def document(
    request: Request,
    document_id: DocumentId,
    collection: Collection = None,
    if_none_match: Annotated[str, Header(max_length=1000)] = "",
) -> Response:
    """A document without its text. The ETag changes when the document does."""
    backend = backend_for(request, collection)
    entry = await _waiting(backend.document, document_id)
    tag = etag(entry)
    headers = {"etag": tag, "cache-control": "private, no-cache"}
    if if_none_match.strip() == "*" or tag in if_none_match:
        return Response(status_code=304, headers=headers)
    (shape,) = await _waiting(_described, backend, [entry])
    return JSONResponse(shape, headers=headers)


@router.patch(
    "/documents/{document_id:path}", response_model=s.TaggedDocument, responses=problems(404, 412), tags=["documents"]
)
async def correct(
    request: Request,
    document_id: DocumentId,
    body: s.CorrectionBody,
    collection: Collection = None,
    if_match: IfMatch = "",
) -> Response:
    """Corrects title, kind, parties or date of a document, or sets metadata of your own."""
    backend = backend_for(request, collection, "write")
    correction = body.to_correction()
    with recorded(request, backend, "set", documents=[document_id], fields=correction.keys):
        entry = await _waiting(backend.correct, document_id, correction, unchanged(if_match))
    (shape,) = await _waiting(_described, backend, [entry])
    return JSONResponse(shape, headers={"etag": etag(entry)})


@router.delete(
    "/documents/{document_id:path}", response_model=s.Removed, responses=problems(404, 412), tags=["documents"]
)
async def remove(
    request: Request, document_id: DocumentId, collection: Collection = None, if_match: IfMatch = ""
) -> Response:
    """Removes a document. An uploaded file is deleted with it."""
    backend = backend_for(request, collection, "write")
    with recorded(request, backend, "remove", documents=[document_id]):
        count = await _waiting(backend.remove, [document_id], unchanged(if_match))
    return JSONResponse({"removed": count})


def _described(backend: Backend, records: Sequence[DocumentRecord]) -> list[dict[str, object]]:
    """Documents without their text, with what was noticed about their files, and their tags."""
    remarks = backend.remarks(records)
    return [{**listing(record), **more, "etag": etag(record)} for record, more in zip(records, remarks, strict=True)]


def _note_read(
    request: Request,
    backend: Backend,
    document_id: str,
    start: int | None = None,
    end: int | None = None,
    page: int | None = None,
) -> None:
    noted(request, backend, "read", documents=[document_id], start=start, end=end, page=page)


@router.get("/unread", response_model=s.UnreadFiles, responses=problems(404), tags=["documents"])
async def unread(request: Request, collection: Collection = None) -> Response:
    """The files that could not be read, and why."""
    backend = backend_for(request, collection)
    found = await _waiting(backend.unsearchable)
    return JSONResponse({"files": [{"file": entry.file, "problem": entry.problem} for entry in found]})


@router.get("/collections", response_model=s.Collections, responses=problems(), tags=["server"])
async def collections(request: Request) -> Response:
    """The collections that the caller may search."""
    who = request.state.who
    held = [backend for backend in state_of(request).backends.values() if who.may("read", backend.name)]
    return JSONResponse({"collections": [await _waiting(backend.seen_by(who).status) for backend in held]})


@router.get("/matters", response_model=s.Matters, responses=problems(404), tags=["server"])
async def list_matters(request: Request, collection: Collection = None) -> Response:
    """The matters of a collection that the caller may see, with their numbers of documents. A key that is limited to
    some matters sees these alone, and also where they have no documents yet."""
    backend = backend_for(request, collection)
    may_write = backend.who.may("write", backend.name)
    counts = await _waiting(backend.matters)
    shown = [
        {
            "matter": matter,
            "documents": count,
            "right": "write" if may_write and backend.who.may_write_in(matter) else "read",
        }
        for matter, count in counts.items()
    ]
    noted(request, backend, "list")
    return JSONResponse({"matters": shown})


@router.head("/health", include_in_schema=False)
@router.get("/health", response_model=s.Health, responses=problems(), tags=["server"])
async def health() -> Response:
    """The server is running."""
    return JSONResponse({"status": "ok", "version": version("pincite")})


@router.get("/ready", response_model=s.Health, responses=problems(), tags=["server"])
async def ready(request: Request) -> Response:
    """The server is ready to answer questions."""
    for backend in state_of(request).backends.values():
        await _waiting(backend.status)
    return JSONResponse({"status": "ready", "version": version("pincite")})


@router.post("/backups", status_code=201, response_model=s.BackupMade, responses=problems(404, 409), tags=["server"])
async def make_backup(request: Request, collection: Collection = None) -> Response:
    """Copies a collection into a new folder below the one that the setting `backups` names, with the checksum of every
    file. Searching goes on meanwhile. Needs an admin key."""
    backend = backend_for(request, collection, "admin")
    with recorded(request, backend, "backup"):
        made = await _waiting(backend.backup)
    return JSONResponse({"name": made.folder.name, "files": made.files, "bytes": made.size}, 201)


@router.get(
    "/metrics",
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}, **problems()},
    response_class=Response,
    tags=["server"],
)
async def metrics(request: Request) -> Response:
    """Metrics for Prometheus."""
    state = state_of(request)
    backend_for(request, None, "admin")
    if request.state.who.collections or request.state.who.matters:
        raise Forbidden("metrics cover everything, but the key is limited to some collections or matters")
    for backend in state.backends.values():
        state.metrics.waiting.labels(backend.name).set(backend.threads.waiting)
        held = await _waiting(backend.status)
        state.metrics.documents.labels(backend.name).set(int(str(held["documents"])))
    return Response(state.metrics.text(), media_type="text/plain; version=0.0.4")
