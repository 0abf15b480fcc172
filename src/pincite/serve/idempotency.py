"""Idempotency-Key: a change that is sent twice is made once, and answered twice with the same."""

import json
import re
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite.errors import PinciteError
from pincite.index.remembered_answers import (
    KEPT_SECONDS,
    RememberedAnswer,
    forget_old_answers,
    remember,
    remembered,
)
from pincite.serve.auth import Who
from pincite.serve.problems import MEDIA_TYPE, encoded, problem
from pincite.serve.state import State, chosen

HEADER = b"idempotency-key"
CHANGES = {
    "POST": re.compile(r"/v1/(documents|texts|removals|backups)"),
    "PATCH": re.compile(r"/v1/documents/.+"),
    "DELETE": re.compile(r"/v1/(documents|jobs)/.+"),
}
"""The paths of changes. What only looks is not remembered: it may be gone when it is asked for again."""
LONGEST_KEY = 200
MOST_KEPT = 1000
"""Answers that are kept in memory."""
FORGETTING = 100
"""Answers after which old ones are looked for in the index."""


def is_remembered(method: str, path: str) -> bool:
    """Whether the answers to such requests are remembered."""
    return method in CHANGES and bool(CHANGES[method].fullmatch(path))


@dataclass(slots=True)
class _Kept:
    """What was asked under a key, and what was answered; nothing yet while it is being done."""

    asked: str
    answer: RememberedAnswer | None = None


class Idempotency:
    """Remembers the answers to changes that carry a key, for each caller and a day: in memory, and those to changes
    that were made also in the collection, so that they survive a restart. A change that failed on the server's side
    (5xx, 429) is not remembered: it may be tried again."""

    def __init__(self, app: ASGIApp, state: State) -> None:
        self.app, self.state = app, state
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._stored = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        key = dict(scope.get("headers", ())).get(HEADER, b"").decode("latin-1") if scope["type"] == "http" else ""
        if not key or not is_remembered(scope["method"], scope["path"]):
            await self.app(scope, receive, send)
            return
        if len(key) > LONGEST_KEY:
            await _refuse(scope, send, 422, "invalid", f"Idempotency-Key: longer than {LONGEST_KEY} characters")
            return
        body = await _read(receive)
        asked = sha256(b"\0".join(_parts(scope, body))).hexdigest()
        name = _name(scope["state"]["who"], key)
        self._forget()
        if name not in self._kept:
            # Nothing else may begin the same change while the index is looked at.
            kept = self._kept[name] = _Kept(asked)
            try:
                stored = await self._look_up(scope, body, name)
                if stored is None:
                    await self._answer(scope, _replayed(body, receive), send, name, kept, body)
                    return
                self._kept[name] = _Kept(stored.asked, stored)
            finally:
                if self._kept.get(name) is kept and kept.answer is None:
                    del self._kept[name]
        known = self._kept[name]
        if known.asked != asked:
            said = "this Idempotency-Key was used for another request; use a new key for each change"
            await _refuse(scope, send, 422, "key-reused", said)
        elif known.answer is None:
            await _refuse(scope, send, 409, "in-progress", "the same request is being answered; ask again in a moment")
        else:
            await _send_again(known.answer, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, name: str, kept: _Kept, body: bytes) -> None:
        """Makes the change, remembers the answer, and only then sends it."""
        answer: list[Message] = []

        async def collected(message: Message) -> None:
            answer.append(message)

        await self.app(scope, receive, collected)
        whole = len(answer) > 1 and not answer[-1].get("more_body", False)
        status = answer[0]["status"] if whole else 500
        if status < 500 and status != 429:
            made = RememberedAnswer.of(kept.asked, answer)
            if status < 300:
                await self._store(scope, body, name, made)
            kept.answer = made
        for message in answer:
            await send(message)

    async def _look_up(self, scope: Scope, body: bytes, name: str) -> RememberedAnswer | None:
        """What an earlier server, or another one beside this, answered."""
        try:
            backend = chosen(self.state, scope["state"]["who"], _collection(scope, body))
            return await run_in_threadpool(remembered, backend.index.engine, name)
        except PinciteError:  # no such collection, or none that can be read: the request itself will say so
            return None

    async def _store(self, scope: Scope, body: bytes, name: str, answer: RememberedAnswer) -> None:
        """Keeps an answer in the collection that was changed. Where that fails, it is remembered until the server
        stops."""
        try:
            backend = chosen(self.state, scope["state"]["who"], _collection(scope, body))
            self._stored += 1
            if self._stored % FORGETTING == 1:
                await run_in_threadpool(backend.writer.submit(lambda index: forget_old_answers(index.engine)).result)
            await run_in_threadpool(backend.writer.submit(lambda index: remember(index.engine, name, answer)).result)
        except PinciteError:
            return

    def _forget(self) -> None:
        """Forgets old answers, and the oldest beyond a number; never a change that is being made."""
        before, most = time.time() - KEPT_SECONDS, len(self._kept) - MOST_KEPT
        done = [(name, kept.answer) for name, kept in self._kept.items() if kept.answer]
        for at, (name, answer) in enumerate(done):
            if at < most or answer.at < before:
                del self._kept[name]


def _name(who: Who, key: str) -> str:
    """The caller with all rights, as names of keys need not differ, and the key."""
    return sha256(json.dumps([who.name, who.scope, who.collections, who.matters, key]).encode()).hexdigest()


def _collection(scope: Scope, body: bytes) -> str | None:
    """The collection that a request names in its address or body."""
    named = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("collection")
    if named:
        return str(named[0])
    if scope["path"].startswith("/v1/removals"):
        try:
            given = json.loads(body)
        except ValueError:
            return None
        found = given.get("collection") if isinstance(given, Mapping) else None
        return found if isinstance(found, str) else None
    return None


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


async def _send_again(answer: RememberedAnswer, send: Send) -> None:
    headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in answer.headers]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body})


async def _refuse(scope: Scope, send: Send, status: int, name: str, said: str) -> None:
    body = encoded(problem(status, name, "Idempotency-Key", said, scope["state"].get("request_id", "")))
    headers = [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
