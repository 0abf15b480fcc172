"""The search page: a question and the passages that answer it, or the document that it names at a glance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from pincite.engine.records import DocumentRecord
from pincite.errors import UsageError
from pincite.query.spelling import notes as spelling_notes
from pincite.search import Answer, SearchRequest
from pincite.search.highlight import ShownPiece, flowing, is_doubtful, matched_words, shown_pieces
from pincite.search.overview import Overview
from pincite.search.run import ALIKE, WHICH
from pincite.serve.errors import Refused
from pincite.serve.pages.templates import PageFilters, PlaceLink, Text, choices, link, rendered, written_places
from pincite.serve.problems import problem_of
from pincite.serve.state import backend_for, noted
from pincite.text import Hit
from pincite.text.passage import Edges
from pincite.text.title_case import title_case
from pincite.text.units import LoadedDocument

router = APIRouter()
AROUND = 240
"""Characters shown before and after a hit."""
MOST_MEANT = 8
"""Documents to choose from where several fit alike."""


@dataclass(frozen=True, slots=True)
class Card:
    """A hit as it is shown in the list."""

    hit: Hit
    pieces: Sequence[ShownPiece]
    citation: str
    link: str
    matched: Sequence[str]
    terms: Sequence[PlaceLink]
    refers_to: Sequence[PlaceLink]
    also: Sequence[PlaceLink]

    @property
    def doubtful(self) -> bool:
        return is_doubtful(self.hit)


class CardGroup(NamedTuple):
    """The cards of one document; `document` is "" where cards are not grouped."""

    document: str
    title: str
    link: str
    cards: Sequence[Card]


class OutlineLink(NamedTuple):
    """A heading of a document at a glance."""

    level: int
    text: str
    link: str


@dataclass(frozen=True, slots=True)
class Glance:
    """A document at a glance, with a link to each heading."""

    overview: Overview
    link: str
    outline: Sequence[OutlineLink]

    @property
    def facts(self) -> list[tuple[str, str]]:
        said = self.overview.facts
        return [(name, title_case(words) if name == "parties" else words) for name, words in said.items()]


class Meant(NamedTuple):
    """A document that fits as well as others, and the address of the same search in it alone."""

    document: str
    title: str
    link: str


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer as the page shows it."""

    answer: Answer
    groups: Sequence[CardGroup]
    glance: Glance | None
    meant: Sequence[Meant]

    @property
    def count(self) -> int:
        return sum(len(group.cards) for group in self.groups)

    @property
    def notes(self) -> list[str]:
        """The notes that the page does not say in another way."""
        said = spelling_notes(self.answer.understood.corrections)
        which = WHICH.partition("{")[0]
        return [note for note in self.answer.notes if note not in said and not note.startswith(which)]


@router.get("/")
async def search_page(request: Request, q: Text = "", k: int = 10, fast: bool = False) -> Response:
    """The form, and the passages that answer the question."""
    filters = PageFilters.of(request)
    backend = backend_for(request, filters.collection)
    entries = await run_in_threadpool(backend.documents)
    form: dict[str, Any] = {
        "q": q,
        "filters": filters,
        "fast": fast,
        "choices": choices(entries),
        "count": len(entries),
    }
    if not q.strip():
        return rendered(request, "search.html", shown=None, problem="", **form)
    try:
        where = filters.to_filter([filters.document] if filters.document else [])
        asked = SearchRequest(q, min(max(k, 1), backend.settings.most_hits), where, fast=fast)
        answer = await run_in_threadpool(backend.search, asked)
    except (Refused, UsageError) as error:
        status = problem_of(error)[0]["status"]
        return rendered(request, "search.html", status, shown=None, problem=str(error), **form)
    found = list(dict.fromkeys(hit.document_id for hit in answer))
    noted(request, backend, "search", question=q, documents=found)
    glance = None
    if answer.overview:
        loaded = await run_in_threadpool(backend.loaded, answer.overview.document)
        glance = _glance(q, answer.overview, loaded, filters.collection)
    answered = Answered(
        answer, _groups(q, answer, filters.collection), glance, _meant(q, answer, filters, fast, entries)
    )
    return rendered(request, "search.html", shown=answered, problem="", **form)


def _groups(question: str, answer: Answer, collection: str) -> list[CardGroup]:
    """The cards by document where a set of documents is asked about, or none is named and several answer."""
    within: dict[str, list[Edges]] = {}
    for hit in answer:
        within.setdefault(hit.document_id, []).append((hit.start, hit.end))
    places = {name: written_places(edges) for name, edges in within.items()}
    cards = {hit.rank: _card(question, answer.question, hit, places, collection) for hit in answer}
    asked = answer.understood
    if not asked.asked.across and (asked.documents or len(answer.groups) < 2):
        return [CardGroup("", "", "", list(cards.values()))] if cards else []
    return [
        CardGroup(
            group.document,
            title_case(group.hits[0].title) or group.document,
            link(group.document, q=question, collection=collection),
            [cards[hit.rank] for hit in group.hits],
        )
        for group in answer.groups
    ]


def _glance(question: str, overview: Overview, loaded: LoadedDocument, collection: str) -> Glance:
    """A document at a glance. A heading leads to the first sentence under it; bare numbers below the first level say
    nothing and are left out."""
    name, units = overview.document, loaded.units
    outline = []
    for level, text, start in overview.outline:
        if level and not any(letter.isalpha() for letter in text):
            continue
        at = min(int(units.ends.searchsorted(start, side="right")), len(units) - 1)
        first, last = units.edges(at)
        place = link(name, start=first, end=last, q=question, collection=collection)
        outline.append(OutlineLink(level, " ".join(text.split()), f"{place}#hit"))
    return Glance(overview, link(name, collection=collection), outline)


def _meant(
    question: str, answer: Answer, filters: PageFilters, fast: bool, entries: Sequence[DocumentRecord]
) -> list[Meant]:
    """The documents that fit alike, unless one was chosen."""
    found = answer.understood.documents
    alike = [match.id for match in found if match.belief >= ALIKE * found[0].belief]
    if len(alike) < 2 or filters.document:
        return []
    titles = {entry.id: title_case(entry.title) for entry in entries}
    same = {"q": question, **filters.query(), **({"fast": "true"} if fast else {})}
    return [
        Meant(name, titles.get(name) or name, f"/?{urlencode({**same, 'document': name})}")
        for name in alike[:MOST_MEANT]
    ]


def _card(question: str, asked: str, hit: Hit, places: Mapping[str, str], collection: str) -> Card:
    """A hit as it is shown. Its links carry the other hits in the document, so that opening one searches nothing."""

    def place(document_id: str, start: int, end: int) -> str:
        beside = places.get(document_id, "")
        return f"{link(document_id, start=start, end=end, q=question, places=beside, collection=collection)}#hit"

    here = hit.document_id
    pieces = [piece._replace(text=flowing(piece.text)) for piece in shown_pieces(question, hit, AROUND)]
    also = [PlaceLink(one.document_id, place(one.document_id, one.start, one.end)) for one in hit.also]
    terms, refers_to = (
        [PlaceLink(name, place(here, start, end)) for name, start, end in named] for named in (hit.terms, hit.refers_to)
    )
    own = place(here, hit.start, hit.end)
    return Card(hit, pieces, hit.citation, own, matched_words(asked, hit), terms, refers_to, also)
