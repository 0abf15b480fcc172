"""REST for programs: everything under /v1, translated to calls of the backend."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, File, Form, Header, Path, Query, Request, UploadFile
from fastapi.responses import JSONResponse, Response, StreamingResponse
from starlette.concurrency import run_in_threadpool

from pincite.engine.records import DocumentRecord
from pincite.errors import PinciteError
from pincite.index.listing import listing
from pincite.index.remarks import remarks
from pincite.search import Answer, SearchRequest
from pincite.serve import schemas as s
from pincite.serve.backend import Backend
from pincite.serve.errors import Forbidden, Invalid
from pincite.serve.kinds_text import KINDS_TEXT
from pincite.serve.problems import MEDIA_TYPE, encoded, problem_of
from pincite.serve.state import backend_for, note_uploads, noted, recorded, state_of
from pincite.serve.validation import checked_cursor, checked_range, checked_request
from pincite.text import Filter

T = TypeVar("T")
AT_ONCE = 4
"""Questions of a batch that are answered at the same time."""
NDJSON = "application/x-ndjson"

Collection = Annotated[str | None, Query(description="The collection; the first one if omitted.", max_length=200)]
DocumentId = Annotated[
    str,
    Path(
        description="The id of a document.",
        examples=["corpus/contracts/lease-14-garnet-quay-2019.txt"],
        max_length=1000,
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


def _request(body: s.SearchOptions, query: str) -> SearchRequest:
    return SearchRequest(query, body.k, body.filters.to_filter(), body.granularity, fast=body.fast)


async def _waiting(work: Callable[..., T], *given: Any, **named: Any) -> T:
    return await run_in_threadpool(work, *given, **named)


@router.post("/search", response_model=s.Envelope, responses=problems(404), tags=["search"])
async def search(request: Request, body: s.SearchBody) -> Response:
    """The passages that answer a question, best first, with their exact offsets."""
    backend = backend_for(request, body.collection)
    answer = await _answer(backend, _request(body, body.query))
    _note_search(request, backend, answer)
    return JSONResponse(answer.to_dict(explain=body.explain))


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
    responses={200: {"content": {NDJSON: {"schema": {"type": "string"}}}}, **problems(404)},
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
    requests = [checked_request(_request(body, query), backend.settings) for query in body.queries]
    some = asyncio.Semaphore(AT_ONCE)

    async def one(asked: SearchRequest) -> dict[str, Any]:
        async with some:
            answer = await _answer(backend, asked)
        _note_search(request, backend, answer)
        return answer.to_dict(explain=body.explain)

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


@router.post("/compare", response_model=s.ComparisonSchema, responses=problems(404), tags=["search"])
async def compare(request: Request, body: s.CompareBody) -> Response:
    """One question asked of many documents: a row for each, empty where the document probably does not answer."""
    backend = backend_for(request, body.collection)
    rows = await _waiting(backend.compare, body.query, body.filters.to_filter())
    found = [row.document for row in rows]
    noted(request, backend, "compare", question=body.query, documents=found)
    return JSONResponse({"query": body.query, "rows": [row.to_dict() for row in rows]})


@router.get("/documents", response_model=s.DocumentPage, responses=problems(404), tags=["documents"])
async def documents(
    request: Request,
    collection: Collection = None,
    kind: Annotated[str, Query(max_length=200, description=KINDS_TEXT)] = "",
    party: Annotated[str, Query(max_length=200)] = "",
    after: Annotated[str, Query(max_length=40)] = "",
    before: Annotated[str, Query(max_length=40)] = "",
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    cursor: Annotated[str, Query(max_length=100, description="`next` of the previous page.")] = "",
) -> Response:
    """The documents in the order in which they were added, a page at a time."""
    backend = backend_for(request, collection)
    where = Filter.of({"kind": kind, "party": party, "after": after, "before": before})
    page = await _waiting(backend.page, where, checked_cursor(cursor), limit)
    return JSONResponse({"documents": await _waiting(_described, backend, page.items), "next": page.next or None})


@router.post(
    "/documents",
    status_code=201,
    response_model=s.Uploads,
    responses={
        200: {"model": s.Uploads, "description": "All files were stored already."},
        207: {"model": s.Uploads, "description": "Some could not be stored; each says why."},
        **problems(404, 409),
    },
    tags=["documents"],
)
async def add_documents(
    request: Request,
    files: Annotated[list[UploadFile], File(description="One or more files.", min_length=1)],
    replace: Annotated[bool, Form(description="Replace stored files of the same name.")] = False,
    collection: Collection = None,
) -> Response:
    """Stores files. They are searchable by words when the response arrives, and by meaning soon after."""
    backend = backend_for(request, collection, "write")
    given = [(file.filename or "", await file.read()) for file in files]
    with recorded(request, backend, "receive", names=[name for name, _ in given]):
        done = await _waiting(backend.add, given, replace=replace)
    failures = [uploaded.failure for uploaded in done if uploaded.failure]
    shape = {"files": [uploaded.to_dict() for uploaded in done]}
    note_uploads(request, backend, done)
    if len(failures) == len(done):
        body, headers = problem_of(failures[0], request.state.request_id)
        return Response(encoded({**body, **shape}), body["status"], headers, MEDIA_TYPE)
    if failures:
        return JSONResponse(shape, 207)
    return JSONResponse(shape, 201 if any(uploaded.status == "added" for uploaded in done) else 200)


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
    response_model=s.DocumentShape,
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
    tag = f'"{entry.sha256[:32]}-{entry.number}-{int(entry.has_vectors)}"'
    headers = {"etag": tag, "cache-control": "private, no-cache"}
    if if_none_match.strip() == "*" or tag in if_none_match:
        return Response(status_code=304, headers=headers)
    (shape,) = await _waiting(_described, backend, [entry])
    return JSONResponse(shape, headers=headers)


@router.patch(
    "/documents/{document_id:path}", response_model=s.DocumentShape, responses=problems(404), tags=["documents"]
)
async def correct(
    request: Request, document_id: DocumentId, body: s.CorrectionBody, collection: Collection = None
) -> Response:
    """Corrects title, kind, parties or date of a document, or sets metadata of your own."""
    backend = backend_for(request, collection, "write")
    correction = body.to_correction()
    with recorded(request, backend, "set", documents=[document_id], fields=correction.keys):
        entry = await _waiting(backend.correct, document_id, correction)
    (shape,) = await _waiting(_described, backend, [entry])
    return JSONResponse(shape)


@router.delete("/documents/{document_id:path}", response_model=s.Removed, responses=problems(404), tags=["documents"])
async def remove(request: Request, document_id: DocumentId, collection: Collection = None) -> Response:
    """Removes a document. An uploaded file is deleted with it."""
    backend = backend_for(request, collection, "write")
    with recorded(request, backend, "remove", documents=[document_id]):
        count = await _waiting(backend.remove, [document_id])
    return JSONResponse({"removed": count})


def _described(backend: Backend, records: Sequence[DocumentRecord]) -> list[dict[str, object]]:
    """Documents without their text, with what was noticed about their files."""
    engine = backend.index.engine
    return backend.later(lambda: [{**listing(record), **remarks(engine, record)} for record in records]).result()


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
    return JSONResponse({"collections": [await _waiting(backend.status) for backend in held]})


@router.head("/health", include_in_schema=False)
@router.get("/health", response_model=s.Health, responses=problems(), tags=["server"])
async def health() -> Response:
    """The server is running."""
    return JSONResponse({"status": "ok"})


@router.get("/ready", response_model=s.Health, responses=problems(), tags=["server"])
async def ready(request: Request) -> Response:
    """The server is ready to answer questions."""
    for backend in state_of(request).backends.values():
        await _waiting(backend.status)
    return JSONResponse({"status": "ready"})


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
    if request.state.who.collections:
        raise Forbidden("metrics cover all collections, but the key is limited to some")
    for backend in state.backends.values():
        state.metrics.waiting.labels(backend.name).set(backend.threads.waiting)
        held = await _waiting(backend.status)
        state.metrics.documents.labels(backend.name).set(int(str(held["documents"])))
    return Response(state.metrics.text(), media_type="text/plain; version=0.0.4")
