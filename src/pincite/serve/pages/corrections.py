"""The form on a document's page that corrects its title, kind, parties and date."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from pincite.engine.records import DocumentRecord
from pincite.index.corrections import Correction
from pincite.serve.pages.templates import check_token, link
from pincite.serve.state import backend_for, noted

router = APIRouter()
Field = Annotated[str | None, Form(max_length=20_000)]


@router.post("/documents/set")
async def correct_page(
    request: Request,
    document: Annotated[str, Form()],
    token: Annotated[str, Form()] = "",
    collection: Annotated[str, Form()] = "",
    title: Field = None,
    kind: Field = None,
    parties: Field = None,
    date: Field = None,
) -> Response:
    """Corrects what was changed in the form; a field that was emptied takes its correction back."""
    check_token(request, token)
    backend = backend_for(request, collection, "write")
    entry = await run_in_threadpool(backend.document, document)
    names = None if parties is None else "; ".join(line.strip() for line in parties.splitlines() if line.strip())
    given = {"title": title, "kind": kind, "parties": names, "date": date}
    correction = Correction(_changed(entry, {key: value for key, value in given.items() if value is not None}))
    if correction:
        await run_in_threadpool(backend.correct, entry.id, correction)
        noted(request, backend, "set", documents=[entry.id], fields=correction.keys)
    return RedirectResponse(link(entry.id, collection=collection), 303)


def _changed(entry: DocumentRecord, given: dict[str, str]) -> dict[str, str]:
    """The values that differ from those the form showed."""
    profile = entry.profile
    shown = {
        "title": entry.title,
        "kind": profile.kind,
        "parties": "; ".join(profile.parties),
        "date": profile.iso_date,
    }
    return {key: value for key, value in given.items() if " ".join(value.split()) != " ".join(shown[key].split())}
