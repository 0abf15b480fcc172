"""The form on a document's page that corrects its title, kind, parties and date, or moves it to another matter."""

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from pincite.engine.records import DocumentRecord
from pincite.index.corrections import Correction
from pincite.serve.pages.templates import check_token, link
from pincite.serve.state import backend_for, recorded

router = APIRouter()
FIELDS = ("title", "kind", "parties", "date", "matter")


@router.post("/documents/set")
async def correct_page(request: Request) -> Response:
    """Corrects what was changed in the form; a field that was emptied takes its correction back."""
    async with request.form(max_files=0, max_fields=20) as form:
        given = {name: str(value) for name, value in form.items()}
    check_token(request, given.get("token", ""))
    collection = given.get("collection", "")
    backend = backend_for(request, collection, "write")
    entry = await run_in_threadpool(backend.document, given.get("document", ""))
    if "parties" in given:
        given["parties"] = "; ".join(line.strip() for line in given["parties"].splitlines() if line.strip())
    correction = Correction(_changed(entry, {name: given[name] for name in FIELDS if name in given}))
    if correction:
        with recorded(request, backend, "set", documents=[entry.id], fields=correction.keys):
            await run_in_threadpool(backend.correct, entry.id, correction)
    return RedirectResponse(link(entry.id, collection=collection), 303)


def _changed(entry: DocumentRecord, given: dict[str, str]) -> dict[str, str]:
    """The values that differ from those the form showed."""
    profile = entry.profile
    shown = {
        "title": entry.title,
        "kind": profile.kind,
        "parties": "; ".join(profile.parties),
        "date": profile.iso_date,
        "matter": entry.matter,
    }
    return {key: value for key, value in given.items() if " ".join(value.split()) != " ".join(shown[key].split())}
