"""The page of the collection: its documents, files that could not be read, uploads and removals."""

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from pincite.index.upgrade import is_earlier
from pincite.serve.backend import Backend
from pincite.serve.errors import Refused
from pincite.serve.pages.templates import Collection, check_token, rendered
from pincite.serve.state import backend_for, note_uploads, recorded

router = APIRouter()


@router.get("/documents")
async def collection_page(request: Request, collection: Collection = "", sort: str = "added") -> Response:
    """The documents of the collection, and the files that could not be read."""
    backend = backend_for(request, collection)
    return await _collection(request, backend, sort)


async def _collection(
    request: Request, backend: Backend, sort: str = "added", status: int = 200, **more: Any
) -> Response:
    entries = await run_in_threadpool(backend.documents)
    unread = await run_in_threadpool(backend.unsearchable)
    keys = {
        "title": lambda entry: entry.title.lower(),
        "kind": lambda entry: entry.profile.kind,
        "date": lambda entry: entry.profile.iso_date,
        "pages": lambda entry: -entry.pages,
    }
    if sort in keys:
        entries = sorted(entries, key=keys[sort])
    counts = {"earlier": sum(map(is_earlier, entries))}
    shown = {"entries": entries, **counts, "unread": unread, "sort": sort, "uploaded": [], "problem": "", **more}
    return rendered(request, "collection.html", status, collection=backend.name, limits=backend.settings, **shown)


@router.post("/documents/add")
async def add_page(request: Request) -> Response:
    """Adds the files of the upload form."""
    async with request.form(max_files=1000, max_fields=10) as form:
        check_token(request, str(form.get("token", "")))
        backend = backend_for(request, str(form.get("collection", "")), "write")
        held = [entry for entry in form.getlist("files") if isinstance(entry, UploadFile) and entry.filename]
        files = [(entry.filename or "", await entry.read()) for entry in held]
        replaced = form.get("replace") == "true"
    try:
        with recorded(request, backend, "receive", names=[name for name, _ in files]):
            done = await run_in_threadpool(backend.add, files, replace=replaced)
    except Refused as error:
        return await _collection(request, backend, status=error.status, problem=str(error))
    note_uploads(request, backend, done)
    return await _collection(request, backend, uploaded=done)


@router.post("/documents/remove")
async def remove_page(
    request: Request,
    document: Annotated[str, Form()],
    token: Annotated[str, Form()] = "",
    collection: Annotated[str, Form()] = "",
) -> Response:
    """Removes a document."""
    check_token(request, token)
    backend = backend_for(request, collection, "write")
    with recorded(request, backend, "remove", documents=[document]):
        await run_in_threadpool(backend.remove, [document])
    return RedirectResponse("/documents" + (f"?{urlencode({'collection': collection})}" if collection else ""), 303)
