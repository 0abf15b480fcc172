"""How slowly a client may send a request or take an answer: a while of silence, and a least rate on the whole."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

from pincite.serve.errors import TimedOut, TooLarge

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]

LEAST_RATE = 16 * 1024
"""Bytes per second that a client sends or takes on the whole."""


class Disconnected(Exception):  # noqa: N818
    """The client closed the connection before its request was whole."""


class Pace:
    """Time that one side of a request may take: `patience` seconds at once, and on the whole as many plus what its
    bytes take at the least rate. Only waiting for the client counts.

    >>> pace = Pace(30.0)
    >>> pace.moved(16 * 1024)
    >>> pace.left
    31.0
    """

    def __init__(self, patience: float) -> None:
        self.patience = patience
        self.left = patience

    def moved(self, size: int) -> None:
        """Some bytes were sent or taken."""
        self.left += size / LEAST_RATE

    @asynccontextmanager
    async def waiting(self) -> AsyncIterator[None]:
        """For the time of the block, the server waits for the client. `TimeoutError` when it waited too long."""
        begun = time.monotonic()
        try:
            async with asyncio.timeout(max(0.0, min(self.patience, self.left))):
                yield
        finally:
            self.left -= time.monotonic() - begun


def measured(receive: Receive, most: int, patience: float) -> Receive:
    """Stops a body that is too long, even without Content-Length, that stops arriving, or that arrives too slowly."""
    seen, whole = 0, False
    pace = Pace(patience)

    async def received() -> Message:
        nonlocal seen, whole
        if whole:
            return await receive()
        try:
            async with pace.waiting():
                message = await receive()
        except TimeoutError:
            late = f"no data received for {patience:g} s" if pace.left > 0 else "the request arrives too slowly"
            raise TimedOut(late) from None
        whole = not message.get("more_body", False)
        size = len(message.get("body", b""))
        seen += size
        pace.moved(size)
        if seen > most:
            raise TooLarge(f"the request has more than {most:,} bytes")
        return message

    return received


async def whole_body(receive: Receive, grown: Callable[[int], None]) -> Receive:
    """Waits for the whole body, which is then received at once. `grown` is told of the bytes that are held."""
    pieces = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Disconnected
        piece = message.get("body", b"")
        grown(len(piece))
        pieces.append(piece)
        if not message.get("more_body", False):
            break
    body: bytes | None = b"".join(pieces)
    pieces.clear()

    async def received() -> Message:
        nonlocal body
        if body is None:
            return await receive()
        given, body = body, None
        return {"type": "http.request", "body": given, "more_body": False}

    return received
