"""Checks every request first: caller, origin, size and rate. Adds security headers to every response."""

import asyncio
import logging
import re
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any
from urllib.parse import quote, urlsplit
from uuid import uuid4

from pincite.errors import PinciteError
from pincite.serve.auth import LOCAL, Auth, Who
from pincite.serve.backend import Backend
from pincite.serve.errors import Busy, Forbidden, Invalid, Refused, TimedOut, TooLarge, TooMany, Unauthorised
from pincite.serve.metrics import Metrics
from pincite.serve.problems import MEDIA_TYPE, encoded, problem_of
from pincite.serve.rate_limit import Rate
from pincite.serve.sessions import COOKIE, Sessions
from pincite.serve.settings import Settings

log = logging.getLogger("pincite.serve")

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOOPBACK = ("127.0.0.1", "localhost", "::1")
OPEN = ("/login", "/static/", "/v1/health", "/v1/ready")
"""Paths that need no key or login."""
LARGE = ("/v1/documents", "/documents/add", "/v1/cases/like/file", "/cases")
"""Paths that take uploads."""
KEPT = ("/v1/documents", "/documents/add")
"""Those whose uploads are kept."""
SAFE = ("GET", "HEAD", "OPTIONS")
UNKNOWN_RATE = 600
"""Requests per minute for one client, where authentication is configured and the settings name no limit."""
PIECE = 64 * 1024
"""Bytes of a response sent at once. A long one is sent in pieces, so that a client that stops reading times out."""
_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
"""Response headers, unless the response sets them itself."""


