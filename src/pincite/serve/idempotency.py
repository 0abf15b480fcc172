"""Idempotency-Key: a change that is sent twice is made once, and answered twice with the same."""

import time
from collections import OrderedDict
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite.serve.auth import Who
from pincite.serve.problems import MEDIA_TYPE, encoded, problem

HEADER = b"idempotency-key"
CHANGES = ("POST", "PATCH", "DELETE")
CHANGED = ("/v1/documents", "/v1/jobs", "/v1/removals", "/v1/backups")
"""How the paths of changes begin. What only looks is not remembered: it may be gone when it is asked for again."""
LONGEST_KEY = 200
MOST_KEPT = 1000
"""Answers that are remembered."""
KEPT_SECONDS = 24 * 3600.0


@dataclass(slots=True)
class _Kept:
    """What was asked under a key, and what was answered; nothing yet while it is being done."""

    asked: bytes
    at: float
    answer: list[Message] = field(default_factory=list)


class Idempotency:
    """Remembers the answers to changes that carry a key, for each caller, until the server stops. A change that failed
    on the server's side (5xx, 429) is not remembered: it may be tried again."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._kept: OrderedDict[tuple[Who, str], _Kept] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        key = dict(scope.get("headers", ())).get(HEADER, b"").decode("latin-1") if scope["type"] == "http" else ""
        if not key or scope["method"] not in CHANGES or not scope["path"].startswith(CHANGED):
            await self.app(scope, receive, send)
            return
        if len(key) > LONGEST_KEY:
            await _refuse(scope, send, 422, "invalid", f"Idempotency-Key: longer than {LONGEST_KEY} characters")
            return
        body = await _read(receive)
        asked = sha256(b"\0".join(_parts(scope, body))).digest()
        name = (scope["state"]["who"], key)  # with all rights: names of keys need not differ
        self._forget()
        known = self._kept.get(name)
        if known is not None and known.asked != asked:
            said = "this Idempotency-Key was used for another request; use a new key for each change"
            await _refuse(scope, send, 422, "key-reused", said)
        elif known is not None and not known.answer:
            await _refuse(scope, send, 409, "in-progress", "the same request is being answered; ask again in a moment")
        elif known is not None:
            for message in known.answer:
                await send(message)
        else:
            await self._answer(scope, _replayed(body, receive), send, name, _Kept(asked, time.monotonic()))

    async def _answer(self, scope: Scope, receive: Receive, send: Send, name: tuple[Who, str], kept: _Kept) -> None:
        self._kept[name] = kept
        answer: list[Message] = []

        async def sent(message: Message) -> None:
            answer.append(message)
            await send(message)

        try:
            await self.app(scope, receive, sent)
        finally:
            status = answer[0]["status"] if answer and not answer[-1].get("more_body", False) else 500
            if len(answer) < 2 or status >= 500 or status == 429:
                self._kept.pop(name, None)
            else:
                kept.answer = answer

    def _forget(self) -> None:
        """Forgets old answers, and the oldest beyond a number; never a change that is being made."""
        before, most = time.monotonic() - KEPT_SECONDS, len(self._kept) - MOST_KEPT
        done = [(name, kept) for name, kept in self._kept.items() if kept.answer]
        for at, (name, kept) in enumerate(done):
            if at < most or kept.at < before:
                del self._kept[name]


def _parts(scope: Scope, body: bytes) -> tuple[bytes, ...]:
    """What makes a request the same. The boundary of a form differs each time, so it is taken out of the body."""
    kind = dict(scope["headers"]).get(b"content-type", b"")
    boundary = kind.partition(b"boundary=")[2].strip(b'" ')
    plain = body.replace(boundary, b"") if boundary else body
    return scope["method"].encode(), scope["path"].encode(), scope.get("query_string", b""), plain


async def _read(receive: Receive) -> bytes:
    parts = []
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        if message["type"] != "http.request" or not message.get("more_body"):
            return b"".join(parts)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """The body that was read, and then what the client does next."""
    left: list[dict[str, Any]] = [{"type": "http.request", "body": body, "more_body": False}]

    async def received() -> Message:
        return left.pop() if left else await receive()

    return received


async def _refuse(scope: Scope, send: Send, status: int, name: str, said: str) -> None:
    body = encoded(problem(status, name, "Idempotency-Key", said, scope["state"].get("request_id", "")))
    headers = [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
