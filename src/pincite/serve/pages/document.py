"""The page of a document: outline, highlighted passage, next and previous hit, find, pages as images."""

from collections.abc import Iterable
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from pincite.compare.page_images import has_pages
from pincite.index.listing import outline
from pincite.search import SearchRequest
from pincite.search.whole import lead_ins, references, terms_used
from pincite.serve.highlight import Highlight, blocks, occurrences
from pincite.serve.pages.templates import Collection, PlaceLink, Text, link, read_places, rendered, written_places
from pincite.serve.state import backend_for, noted
from pincite.serve.validation import checked_range
from pincite.text import Filter
from pincite.text.passage import Edges
from pincite.text.shown_text import ShownText
from pincite.text.units import LoadedDocument

router = APIRouter()
HITS_IN_DOCUMENT = 10
"""Hits of the question that are highlighted."""
MOST_FOUND = 1000
"""Highlighted occurrences of the words to find."""
OUTLINE_WORDS = 36
"""Characters shown after a bare number in the outline."""
FAR_ABOVE = 200
"""Characters that a heading may stand before the text under it."""


@router.get("/documents/{document_id:path}")
async def document_page(
    request: Request,
    document_id: str,
    start: int | None = None,
    end: int | None = None,
    q: Text = "",
    find: Annotated[str, Query(max_length=200)] = "",
    places: Annotated[str, Query(max_length=4000)] = "",
    collection: Collection = "",
) -> Response:
    """A document with its outline. The passage is highlighted and scrolled to. `places` are the hits of the answer that
    led here: nothing is searched again. A question without them is asked of the document."""
    backend = backend_for(request, collection)
    loaded = await run_in_threadpool(backend.loaded, document_id)
    entry = await run_in_threadpool(backend.document, document_id)
    document = loaded.document
    marks: list[Highlight] = []
    hits: list[Highlight] = []
    at: int | None = None
    terms: list[PlaceLink] = []
    refers_to: list[PlaceLink] = []
    if start is not None and end is not None:
        edges = checked_range(start, end, len(document.text))
        marks.append(Highlight(*edges, "hit"))

        def links(named: Iterable[tuple[str, int, int]]) -> list[PlaceLink]:
            to = partial(link, entry.id, q=q, places=places, collection=collection)
            return [PlaceLink(name, f"{to(start=first, end=last)}#hit") for name, first, last in named]

        leading = await run_in_threadpool(_leading, loaded, edges)
        marks += [Highlight(first, last, f"lead-{first}") for first, last in leading]
        terms = links(await run_in_threadpool(terms_used, loaded, edges))
        refers_to = links(await run_in_threadpool(references, loaded, edges))
    others = [Highlight(*edges, f"other-{edges[0]}") for edges in read_places(places, len(document.text))]
    if q.strip() and not others:
        where = Filter(documents=(entry.id,))
        asked = SearchRequest(q, min(HITS_IN_DOCUMENT, backend.settings.most_hits), where, fast=True)
        answer = await run_in_threadpool(backend.search, asked)
        others = [Highlight(hit.start, hit.end, f"other-{hit.start}") for hit in answer]
        places = written_places((hit.start, hit.end) for hit in answer)
    if others:
        chosen = marks[:1]
        hits = sorted([*chosen, *(mark for mark in others if not any(_meet(mark, place) for place in chosen))])
        at = hits.index(chosen[0]) if chosen else None
        marks += others
    text = ShownText.of(document.text, document.source.hidden or ())
    found = [text.edges(*place) for place in await run_in_threadpool(occurrences, text.text, find, MOST_FOUND)]
    marks += [Highlight(first, last, f"find-{place}") for place, (first, last) in enumerate(found)]
    noted(request, backend, "read", documents=[document_id], start=start, end=end, question=q)
    shown: dict[str, Any] = {"entry": entry, "document": document, "q": q, "find": find, "found": found}
    shown["places"] = places
    headings = [
        (level, heading, text.at(_placed(heading, text.text, text.inside(at))))
        for level, heading, at in outline(loaded)
    ]
    pictured = has_pages(document)
    cited = ""
    if start is not None and end is not None:
        cited = (await run_in_threadpool(backend.excerpt, document_id, start, end)).hit.citation
    page = document.page_at(start) if start is not None else None
    return rendered(
        request,
        "document.html",
        **shown,
        blocks=await run_in_threadpool(blocks, document, marks, {place: heading for _, heading, place in headings}),
        outline=[(level, _said(heading, text.text, text.inside(start)), start) for level, heading, start in headings],
        hits=hits,
        at=at,
        start=start,
        end=end,
        page=page,
        pictured=pictured,
        cited=cited,
        terms=terms,
        refers_to=refers_to,
        leads_in=any(mark.kind == "lead" for mark in marks),
        remarks=(await run_in_threadpool(backend.remarks, [entry]))[0],
    )


def _leading(loaded: LoadedDocument, edges: Edges) -> tuple[Edges, ...]:
    """What leads into a passage that begins with a unit."""
    units = loaded.units
    first = int(units.starts.searchsorted(edges[0]))
    if first >= len(units) or int(units.starts[first]) != edges[0]:
        return ()
    last = max(first, int(units.ends.searchsorted(edges[1], side="right")) - 1)
    return lead_ins(loaded, first, last)


def _meet(one: Highlight, other: Highlight) -> bool:
    return one.start < other.end and other.start < one.end


def _placed(heading: str, text: str, start: int) -> int:
    """The offset of a heading itself: the last occurrence of its words before the text under it."""
    first = max(0, start - FAR_ABOVE - len(heading))
    found = occurrences(text[first : start + 2 * len(heading)], heading, MOST_FOUND)
    return next((first + place for place, _ in reversed(found) if first + place <= start), start)


def _said(heading: str, text: str, start: int) -> str:
    """A heading for the outline. A bare number gets the words that follow it."""
    if any(letter.isalpha() for letter in heading.strip("()")):
        return heading
    following = " ".join(text[start : start + 120].split()).removeprefix(heading).lstrip(" .)")
    return f"{heading} {following[:OUTLINE_WORDS].rsplit(' ', 1)[0]} …" if following else heading
