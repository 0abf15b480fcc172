"""The question, and what answers it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from pincite.retrieve.answered import flowing, in_context, matched_words
from pincite.serve.backend import Search
from pincite.serve.failures import Refused
from pincite.serve.pages.rendering import Filters, Text, choices, link, rendered
from pincite.serve.state import backend_for, noted
from pincite.text import Hit
from pincite.text.citation import citation

router = APIRouter()
AROUND = 240
"""So many characters stand before and behind a hit."""
DOUBTFUL = 0.2


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
        part = self.hit.parts.get("answers")
        return part is not None and part.score < DOUBTFUL


@router.get("/")
async def search_page(request: Request, q: Text = "", k: int = 10, fast: bool = False) -> Response:
    """The question, and what answers it."""
    filters = Filters.of(request)
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
    named = [filters.document] if filters.document else []
    search = Search(
        q, min(max(k, 1), backend.settings.most_hits), named, filters.metadata(), filters.after, filters.before, fast
    )
    try:
        answer = await run_in_threadpool(backend.search, search)
    except Refused as error:
        return rendered(request, "search.html", error.status, answer=None, cards=[], problem=str(error), **shown)
    found = list(dict.fromkeys(hit.passage.document_id for hit in answer.hits))
    noted(request, backend, "search", question=q, documents=found)
    cards = [_card(q, answer.asked or q, hit, filters.collection) for hit in answer.hits]
    return rendered(request, "search.html", answer=answer, cards=cards, problem="", **shown)


def _card(question: str, asked: str, hit: Hit, collection: str) -> Card:
    before, marked, behind = in_context(question, hit, AROUND)
    place = link(hit.passage.document_id, start=hit.start, end=hit.end, q=question, collection=collection)
    parts = (flowing(before), flowing(marked), flowing(behind))
    return Card(hit, *parts, citation(hit), f"{place}#hit", matched_words(asked, hit))
