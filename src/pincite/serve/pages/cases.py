"""The page of cases like a judgment: the two stretches that match best side by side, what both cite, and why."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from pincite.errors import PinciteError
from pincite.search.highlight import flowing
from pincite.serve.backend import Backend
from pincite.serve.case_search import CaseQuestion, cases_like, text_of_file
from pincite.serve.errors import Invalid
from pincite.serve.pages.templates import Text, check_token, rendered
from pincite.serve.problems import problem_of
from pincite.serve.state import backend_for, noted
from pincite.text import Filter

router = APIRouter()
FIELDS = ("document", "court", "after", "before", "date", "later", "collection")
WORD_FILE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_WORDS = re.compile(r"([^\W_]+)")


@router.get("/cases")
async def cases_page(request: Request, document: Text = "", form: str = "") -> Response:
    """Cases like one of the collection, as a page or as a file."""
    given = {name: request.query_params.get(name, "").strip()[:1000] for name in FIELDS}
    backend = backend_for(request, given["collection"])
    if not document.strip():
        return await _page(request, backend, given)
    return await _found(request, backend, given, "", form)


@router.post("/cases")
async def cases_like_another(request: Request) -> Response:
    """Cases like an uploaded or pasted judgment."""
    largest = request.app.state.pincite.settings.file_bytes
    async with request.form(max_files=2, max_fields=20, max_part_size=largest) as sent:
        check_token(request, str(sent.get("token", "")))
        given = {name: str(sent.get(name, "")).strip()[:1000] for name in FIELDS} | {"document": ""}
        text, form, file = str(sent.get("text", "")), str(sent.get("form", "")), sent.get("file")
        data = (file.filename, await file.read()) if isinstance(file, UploadFile) and file.filename else None
    backend = backend_for(request, given["collection"])
    try:
        if data:
            text = await run_in_threadpool(text_of_file, backend, *data)
        if not text.strip():
            raise Invalid("choose a file, or paste the text of a judgment")
    except PinciteError as error:
        return await _page(request, backend, given, problem_of(error)[0]["status"], problem=str(error))
    return await _found(request, backend, given, text, form)


async def _found(request: Request, backend: Backend, given: Mapping[str, str], text: str, form: str) -> Response:
    try:
        where = Filter.of({name: given[name] for name in ("court", "after", "before")})
        asked = CaseQuestion(given["document"], text, 10, where, given["later"] == "true", given["date"])
        answer = await run_in_threadpool(cases_like, backend, asked)
    except PinciteError as error:
        status = problem_of(error)[0]["status"]
        return await _page(request, backend, given, status, problem=str(error), text=text)
    noted(request, backend, "cases", documents=[case.case.document for case in answer.cases])
    if form in ("csv", "docx"):
        from pincite.cases.similar_export import as_csv, as_docx

        if form == "csv":
            return _file("\ufeff" + as_csv(answer), "text/csv; charset=utf-8", "cases.csv")
        return _file(await run_in_threadpool(as_docx, answer), WORD_FILE, "cases.docx")
    return await _page(request, backend, given, answer=answer, text=text)


async def _page(
    request: Request,
    backend: Backend,
    given: Mapping[str, str],
    status: int = 200,
    **more: Any,
) -> Response:
    entries = await run_in_threadpool(backend.documents)
    courts = sorted({court for entry in entries if (court := entry.described.get("court", ""))})
    kept = {name: value for name, value in given.items() if value}
    exports = {kind: f"/cases?{urlencode({**kept, 'form': kind})}" for kind in ("csv", "docx")}
    shown = {"answer": None, "text": "", "problem": "", **more}
    return rendered(
        request,
        "cases.html",
        status,
        collection=backend.name,
        given=given,
        entries=entries[:2000],
        courts=courts[:500],
        exports=exports,
        marked=marked,
        **shown,
    )


def marked(text: str, words: tuple[str, ...]) -> list[tuple[str, bool]]:
    """The text in pieces, and whether each is one of the words.

    >>> marked("Rent in arrears.", ("arrears",))
    [('Rent in ', False), ('arrears', True), ('.', False)]
    """
    found: list[tuple[str, bool]] = []
    for piece in _WORDS.split(flowing(text)):
        is_word = piece.lower() in words
        if found and found[-1][1] == is_word:
            found[-1] = (found[-1][0] + piece, is_word)
        elif piece:
            found.append((piece, is_word))
    return found


def _file(content: str | bytes, kind: str, name: str) -> Response:
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})
