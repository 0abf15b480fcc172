"""The door for people: pages made on the server, which work without script."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from pincite.index.listing import outline
from pincite.index.records import Listed
from pincite.retrieve.answered import flowing, in_context, matched_words
from pincite.serve import comparing
from pincite.serve.backend import Backend, Search
from pincite.serve.checking import checked_range
from pincite.serve.failures import Forbidden, NotFound, Refused, TooMany
from pincite.serve.marking import Mark, blocks, occurrences
from pincite.serve.sessions import COOKIE
from pincite.serve.state import backend_for, state_of
from pincite.text import Hit
from pincite.text.citation import citation

router = APIRouter(include_in_schema=False)
AROUND = 240
HITS_IN_DOCUMENT = 10
MOST_FOUND = 1000
OUTLINE_WORDS = 36
REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

_PAGES = Environment(
    loader=PackageLoader("pincite.serve"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)

Text = Annotated[str, Query(max_length=20_000)]
Collection = Annotated[str, Query(max_length=200)]


@dataclass(frozen=True, slots=True)
class Filters:
    """What the form of a page narrows the search to."""

    document: str = ""
    kind: str = ""
    party: str = ""
    after: str = ""
    before: str = ""
    collection: str = ""

    def metadata(self) -> dict[str, str]:
        return {"kind": self.kind, "party": self.party}

    def query(self) -> dict[str, str]:
        """As it stands in an address."""
        names = ("document", "kind", "party", "after", "before", "collection")
        return {name: getattr(self, name) for name in names if getattr(self, name)}

    @classmethod
    def of(cls, request: Request) -> "Filters":
        given = request.query_params
        return cls(**{name: given.get(name, "").strip()[:500] for name in cls.__dataclass_fields__})


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
        return part is not None and part.score < 0.2


def link(document_id: str, **more: Any) -> str:
    """The address of a document, and of a place in it."""
    given = {key: value for key, value in more.items() if value not in ("", None)}
    return f"/documents/{quote(document_id)}" + (f"?{urlencode(given)}" if given else "")


_PAGES.globals["link"] = link


def rendered(request: Request, name: str, status: int = 200, **what: Any) -> HTMLResponse:
    """A page; a session begins with the first one, so that its forms can carry a token."""
    state, cookie, fresh = state_of(request), request.state.cookie, False
    if not cookie or state.sessions.name(cookie) is None:
        cookie, fresh = state.sessions.begin(""), True
    who = getattr(request.state, "who", None)
    may_read = [name for name in state.backends if who and who.may("read", name)]
    given = request.query_params.get("collection", "")
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
        _set_cookie(request, answer, cookie)
    return answer


def _set_cookie(request: Request, answer: Response, value: str) -> None:
    state = state_of(request)
    answer.set_cookie(
        COOKIE, value, max_age=state.sessions.seconds, httponly=True, samesite="strict", secure=state.secure
    )


def problem_page(request: Request, body: Mapping[str, Any], headers: dict[str, str]) -> Response:
    """What went wrong, for people."""
    answer = rendered(request, "problem.html", int(body["status"]), problem=body)
    answer.headers.update(headers)
    return answer


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
        "choices": _choices(entries),
        "count": len(entries),
    }
    if not q.strip():
        return rendered(request, "search.html", answer=None, cards=[], problem="", **shown)
    named = [filters.document] if filters.document else []
    search = Search(q, min(max(k, 1), 100), named, filters.metadata(), filters.after, filters.before, fast)
    try:
        answer = await run_in_threadpool(backend.search, search)
    except Refused as error:
        return rendered(request, "search.html", error.status, answer=None, cards=[], problem=str(error), **shown)
    found = list(dict.fromkeys(hit.passage.document_id for hit in answer.hits))
    state_of(request).audit(request.state.who.name, "search", backend.name, question=q, documents=found)
    cards = [_card(q, answer.asked or q, hit, filters.collection) for hit in answer.hits]
    return rendered(request, "search.html", answer=answer, cards=cards, problem="", **shown)


def _card(question: str, asked: str, hit: Hit, collection: str) -> Card:
    before, marked, behind = in_context(question, hit, AROUND)
    place = link(hit.passage.document_id, start=hit.start, end=hit.end, q=question, collection=collection)
    parts = (flowing(before), flowing(marked), flowing(behind))
    return Card(hit, *parts, citation(hit), f"{place}#hit", matched_words(asked, hit))


def _choices(entries: Sequence[Listed]) -> dict[str, list[str]]:
    """What the filters can be set to."""
    described = [entry.described for entry in entries]
    kinds = sorted({said["kind"] for said in described if said.get("kind")})
    parties = sorted({party for entry in entries for party in entry.profile.parties})
    return {"kind": kinds[:200], "party": parties[:500], "document": [entry.id for entry in entries[:500]]}


@router.get("/documents")
async def collection_page(request: Request, collection: Collection = "", sort: str = "added") -> Response:
    """The collection: what is in it, and what could not be read."""
    backend = backend_for(request, collection)
    return await _collection(request, backend, sort)


async def _collection(
    request: Request, backend: Backend, sort: str = "added", status: int = 200, **more: Any
) -> Response:
    entries = await run_in_threadpool(backend.documents)
    unread = await run_in_threadpool(backend.unread)
    keys = {
        "title": lambda entry: entry.title.lower(),
        "kind": lambda entry: entry.profile.kind,
        "date": lambda entry: entry.profile.iso_date,
        "pages": lambda entry: -entry.pages,
    }
    if sort in keys:
        entries = sorted(entries, key=keys[sort])
    shown = {"entries": entries, "unread": unread, "sort": sort, "uploaded": [], "problem": "", **more}
    return rendered(request, "collection.html", status, limits=backend.settings, **shown)


@router.post("/documents/add")
async def add_page(request: Request) -> Response:
    """Files from the form of the page."""
    async with request.form(max_files=1000, max_fields=10) as form:
        _check_token(request, str(form.get("token", "")))
        backend = backend_for(request, str(form.get("collection", "")), "write")
        held = [entry for entry in form.getlist("files") if isinstance(entry, UploadFile) and entry.filename]
        files = [(entry.filename or "", await entry.read()) for entry in held]
        replaced = form.get("replace") == "true"
    try:
        done = await run_in_threadpool(backend.add, files, replace=replaced)
    except Refused as error:
        return await _collection(request, backend, status=error.status, problem=str(error))
    for uploaded in done:
        state_of(request).audit(
            request.state.who.name, "add", backend.name, documents=list(uploaded.documents), status=uploaded.status
        )
    return await _collection(request, backend, uploaded=done)


@router.post("/documents/remove")
async def remove_page(
    request: Request,
    document: Annotated[str, Form()],
    token: Annotated[str, Form()] = "",
    collection: Annotated[str, Form()] = "",
) -> Response:
    """Removes a document."""
    _check_token(request, token)
    backend = backend_for(request, collection, "write")
    await run_in_threadpool(backend.remove, [document])
    state_of(request).audit(request.state.who.name, "remove", backend.name, documents=[document])
    return RedirectResponse("/documents" + (f"?{urlencode({'collection': collection})}" if collection else ""), 303)


@router.get("/documents/{document_id:path}")
async def document_page(
    request: Request,
    document_id: str,
    start: int | None = None,
    end: int | None = None,
    q: Text = "",
    find: Text = "",
    collection: Collection = "",
) -> Response:
    """A document with its outline; the hit is marked, and scrolled to."""
    backend = backend_for(request, collection)
    held = await run_in_threadpool(backend.held, document_id)
    entry = await run_in_threadpool(backend.document, document_id)
    document = held.document
    marks: list[Mark] = []
    hits: list[Hit] = []
    at: int | None = None
    if start is not None and end is not None:
        marks.append(Mark(*checked_range(start, end, len(document.text)), "hit"))
    if q.strip():
        search = Search(q, HITS_IN_DOCUMENT, [document_id])
        answer = await run_in_threadpool(backend.search, search)
        hits = sorted(answer.hits, key=lambda hit: hit.start)
        at = next((place for place, hit in enumerate(hits) if start is not None and hit.start <= start < hit.end), None)
        marks += [Mark(hit.start, hit.end, f"other-{hit.start}") for hit in hits]
    found = occurrences(document.text, find, MOST_FOUND) if find.strip() else []
    marks += [Mark(first, last, f"find-{place}") for place, (first, last) in enumerate(found)]
    state_of(request).audit(request.state.who.name, "read", backend.name, documents=[document_id], start=start, end=end)
    shown: dict[str, Any] = {"entry": entry, "document": document, "q": q, "find": find, "found": found}
    headings = outline(held)
    pictured = document.source.reader == "pdf"
    page = document.page_at(start) if start is not None else None
    return rendered(
        request,
        "document.html",
        **shown,
        blocks=blocks(document, marks, [start for _, _, start in headings]),
        outline=[(level, _said(heading, document.text, start), start) for level, heading, start in headings],
        hits=hits,
        at=at,
        start=start,
        end=end,
        page=page,
        pictured=pictured,
        cited=_cited(backend, document_id, start, end) if start is not None and end is not None else "",
    )


def _said(heading: str, text: str, start: int) -> str:
    """A heading for the outline; behind a bare number stand the words that follow it."""
    if any(letter.isalpha() for letter in heading.strip("()")):
        return heading
    following = " ".join(text[start : start + 120].split()).removeprefix(heading).lstrip(" .)")
    return f"{heading} {following[:OUTLINE_WORDS].rsplit(' ', 1)[0]} …" if following else heading


def _cited(backend: Backend, document_id: str, start: int, end: int) -> str:
    return citation(backend.excerpt(document_id, start, end).hit)


@router.get("/compare")
async def compare_page(request: Request, q: Text = "", form: str = "", sort: str = "") -> Response:
    """One question over many documents, as a table or as a file."""
    filters = Filters.of(request)
    backend = backend_for(request, filters.collection)
    entries = await run_in_threadpool(backend.documents)
    picked = [name for name in request.query_params.getlist("documents") if name]
    shown: dict[str, Any] = {
        "q": q,
        "filters": filters,
        "choices": _choices(entries),
        "entries": entries,
        "picked": picked,
        "sort": sort,
    }
    if not q.strip():
        return rendered(request, "compare.html", rows=None, problem="", exports={}, **shown)
    try:
        rows = await run_in_threadpool(backend.compare, q, picked, filters.metadata(), filters.after, filters.before)
    except Refused as error:
        return rendered(request, "compare.html", error.status, rows=None, problem=str(error), exports={}, **shown)
    found = [row.document for row in rows]
    state_of(request).audit(request.state.who.name, "compare", backend.name, question=q, documents=found)
    orders = {
        "document": lambda row: row.title.lower(),
        "page": lambda row: (row.found is None, (row.found.page or 0) if row.found else 0),
        "likelihood": lambda row: -(row.likelihood or 0.0),
    }
    if sort in orders:
        rows = sorted(rows, key=orders[sort])
    if form == "csv":
        return _file("\ufeff" + comparing.as_csv(rows), "text/csv; charset=utf-8", "comparison.csv")
    if form == "docx":
        word = await run_in_threadpool(comparing.as_docx, q, rows)
        kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        return _file(word, kind, "comparison.docx")
    given = [("q", q), *filters.query().items(), *(("documents", name) for name in picked)]
    exports = {kind: "/compare?" + urlencode([*given, ("form", kind)]) for kind in ("csv", "docx")}
    sorts = {name: "/compare?" + urlencode([*given, ("sort", name)]) for name in orders}
    return rendered(request, "compare.html", rows=rows, problem="", exports={**exports, "sorts": sorts}, **shown)


def _file(content: str | bytes, kind: str, name: str) -> Response:
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})


@router.get("/reports")
async def reports_page(request: Request) -> Response:
    """The reports in the folder that the server was told of."""
    folder = state_of(request).reports
    backend_for(request, None)
    return rendered(request, "reports.html", reports=sorted(_reports(folder)) if folder else [])


@router.get("/reports/{name:path}")
async def report(request: Request, name: str) -> Response:
    """A report as it was written; it may neither run script nor ask for anything."""
    backend_for(request, None)
    folder = state_of(request).reports
    found = _reports(folder).get(name) if folder else None
    if found is None:
        raise NotFound("there is no such report")
    html = await run_in_threadpool(found.read_text, "utf-8")
    return HTMLResponse(html, headers={"content-security-policy": REPORT_POLICY})


def _reports(folder: Path) -> dict[str, Path]:
    return {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.html") if path.is_file()}


@router.get("/login")
async def login_page(request: Request, next: str = "/") -> Response:  # noqa: A002 - the name in the address
    return rendered(request, "login.html", next=_local(next), problem="")


@router.post("/login")
async def login(
    request: Request,
    name: Annotated[str, Form()] = "",
    password: Annotated[str, Form()] = "",
    token: Annotated[str, Form()] = "",
    next: Annotated[str, Form()] = "/",  # noqa: A002 - as above
) -> Response:
    """Begins a session; too many tries have to wait."""
    state = state_of(request)
    _check_token(request, token)
    client = request.client.host if request.client else ""
    wait = state.logins.wait(client)
    if wait:
        raise TooMany("too many tries to log in; wait a little", retry_after=wait)
    who = await run_in_threadpool(state.auth.login, name, password) if state.auth else None
    if who is None:
        state.audit(name, "login refused", "")
        return rendered(request, "login.html", 401, next=_local(next), problem="The name or the password is wrong.")
    state.audit(who.name, "login", "")
    answer = RedirectResponse(_local(next), 303)
    _set_cookie(request, answer, state.sessions.begin(who.name))
    return answer


@router.post("/logout")
async def logout(request: Request, token: Annotated[str, Form()] = "") -> Response:
    _check_token(request, token)
    answer = RedirectResponse("/login", 303)
    answer.delete_cookie(COOKIE)
    return answer


def _local(address: str) -> str:
    """An address on this server, and on no other."""
    return address if address.startswith("/") and not address.startswith(("//", "/\\")) else "/"


def _check_token(request: Request, token: str) -> None:
    if not state_of(request).sessions.fits(request.state.cookie, token):
        raise Forbidden("the form is too old, or not from this page; open the page again and send it once more")
