"""Rendering of pages: templates, the session that begins with the first page, and the CSRF token of forms."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote, urlencode

from fastapi import Query, Request
from fastapi.responses import HTMLResponse, Response, StreamingResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from pincite.engine.records import DocumentRecord
from pincite.index.corrections import corrected_fields
from pincite.index.facets import counted_values
from pincite.search.highlight import flowing
from pincite.serve.errors import Forbidden
from pincite.serve.row_stream import RowStream, sent
from pincite.serve.sessions import COOKIE
from pincite.serve.state import state_of
from pincite.text import Filter
from pincite.text.conditions import KIND, MATTER, PARTY
from pincite.text.kinds import KINDS, kind_named
from pincite.text.passage import Edges
from pincite.text.title_case import title_case

_PAGES = Environment(
    loader=PackageLoader("pincite.serve"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
MOST_CHOICES = 500
"""Values that a filter offers."""
_PAGES.filters["flowing"] = flowing
_PAGES.filters["title_case"] = title_case

Text = Annotated[str, Query(max_length=20_000)]
Collection = Annotated[str, Query(max_length=200)]


@dataclass(frozen=True, slots=True)
class PageFilters:
    """The filters in the form of a page."""

    document: str = ""
    kind: str = ""
    party: str = ""
    after: str = ""
    before: str = ""
    matter: str = ""
    collection: str = ""

    def to_filter(self, documents: Sequence[str] = ()) -> Filter | None:
        names = ("kind", "party", "after", "before", "matter")
        more = {name: getattr(self, name) for name in names}
        return Filter.of({"documents": list(documents), **more})

    def query(self) -> dict[str, str]:
        """The filters as query parameters."""
        names = ("document", "kind", "party", "after", "before", "matter", "collection")
        return {name: getattr(self, name) for name in names if getattr(self, name)}

    @classmethod
    def of(cls, request: Request) -> "PageFilters":
        given = request.query_params
        values = {name: given.get(name, "").strip()[:500] for name in cls.__dataclass_fields__}
        return cls(**{**values, "kind": kind_named(values["kind"]) or values["kind"]})


class PlaceLink(NamedTuple):
    """A link to a place in a document, and what it is called."""

    name: str
    link: str


def link(document_id: str, **more: Any) -> str:
    """The address of a document, and of a place in it."""
    given = {key: value for key, value in more.items() if value not in ("", None)}
    return f"/documents/{quote(document_id)}" + (f"?{urlencode(given)}" if given else "")


def written_places(places: Iterable[Edges]) -> str:
    """Places in a document as a link carries them.

    >>> written_places([(120, 340), (500, 620)])
    '120-340.500-620'
    """
    return ".".join(f"{start}-{end}" for start, end in places)


def read_places(text: str, length: int) -> list[Edges]:
    """The places that a link carries, as far as they lie in a document of that length.

    >>> read_places("120-340.500-620.x.7-3", 600)
    [(120, 340)]
    """
    found = [re.fullmatch(r"(\d{1,9})-(\d{1,9})", part) for part in text.split(".")]
    edges = [(int(place[1]), int(place[2])) for place in found if place]
    return [(start, end) for start, end in edges if start < end <= length]


_PAGES.globals["link"] = link
_PAGES.globals["corrected"] = corrected_fields
_PAGES.globals["kinds"] = tuple(KINDS)


def rendered(request: Request, name: str, status: int = 200, *, collection: str = "", **what: Any) -> HTMLResponse:
    """Renders a page. The first one begins a session, so that its forms have a token."""
    cookie, fresh = _session(request)
    answer = HTMLResponse(_PAGES.get_template(name).render(_shown(request, cookie, collection), **what), status)
    if fresh:
        set_cookie(request, answer, cookie)
    return answer


def streamed(request: Request, name: str, rows: RowStream[Any], **what: Any) -> StreamingResponse:
    """Renders a page bit by bit: its rows are sent as they are found."""
    cookie, fresh = _session(request)
    pieces = _PAGES.get_template(name).generate(_shown(request, cookie, ""), rows=rows, **what)
    answer = StreamingResponse(sent(pieces, rows), media_type="text/html")
    if fresh:
        set_cookie(request, answer, cookie)
    return answer


def _session(request: Request) -> tuple[str, bool]:
    """The cookie of the session, and whether it has just begun."""
    state, cookie = state_of(request), request.state.cookie
    if not cookie or state.sessions.name(cookie) is None:
        return state.sessions.begin(""), True
    return cookie, False


def _shown(request: Request, cookie: str, collection: str) -> dict[str, Any]:
    """What every page shows."""
    state, who = state_of(request), getattr(request.state, "who", None)
    may_read = [name for name in state.backends if who and who.may("read", name)]
    given = collection or request.query_params.get("collection", "")
    here = given if given in may_read else (may_read[0] if may_read else "")
    return {
        "token": state.sessions.token(cookie),
        "who": who,
        "collections": may_read,
        "collection": here,
        "several": len(may_read) > 1,
        "may_write": bool(who and here and who.may("write", here)),
        "has_login": state.auth is not None,
        "has_reports": state.reports is not None,
        "path": request.url.path,
    }


def set_cookie(request: Request, answer: Response, value: str) -> None:
    state = state_of(request)
    answer.set_cookie(COOKIE, value, max_age=state.sessions.seconds, httponly=True, samesite="lax", secure=state.secure)


def problem_page(request: Request, body: Mapping[str, Any], headers: dict[str, str]) -> Response:
    """An error as a page."""
    answer = rendered(request, "problem.html", int(body["status"]), problem=body)
    answer.headers.update(headers)
    return answer


class Choices(NamedTuple):
    """The values that the filters offer, each with its number of documents."""

    kind: Mapping[str, int]
    party: Mapping[str, int]
    matter: Mapping[str, int]
    document: Sequence[str]


def choices(entries: Sequence[DocumentRecord]) -> Choices:
    """What the filters offer for some documents."""
    if not entries:
        return Choices({}, {}, {}, ())
    counted = counted_values(entries, (), MOST_CHOICES)
    kinds, parties, matters = (dict(sorted(counted.get(key, {}).items())) for key in (KIND, PARTY, MATTER))
    return Choices(kinds, parties, matters, [entry.id for entry in entries[:MOST_CHOICES]])


def check_token(request: Request, token: str) -> None:
    if not state_of(request).sessions.fits(request.state.cookie, token):
        raise Forbidden("the form has expired or comes from another website; reload the page and try again")
