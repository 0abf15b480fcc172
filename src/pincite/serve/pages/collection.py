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
from pincite.serve.pages.jobs import job_address
from pincite.serve.pages.templates import Collection, check_token, rendered
from pincite.serve.state import backend_for, recorded
from pincite.text.conditions import MATTER

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
    jobs = await run_in_threadpool(backend.jobs, request.state.who)
    counts = {
        "earlier": sum(map(is_earlier, entries)),
        "reading": sum(not each.job.is_done for each in jobs),
        "matters": sorted({entry.matter for entry in entries}),
    }
    shown = {"entries": entries, **counts, "unread": unread, "sort": sort, "uploaded": [], "problem": "", **more}
    return rendered(request, "collection.html", status, collection=backend.name, limits=backend.settings, **shown)


@router.post("/documents/add")
async def add_page(request: Request) -> Response:
    """Receives the files of the upload form, and shows how they are read."""
    async with request.form(max_files=1000, max_fields=10) as form:
        check_token(request, str(form.get("token", "")))
        backend = backend_for(request, str(form.get("collection", "")), "write")
        held = [entry for entry in form.getlist("files") if isinstance(entry, UploadFile) and entry.filename]
        files = [(entry.filename or "", await entry.read()) for entry in held]
        replaced = form.get("replace") == "true"
        waits = form.get("wait") == "true"
        named = str(form.get("collection", ""))
        matter = str(form.get("matter", "")).strip()
    who = request.state.who.name
    try:
        with recorded(request, backend, "receive", names=[name for name, _ in files]):
            said = {MATTER: matter} if matter else {}
            job = await run_in_threadpool(backend.receive, files, who=who, replace=replaced, metadata=said)
            if not (waits or job.is_done):
                return RedirectResponse(job_address(job.id, named), 303)
            done = await run_in_threadpool(backend.finished, job)
    except Refused as error:
        return await _collection(request, backend, status=error.status, problem=str(error))
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