@dataclass(slots=True)
class Guard:
    """ASGI middleware around the application."""

    app: App
    settings: Settings
    auth: Auth | None
    sessions: Sessions
    metrics: Metrics
    backends: Mapping[str, Backend]
    loopback: bool = True
    in_flight: int = 0
    receiving: int = 0
    """Uploads being received."""
    rate: Rate = field(init=False)

    def __post_init__(self) -> None:
        unset = 0 if self.auth is None else UNKNOWN_RATE
        self.rate = Rate(self.settings.requests_per_minute or unset)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
        given = headers.get("x-request-id", "")
        request_id = given if _ID.fullmatch(given) else uuid4().hex
        started, status, begun = time.perf_counter(), 500, False

        async def sent(message: Message) -> None:
            nonlocal status, begun
            if message["type"] == "http.response.start":
                status, begun = message["status"], True
                own = {key.lower() for key, _ in message["headers"]}
                more = {**HEADERS, "x-request-id": request_id}
                message["headers"] = [
                    *message["headers"],
                    *((key.encode(), value.encode()) for key, value in more.items() if key.encode() not in own),
                ]
            if len(message.get("body", b"")) <= PIECE:
                await send(message)
                return
            body = memoryview(message["body"])
            for first in range(0, len(body), PIECE):
                unfinished = message.get("more_body", False) or first + PIECE < len(body)
                async with asyncio.timeout(patience):
                    await send({**message, "body": bytes(body[first : first + PIECE]), "more_body": unfinished})

        patience = self.settings.silence_seconds
        self.in_flight += 1
        self.metrics.in_flight.set(self.in_flight)
        state = scope.setdefault("state", {})
        state["request_id"] = request_id
        try:
            state["cookie"] = _cookie(headers.get("cookie", ""))
            state["who"] = self._admitted(scope, headers, state["cookie"])
            if state["who"] is None and not scope["path"].startswith(("/v1", "/mcp")):
                query = scope["query_string"].decode("latin-1")
                await _redirect(sent, "/login?next=" + quote(scope["path"] + (f"?{query}" if query else "")))
                return
            if state["who"] is None:
                raise Unauthorised("send an API key as 'Authorization: Bearer KEY'")
            large = self._is_large(scope)
            if large and self.receiving >= self.settings.writing:
                raise Busy("too many uploads are in progress; try again in a moment", retry_after=5)
            self.receiving += large
            try:
                await self.app(scope, _measured(receive, self._most(scope), patience), sent)
            finally:
                self.receiving -= large
        except TimeoutError:
            if not begun:
                raise
            log.warning("%s: the client stopped reading the response", request_id)
        except PinciteError as error:
            if begun:
                raise
            body, more = problem_of(error, request_id)
            if not isinstance(error, Refused):
                log.warning("%s: %s", request_id, error)
            programs = scope["path"].startswith(("/v1", "/mcp"))
            said = encoded(body) if programs else f"{body['title']}: {body['detail']}\n".encode()
            kind = MEDIA_TYPE if programs else "text/plain; charset=utf-8"
            await _answer(sent, body["status"], said, {"content-type": kind, **more})
        finally:
            self.in_flight -= 1
            self._note(scope, status, time.perf_counter() - started, request_id)

    def _admitted(self, scope: Scope, headers: dict[str, str], cookie: str) -> Who | None:
        """The caller, or None for an unknown one. Raises an error for a request that must not be processed."""
        if self.in_flight > self.settings.in_flight:
            raise Busy(f"{self.settings.in_flight} requests are in progress; try again in a moment", retry_after=1)
        self._check_names(scope, headers)
        kind = headers.get("content-type", "").lower()
        if kind.startswith("multipart/") and "charset" in kind and "utf-8" not in kind:
            raise Invalid("forms must be UTF-8")
        size = headers.get("content-length", "")
        if size.isdigit() and int(size) > self._most(scope):
            raise TooLarge(f"the request has {int(size):,} bytes; the limit is {self._most(scope):,}")
        client = (scope.get("client") or ("",))[0]
        scheme, _, given = headers.get("authorization", "").partition(" ")
        key = given.strip() if scheme.lower() == "bearer" else headers.get("x-api-key", "")
        by_key = self.auth.key(key) if self.auth and key else None
        wait = self.rate.wait(sha256(key.encode()).hexdigest() if by_key else client)
        if wait:
            raise TooMany(f"more than {self.rate.per_minute} requests per minute; slow down", retry_after=wait)
        if self.auth is None:
            return LOCAL
        if key:
            if by_key is None:
                raise Unauthorised("the key is unknown or has been revoked")
            return self._may_send(scope, by_key)
        name = self.sessions.name(cookie) if cookie else None
        person = self.auth.person(name) if name else None
        if person is not None:
            self._check_token(scope, headers, cookie)
            return self._may_send(scope, person)
        return Who("nobody", "read", ("",)) if scope["path"].startswith(OPEN) else None

    def _may_send(self, scope: Scope, who: Who) -> Who:
        """Rejects an upload before its body is read, if the caller may not write."""
        if self._is_large(scope) and scope["path"] in KEPT and not who.may("write"):
            raise Forbidden(f"{who.name} may not write")
        return who

    def _check_names(self, scope: Scope, headers: dict[str, str]) -> None:
        """Blocks DNS rebinding and cross-site requests: on loopback, Host and Origin must name this machine; and an
        Origin must be this server."""
        host = headers.get("host", "")
        if self.loopback and _hostname(f"//{host}") not in LOOPBACK:
            raise Forbidden("the Host header must name this machine: 127.0.0.1 or localhost")
        origin = headers.get("origin")
        if origin is None:
            return
        if self.loopback and _hostname(origin) not in LOOPBACK:
            raise Forbidden("the Origin header must name this machine")
        own = origin.partition("://")[2] == host
        if not own and not (self.loopback and scope["path"].startswith("/mcp")):
            raise Forbidden("requests from other websites are not allowed")

    def _check_token(self, scope: Scope, headers: dict[str, str], cookie: str) -> None:
        """With a session cookie, a change through REST needs the session's token in a header. Forms have a field."""
        if scope["method"] in SAFE or not scope["path"].startswith(("/v1", "/mcp")):
            return
        if not self.sessions.fits(cookie, headers.get("x-csrf-token", "")):
            raise Forbidden("the header X-CSRF-Token is missing or belongs to another session")

    def _most(self, scope: Scope) -> int:
        return self.settings.upload_bytes if self._is_large(scope) else self.settings.body_bytes

    @staticmethod
    def _is_large(scope: Scope) -> bool:
        return scope["method"] == "POST" and scope["path"] in LARGE

    def _note(self, scope: Scope, status: int, seconds: float, request_id: str) -> None:
        """Logs and counts the request, without its query string and document ids: both may be confidential."""
        first = "/" + scope["path"].strip("/").partition("/")[0]
        route = getattr(scope.get("route"), "path", "") or (first if first in ("/static", "/mcp") else "other")
        self.metrics.in_flight.set(self.in_flight)
        self.metrics.requests.labels(scope["method"], route, str(status)).inc()
        self.metrics.seconds.labels(route).observe(seconds)
        log.info("%s %s %s %.1f ms %s", scope["method"], route, status, seconds * 1000, request_id)


def _measured(receive: Receive, most: int, patience: float) -> Receive:
    """Stops a body that is too long, even without Content-Length, or that stops arriving."""
    seen, whole = 0, False

    async def received() -> Message:
        nonlocal seen, whole
        try:
            async with asyncio.timeout(None if whole else patience):
                message = await receive()
        except TimeoutError:
            raise TimedOut(f"no data received for {patience:g} s") from None
        whole = whole or not message.get("more_body", False)
        seen += len(message.get("body", b""))
        if seen > most:
            raise TooLarge(f"the request has more than {most:,} bytes")
        return message

    return received


def _hostname(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _cookie(header: str) -> str:
    for pair in header.split(";"):
        name, _, value = pair.strip().partition("=")
        if name == COOKIE:
            return value
    return ""


async def _redirect(send: Send, to: str) -> None:
    await _answer(send, 303, b"", {"location": to})


async def _answer(send: Send, status: int, body: bytes, headers: dict[str, str]) -> None:
    held = [(key.lower().encode(), value.encode()) for key, value in headers.items()]
    held.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": held})
    await send({"type": "http.response.body", "body": body})
