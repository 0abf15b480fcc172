"""The page that asks one question of many documents, as a table or as a file."""

from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from pincite.compare import found_first
from pincite.compare.export import MEDIA_TYPES, comparison_rows, exported
from pincite.errors import UsageError
from pincite.serve.errors import Refused
from pincite.serve.pages.templates import PageFilters, Text, choices, rendered, streamed
from pincite.serve.problems import problem_of
from pincite.serve.row_stream import RowStream
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
        records, rows = await run_in_threadpool(backend.compare_each, q, filters.to_filter(picked))
    except (Refused, UsageError) as error:
        status = problem_of(error)[0]["status"]
        return rendered(request, "compare.html", status, rows=None, problem=str(error), exports={}, **shown)
    noted(request, backend, "compare", question=q, documents=[record.id for record in records])
    orders = {
        "document": lambda row: row.title.lower(),
        "page": lambda row: (row.found.page or 0) if row.found else 0,
        "likelihood": lambda row: -(row.likelihood or 0.0),
    }
    if sort in orders or form in MEDIA_TYPES:
        whole = found_first(sorted(await run_in_threadpool(list, rows), key=orders.get(sort, lambda _: 0)))
        if rows.error:
            raise rows.error
        rows = RowStream(row for row in whole)
    if form in MEDIA_TYPES:
        made = await run_in_threadpool(exported, form, q, comparison_rows(whole))
        return _file(made, MEDIA_TYPES[form], f"comparison.{form}")
    given = [("q", q), *filters.query().items(), *(("documents", name) for name in picked)]
    shown_as = [*given, ("sort", sort)] if sort in orders else given
    exports = {kind: "/compare?" + urlencode([*shown_as, ("form", kind)]) for kind in MEDIA_TYPES}
    sorts = {name: "/compare?" + urlencode([*given, ("sort", name)]) for name in orders}
    shown |= {"count": len(records), "exports": {**exports, "sorts": sorts}}
    return streamed(request, "compare.html", rows, problem="", **shown)


def _file(content: str | bytes, kind: str, name: str) -> Response:
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})
