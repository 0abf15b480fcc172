"""The benchmark reports in the folder that `--reports` names."""

from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from starlette.concurrency import run_in_threadpool

from pincite.serve.errors import Forbidden, NotFound
from pincite.serve.pages.templates import rendered
from pincite.serve.state import backend_for, state_of

router = APIRouter()
REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"


@router.get("/reports")
async def reports_page(request: Request) -> Response:
    """The list of reports."""
    folder = state_of(request).reports
    _check(request)
    return rendered(request, "reports.html", reports=sorted(_reports(folder)) if folder else [])


@router.get("/reports/{name:path}")
async def report(request: Request, name: str) -> Response:
    """A report as it is. It may neither run scripts nor load anything."""
    _check(request)
    folder = state_of(request).reports
    found = _reports(folder).get(name) if folder else None
    if found is None:
        raise NotFound("no such report")
    html = await run_in_threadpool(found.read_text, "utf-8")
    return HTMLResponse(html, headers={"content-security-policy": REPORT_POLICY})


def _check(request: Request) -> None:
    """Reports quote documents of any matter."""
    backend_for(request, None)
    if request.state.who.matters:
        raise Forbidden("reports may quote all matters, but the login is limited to some")


def _reports(folder: Path) -> dict[str, Path]:
    return {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.html") if path.is_file()}
