"""The page that asks one question of many documents, as a table or as a file."""

from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from pincite.compare.export import as_csv, as_docx
from pincite.errors import UsageError
from pincite.serve.errors import Refused
from pincite.serve.pages.templates import PageFilters, Text, choices, rendered
from pincite.serve.problems import problem_of
from pincite.serve.state import backend_for, noted

router = APIRouter()


@router.get("/compare")
async def compare_page(request: Request, q: Text = "", form: str = "", sort: str = "") -> Response:
    """One question asked of many documents, as a table or as a file."""
    filters = PageFilters.of(request)
    backend = backend_for(request, filters.collection)
    entries = await run_in_threadpool(backend.documents)
    picked = [name for name in request.query_params.getlist("documents") if name]
    shown: dict[str, Any] = {
        "q": q,
        "filters": filters,
        "choices": choices(entries),
        "entries": entries,
        "picked": picked,
        "sort": sort,
    }
    if not q.strip():
        return rendered(request, "compare.html", rows=None, problem="", exports={}, **shown)
    try:
        rows = await run_in_threadpool(backend.compare, q, filters.to_filter(picked))
    except (Refused, UsageError) as error:
        status = problem_of(error)[0]["status"]
        return rendered(request, "compare.html", status, rows=None, problem=str(error), exports={}, **shown)
    found = [row.document for row in rows]
    noted(request, backend, "compare", question=q, documents=found)
    orders = {
        "document": lambda row: row.title.lower(),
        "page": lambda row: (row.found is None, (row.found.page or 0) if row.found else 0),
        "likelihood": lambda row: -(row.likelihood or 0.0),
    }
    if sort in orders:
        rows = sorted(rows, key=orders[sort])
    if form == "csv":
        return _file("\ufeff" + as_csv(rows), "text/csv; charset=utf-8", "comparison.csv")
    if form == "docx":
        word = await run_in_threadpool(as_docx, q, rows)
        kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        return _file(word, kind, "comparison.docx")
    given = [("q", q), *filters.query().items(), *(("documents", name) for name in picked)]
    shown_as = [*given, ("sort", sort)] if sort in orders else given
    exports = {kind: "/compare?" + urlencode([*shown_as, ("form", kind)]) for kind in ("csv", "docx")}
    sorts = {name: "/compare?" + urlencode([*given, ("sort", name)]) for name in orders}
    return rendered(request, "compare.html", rows=rows, problem="", exports={**exports, "sorts": sorts}, **shown)


def _file(content: str | bytes, kind: str, name: str) -> Response:
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})
