"""Clients that are slow: they hold no place that others need, and their requests end."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite.serve import pace
from pincite.serve.auth import Auth
from pincite.serve.connections import protocol
from pincite.serve.guard import UNKNOWN_BYTES, App, Guard, Message, Receive, Scope, Send
from pincite.serve.metrics import Metrics
from pincite.serve.sessions import Sessions
from pincite.serve.settings import Settings


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Reads the request, and answers with as many bytes as it has."""
    size, unfinished = 0, True
    while unfinished:
        message = await receive()
        size, unfinished = size + len(message["body"]), message["more_body"]
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"x" * size})


def guard(settings: Settings, auth: Auth | None = None, app: App = application) -> Guard:
    return Guard(app, settings, auth, Sessions(60), Metrics(), {}, loopback=auth is None)


def request(path: str = "/v1/search", method: str = "POST") -> Scope:
    headers = [(b"host", b"127.0.0.1"), (b"transfer-encoding", b"chunked")]
    return {"type": "http", "path": path, "method": method, "headers": headers, "query_string": b"", "client": None}


class Client:
    """Sends pieces with a pause before each, and notes what it gets."""

    def __init__(self, pieces: list[bytes], pause: float = 0.0, stops_reading: bool = False) -> None:
        self.pieces, self.pause, self.stops_reading = iter(pieces), pause, stops_reading
        self.got: list[Message] = []

    async def receive(self) -> Message:
        await asyncio.sleep(self.pause)
        piece = next(self.pieces, None)
        return {"type": "http.request", "body": piece or b"", "more_body": piece is not None}

    async def send(self, message: Message) -> None:
        self.got.append(message)
        if self.stops_reading and message["type"] == "http.response.body":
            await asyncio.sleep(60)

    @property
    def status(self) -> int:
        return int(self.got[0]["status"])


async def asked(server: Guard, client: Client, scope: Scope | None = None) -> int:
    await server(scope or request(), client.receive, client.send)
    return client.status


def test_a_body_that_drips_is_dropped() -> None:
    client = Client([b"x"] * 1000, pause=0.1)
    begun = time.monotonic()
    assert asyncio.run(asked(guard(Settings(silence_seconds=1)), client)) == 408
    assert time.monotonic() - begun < 10
    assert (b"connection", b"close") in client.got[0]["headers"]


def test_a_body_that_arrives_at_the_least_rate_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "LEAST_RATE", 10)
    client = Client([b"x" * 10] * 20, pause=0.1)
    assert asyncio.run(asked(guard(Settings(silence_seconds=1)), client)) == 200


def test_who_sends_slowly_takes_no_place_from_others() -> None:
    server = guard(Settings(silence_seconds=2, in_flight=2))

    async def many() -> tuple[int, list[int]]:
        slow = [asyncio.create_task(asked(server, Client([b"x"] * 1000, pause=0.2))) for _ in range(20)]
        await asyncio.sleep(0.5)
        return await asked(server, Client([b"x"])), await asyncio.gather(*slow)

    assert asyncio.run(many()) == (200, [408] * 20)
    assert (server.in_flight, server.receiving, server.held_bytes) == (0, 0, 0)


def test_bodies_that_are_held_are_limited_together() -> None:
    server = guard(Settings(in_flight=2, body_bytes=1000))

    async def many() -> list[int]:
        clients = [Client([b"x" * 999, b"x"], pause=0.1) for _ in range(5)]
        return await asyncio.gather(*(asked(server, client) for client in clients))

    assert sorted(asyncio.run(many())) == [200, 200, 503, 503, 503]
    assert server.held_bytes == 0


def test_who_has_no_key_can_send_only_little(tmp_path: Path) -> None:
    server = guard(Settings(), Auth.create(tmp_path / "keys.json"))
    for size, status in ((UNKNOWN_BYTES, 200), (UNKNOWN_BYTES + 1, 413)):
        assert asyncio.run(asked(server, Client([b"x" * size]), request("/login"))) == status
    assert asyncio.run(asked(server, Client([b"x"]))) == 401


@pytest.mark.parametrize("size", [10, 100_000])
def test_a_client_that_stops_reading_gives_its_place_back(size: int) -> None:
    server = guard(Settings(silence_seconds=1))
    begun = time.monotonic()
    assert asyncio.run(asked(server, Client([b"x" * size], stops_reading=True))) == 200
    assert time.monotonic() - begun < 20
    assert server.in_flight == 0


def test_a_client_that_leaves_early_is_no_error() -> None:
    server = guard(Settings())

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    client = Client([])
    asyncio.run(server(request(), receive, client.send))
    assert client.got == []


class Transport:
    """As much of a connection as the protocol looks at when it is made."""

    def __init__(self, host: str) -> None:
        self.host, self.closed = host, False

    def get_extra_info(self, name: str) -> Any:
        return (self.host, 1) if name in ("peername", "sockname") else None

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def set_protocol(self, _: object) -> None: ...


def connected(hosts: list[str], connections: int) -> Iterator[bool]:
    """Whether a connection from each of these addresses, one after the other, stays open."""
    from uvicorn import Config
    from uvicorn.server import ServerState

    loop, state = asyncio.new_event_loop(), ServerState()
    config = Config(lambda: None, log_level="critical")  # type: ignore[arg-type]
    config.load()
    made: Any = protocol(Settings(connections=connections))
    for host in hosts:
        transport = Transport(host)
        made(config=config, server_state=state, app_state={}, _loop=loop).connection_made(transport)
        yield not transport.closed
    loop.close()


def test_one_address_has_a_share_of_the_connections() -> None:
    far = list(connected(["192.0.2.1"] * 4 + ["192.0.2.2"] * 2, 8))
    assert far == [True, True, False, False, True, True]
    assert all(connected(["127.0.0.1"] * 5, 8)), "a proxy on this machine stands for many clients"
