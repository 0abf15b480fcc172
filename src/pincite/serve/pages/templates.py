"""Rendering of pages: templates, the session that begins with the first page, and the CSRF token of forms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote, urlencode

from fastapi import Query, Request
from fastapi.responses import HTMLResponse, Response
from jinja2 import Environment, PackageLoader, StrictUndefined

from pincite.engine.records import DocumentRecord
from pincite.index.corrections import corrected_fields
from pincite.search.highlight import flowing
from pincite.serve.errors import Forbidden
from pincite.serve.sessions import COOKIE
from pincite.serve.state import state_of
from pincite.text import Filter
from pincite.text.kinds import KINDS, kind_named
from pincite.text.title_case import title_case

_PAGES = Environment(
    loader=PackageLoader("pincite.serve"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
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
    collection: str = ""

    def to_filter(self, documents: Sequence[str] = ()) -> Filter | None:
        more = {"kind": self.kind, "party": self.party, "after": self.after, "before": self.before}
        return Filter.of({"documents": list(documents), **more})

    def query(self) -> dict[str, str]:
        """The filters as query parameters."""
        names = ("document", "kind", "party", "after", "before", "collection")
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


_PAGES.globals["link"] = link
_PAGES.globals["corrected"] = corrected_fields
_PAGES.globals["kinds"] = tuple(KINDS)


def rendered(request: Request, name: str, status: int = 200, *, collection: str = "", **what: Any) -> HTMLResponse:
    """Renders a page. The first one begins a session, so that its forms have a token."""
    state, cookie, fresh = state_of(request), request.state.cookie, False
    if not cookie or state.sessions.name(cookie) is None:
        cookie, fresh = state.sessions.begin(""), True
    who = getattr(request.state, "who", None)
    may_read = [name for name in state.backends if who and who.may("read", name)]
    given = collection or request.query_params.get("collection", "")
    here = given if given in may_read else (may_read[0] if may_read else "")
    html = _PAGES.get_template(name).render(
        token=state.sessions.token(cookie),
        who=who,
        collections=may_read,
        collection=here,
        several=len(may_read) > 1,
        may_write=bool(who and here and who.may("write", here)),
        has_login=state.auth is not None,
        has_reports=state.reports is not None,
        path=request.url.path,
        **what,
    )
    answer = HTMLResponse(html, status)
    if fresh:
        set_cookie(request, answer, cookie)
    return answer


def set_cookie(request: Request, answer: Response, value: str) -> None:
    state = state_of(request)
    answer.set_cookie(COOKIE, value, max_age=state.sessions.seconds, httponly=True, samesite="lax", secure=state.secure)


def problem_page(request: Request, body: Mapping[str, Any], headers: dict[str, str]) -> Response:
    """An error as a page."""
    answer = rendered(request, "problem.html", int(body["status"]), problem=body)
    answer.headers.update(headers)
    return answer


def choices(entries: Sequence[DocumentRecord]) -> dict[str, list[str]]:
    """The values that the filters offer."""
    described = [entry.described for entry in entries]
    kinds = sorted({kind_named(said["kind"]) or said["kind"] for said in described if said.get("kind")})
    parties = sorted({party for entry in entries for party in entry.profile.parties})
    return {"kind": kinds[:200], "party": parties[:500], "document": [entry.id for entry in entries[:500]]}


def check_token(request: Request, token: str) -> None:
    if not state_of(request).sessions.fits(request.state.cookie, token):
        raise Forbidden("the form has expired or comes from another website; reload the page and try again")
