"""Logging in and out."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from pincite.serve.errors import TooMany
from pincite.serve.pages.templates import check_token, rendered, set_cookie
from pincite.serve.sessions import COOKIE
from pincite.serve.state import state_of

router = APIRouter()


@router.get("/login")
async def login_page(request: Request, next: str = "/") -> Response:  # noqa: A002 - the name in the address
    return rendered(request, "login.html", next=_local(next), problem="")


@router.post("/login")
async def login(
    request: Request,
    name: Annotated[str, Form()] = "",
    password: Annotated[str, Form()] = "",
    token: Annotated[str, Form()] = "",
    next: Annotated[str, Form()] = "/",  # noqa: A002 - the name in the address
) -> Response:
    """Begins a session. Too many attempts have to wait."""
    state = state_of(request)
    check_token(request, token)
    client = request.client.host if request.client else ""
    wait = state.logins.wait(client)
    if wait:
        raise TooMany("too many attempts to log in; wait a little", retry_after=wait)
    who = await run_in_threadpool(state.auth.login, name, password) if state.auth else None
    if who is None:
        state.audit(name[:100], "login refused", "")
        return rendered(request, "login.html", 401, next=_local(next), problem="The name or the password is wrong.")
    state.audit(who.name, "login", "")
    answer = RedirectResponse(_local(next), 303)
    assert state.auth is not None
    set_cookie(request, answer, state.sessions.begin(state.auth.mark(who.name)))
    return answer


@router.post("/logout")
async def logout(request: Request, token: Annotated[str, Form()] = "") -> Response:
    check_token(request, token)
    state_of(request).audit(request.state.who.name, "logout", "")
    answer = RedirectResponse("/login", 303)
    answer.delete_cookie(COOKIE)
    return answer


def _local(address: str) -> str:
    """The address, if it is on this server; else the first page."""
    return address if address.startswith("/") and not address.startswith(("//", "/\\")) else "/"
