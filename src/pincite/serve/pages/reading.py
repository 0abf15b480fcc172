"""A document with its outline, opened at a place; next and previous hit, find, pages as pictures."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from pincite.index.listing import outline
from pincite.serve.backend import Search
from pincite.serve.checking import checked_range
from pincite.serve.marking import Mark, blocks, occurrences
from pincite.serve.pages.rendering import Collection, Text, rendered
from pincite.serve.state import backend_for, noted
from pincite.text.citation import citation

router = APIRouter()
HITS_IN_DOCUMENT = 10
MOST_FOUND = 1000
OUTLINE_WORDS = 36
"""Letters behind a number in the outline."""
FAR_ABOVE = 200
"""A heading stands at most so far above what it is the heading of."""


@router.get("/documents/{document_id:path}")
async def document_page(
    request: Request,
    document_id: str,
    start: int | None = None,
    end: int | None = None,
    q: Text = "",
    find: Annotated[str, Query(max_length=200)] = "",
    collection: Collection = "",
) -> Response:
    """A document with its outline; the hit is marked, and scrolled to."""
    backend = backend_for(request, collection)
    held = await run_in_threadpool(backend.held, document_id)
    entry = await run_in_threadpool(backend.document, document_id)
    document = held.document
    marks: list[Mark] = []
    hits: list[Mark] = []
    at: int | None = None
    if start is not None and end is not None:
        marks.append(Mark(*checked_range(start, end, len(document.text)), "hit"))
    if q.strip():
        search = Search(q, min(HITS_IN_DOCUMENT, backend.settings.most_hits), [document_id], fast=True)
        answer = await run_in_threadpool(backend.search, search)
        others = [Mark(hit.start, hit.end, f"other-{hit.start}") for hit in answer.hits]
        asked = marks[:1]
        hits = sorted([*asked, *(mark for mark in others if not any(_meet(mark, place) for place in asked))])
        at = hits.index(asked[0]) if asked else None
        marks += others
    found = occurrences(document.text, find, MOST_FOUND) if find.strip() else []
    marks += [Mark(first, last, f"find-{place}") for place, (first, last) in enumerate(found)]
    noted(request, backend, "read", documents=[document_id], start=start, end=end, question=q)
    shown: dict[str, Any] = {"entry": entry, "document": document, "q": q, "find": find, "found": found}
    headings = [(level, heading, _placed(heading, document.text, at)) for level, heading, at in outline(held)]
    pictured = document.source.reader == "pdf"
    cited = ""
    if start is not None and end is not None:
        cited = citation((await run_in_threadpool(backend.excerpt, document_id, start, end)).hit)
    page = document.page_at(start) if start is not None else None
    return rendered(
        request,
        "document.html",
        **shown,
        blocks=await run_in_threadpool(blocks, document, marks, {place: heading for _, heading, place in headings}),
        outline=[(level, _said(heading, document.text, start), start) for level, heading, start in headings],
        hits=hits,
        at=at,
        start=start,
        end=end,
        page=page,
        pictured=pictured,
        cited=cited,
    )


def _meet(one: Mark, other: Mark) -> bool:
    return one.start < other.end and other.start < one.end


def _placed(heading: str, text: str, start: int) -> int:
    """Where a heading itself stands: the last place where its words do before what it stands above."""
    first = max(0, start - FAR_ABOVE - len(heading))
    found = occurrences(text[first : start + 2 * len(heading)], heading, MOST_FOUND)
    return next((first + place for place, _ in reversed(found) if first + place <= start), start)


def _said(heading: str, text: str, start: int) -> str:
    """A heading for the outline; behind a bare number stand the words that follow it."""
    if any(letter.isalpha() for letter in heading.strip("()")):
        return heading
    following = " ".join(text[start : start + 120].split()).removeprefix(heading).lstrip(" .)")
    return f"{heading} {following[:OUTLINE_WORDS].rsplit(' ', 1)[0]} …" if following else heading
