"""The search page: a question and the passages that answer it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from pincite.errors import UsageError
from pincite.search import SearchRequest
from pincite.search.highlight import flowing, in_context, is_doubtful, matched_words
from pincite.serve.errors import Refused
from pincite.serve.pages.templates import PageFilters, Text, choices, link, rendered
from pincite.serve.problems import problem_of
from pincite.serve.state import backend_for, noted
from pincite.text import Hit

router = APIRouter()
AROUND = 240
"""Characters shown before and after a hit."""


@dataclass(frozen=True, slots=True)
class Card:
    """A hit as it is shown in the list."""

    hit: Hit
    before: str
    marked: str
    behind: str
    citation: str
    link: str
    matched: Sequence[str]

    @property
    def doubtful(self) -> bool:
        return is_doubtful(self.hit)


@router.get("/")
async def search_page(request: Request, q: Text = "", k: int = 10, fast: bool = False) -> Response:
    """The form, and the passages that answer the question."""
    filters = PageFilters.of(request)
    backend = backend_for(request, filters.collection)
    entries = await run_in_threadpool(backend.documents)
    shown: dict[str, Any] = {
        "q": q,
        "filters": filters,
        "fast": fast,
        "choices": choices(entries),
        "count": len(entries),
    }
    if not q.strip():
        return rendered(request, "search.html", answer=None, cards=[], problem="", **shown)
    try:
        where = filters.to_filter([filters.document] if filters.document else [])
        asked = SearchRequest(q, min(max(k, 1), backend.settings.most_hits), where, fast=fast)
        answer = await run_in_threadpool(backend.search, asked)
    except (Refused, UsageError) as error:
        status = problem_of(error)[0]["status"]
        return rendered(request, "search.html", status, answer=None, cards=[], problem=str(error), **shown)
    found = list(dict.fromkeys(hit.document_id for hit in answer))
    noted(request, backend, "search", question=q, documents=found)
    cards = [_card(q, answer.question, hit, filters.collection) for hit in answer]
    return rendered(request, "search.html", answer=answer, cards=cards, problem="", **shown)


def _card(question: str, asked: str, hit: Hit, collection: str) -> Card:
    before, marked, behind = in_context(question, hit, AROUND)
    place = link(hit.document_id, start=hit.start, end=hit.end, q=question, collection=collection)
    parts = (flowing(before), flowing(marked), flowing(behind))
    return Card(hit, *parts, hit.citation, f"{place}#hit", matched_words(asked, hit))
