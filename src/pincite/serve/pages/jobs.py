"""The pages of uploads: which files wait, which are being read, and what became of each."""

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from pincite.serve.pages.templates import Collection, check_token, rendered
from pincite.serve.state import backend_for, recorded

router = APIRouter()
MOST_SHOWN = 50
"""Uploads on the page."""


def job_address(job_id: str, collection: str) -> str:
    """The address of the page of an upload."""
    return f"/jobs/{job_id}" + (f"?{urlencode({'collection': collection})}" if collection else "")


@router.get("/jobs")
async def jobs_page(request: Request, collection: Collection = "") -> Response:
    """The uploads of the caller, the latest first."""
    backend = backend_for(request, collection)
    found = await run_in_threadpool(backend.jobs, request.state.who)
    shapes = [progress.to_dict() for progress in found[:MOST_SHOWN]]
    return rendered(request, "jobs.html", 200, collection=backend.name, jobs=shapes, all=True)


@router.get("/jobs/{job_id}")
async def job_page(request: Request, job_id: str, collection: Collection = "") -> Response:
    """One upload. The page loads itself again until it is done."""
    backend = backend_for(request, collection)
    progress = await run_in_threadpool(backend.job, job_id, request.state.who)
    return rendered(request, "jobs.html", 200, collection=backend.name, jobs=[progress.to_dict()], all=False)


@router.post("/jobs/{job_id}/cancel")
async def cancel_page(
    request: Request, job_id: str, token: Annotated[str, Form()] = "", collection: Annotated[str, Form()] = ""
) -> Response:
    """Cancels what of an upload is not stored yet."""
    check_token(request, token)
    backend = backend_for(request, collection, "write")
    with recorded(request, backend, "cancel", job=job_id):
        await run_in_threadpool(backend.cancel, job_id, request.state.who)
    return RedirectResponse(job_address(job_id, collection), 303)
