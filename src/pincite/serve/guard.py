"""Checks every request first: caller, origin, size and rate. Adds security headers to every response."""

import logging
import re
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
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
from pincite.serve.pace import Disconnected, Message, Pace, Receive, measured, whole_body
from pincite.serve.problems import MEDIA_TYPE, encoded, problem_of
from pincite.serve.rate_limit import Rate
from pincite.serve.sessions import COOKIE, Sessions
from pincite.serve.settings import Settings

log = logging.getLogger("pincite.serve")

Scope = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOOPBACK = ("127.0.0.1", "localhost", "::1")
OPEN = ("/login", "/static/", "/v1/health", "/v1/ready")
"""Paths that need no key or login."""
LARGE = ("/v1/documents", "/v1/texts", "/documents/add", "/v1/cases/like/file", "/cases")
"""Paths that take uploads."""
KEPT = ("/v1/documents", "/v1/texts", "/documents/add")
"""Those whose uploads are kept."""
SAFE = ("GET", "HEAD", "OPTIONS")
UNKNOWN_BYTES = 16 * 1024
"""Largest request of a caller without a key or login: the form to log in."""
NOBODY = Who("nobody", "read", ("",))
"""A caller without a key or login, at a path that needs none."""
GONE = 499
"""What the log calls a request whose client closed the connection before it was whole."""
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
    """Requests being answered."""
    receiving: int = 0
    """Uploads being received or answered."""
    held_bytes: int = 0
    """Bytes of the bodies of other requests."""
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
            body = memoryview(message.get("body", b""))
            for first in range(0, max(1, len(body)), PIECE):
                piece = {**message, "body": bytes(body[first : first + PIECE])} if len(body) > PIECE else message
                if first + PIECE < len(body):
                    piece["more_body"] = True
                async with reading.waiting():
                    await send(piece)
                reading.moved(min(PIECE, len(body) - first))

        reading = Pace(self.settings.silence_seconds)
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
            most = UNKNOWN_BYTES if state["who"] is NOBODY else self._most(scope)
            arriving = measured(receive, most, self.settings.silence_seconds)
            if self._is_large(scope):
                with self._uploading():
                    await self.app(scope, arriving, sent)
            else:
                with self._holding() as grown:
                    whole = await whole_body(arriving, grown) if _has_body(headers) else receive
                    with self._answering():
                        await self.app(scope, whole, sent)
        except Disconnected:
            status = GONE
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
            if isinstance(error, TimedOut | TooLarge):  # the rest of the body is not waited for
                more["connection"] = "close"
            programs = scope["path"].startswith(("/v1", "/mcp"))
            said = encoded(body) if programs else f"{body['title']}: {body['detail']}\n".encode()
            kind = MEDIA_TYPE if programs else "text/plain; charset=utf-8"
            await _answer(sent, body["status"], said, {"content-type": kind, **more})
        finally:
            self._note(scope, status, time.perf_counter() - started, request_id)

    @contextmanager
    def _uploading(self) -> Iterator[None]:
        """One of the places for uploads. It is taken while the body arrives: that is streamed."""
        if self.receiving >= self.settings.writing:
            raise Busy("too many uploads are in progress; try again in a moment", retry_after=5)
        self.receiving += 1
        try:
            yield
        finally:
            self.receiving -= 1

    @contextmanager
    def _holding(self) -> Iterator[Callable[[int], None]]:
        """Counts the bytes of a body that is held. All bodies together hold at most what those in progress may have."""
        own, most = 0, self.settings.in_flight * self.settings.body_bytes

        def grown(size: int) -> None:
            nonlocal own
            own += size
            self.held_bytes += size
            if self.held_bytes > most:
                raise Busy("too many requests are arriving; try again in a moment", retry_after=1)

        try:
            yield grown
        finally:
            self.held_bytes -= own

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """One of the places for requests in progress. It is taken once the request is there as a whole."""
        self._check_places()
        self.in_flight += 1
        self.metrics.in_flight.set(self.in_flight + self.receiving)
        try:
            yield
        finally:
            self.in_flight -= 1

    def _check_places(self) -> None:
        if self.in_flight >= self.settings.in_flight:
            raise Busy(f"{self.settings.in_flight} requests are in progress; try again in a moment", retry_after=1)

    def _admitted(self, scope: Scope, headers: dict[str, str], cookie: str) -> Who | None:
        """The caller, or None for an unknown one. Raises an error for a request that must not be processed."""
        self._check_places()
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
        return NOBODY if scope["path"].startswith(OPEN) else None

    def _may_send(self, scope: Scope, who: Who) -> Who:
        """Rejects an upload before its body is read, if the caller may not write."""
        if self._is_large(scope) and scope["path"] in KEPT and not who.may("write"):
            raise Forbidden(f"{who.name} may not write")
        return who

    def _check_names(self, scope: Scope, headers: dict[str, str]) -> None:
        """Blocks DNS rebinding and cross-site requests: on loopback, Host and Origin must name this machine; and an
        Origin must be this server."""
        host = headers.get("host", "")
        if sum(key == b"host" for key, _ in scope["headers"]) > 1:
            raise Forbidden("more than one Host header")
        if self.loopback and _hostname(f"//{host}") not in LOOPBACK:
            raise Forbidden("the Host header must name this machine: 127.0.0.1 or localhost")
        origin = headers.get("origin")
        if origin is None:
            if _is_embedded(headers):
                raise Forbidden("requests from other websites are not allowed")
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
        self.metrics.in_flight.set(self.in_flight + self.receiving)
        self.metrics.requests.labels(scope["method"], route, str(status)).inc()
        self.metrics.seconds.labels(route).observe(seconds)
        log.info("%s %s %s %.1f ms %s", scope["method"], route, status, seconds * 1000, request_id)


def _has_body(headers: Mapping[str, str]) -> bool:
    return headers.get("content-length", "0") != "0" or "transfer-encoding" in headers


def _is_embedded(headers: dict[str, str]) -> bool:
    """Whether a page of another website loads something here, as an image, a script or a frame: the browser says so. A
    link that somebody follows is none.

    >>> _is_embedded({"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"})
    True
    >>> _is_embedded({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"})
    False
    """
    followed = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return headers.get("sec-fetch-site", "none") not in ("same-origin", "none") and not followed


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
