"""Runs the server until it is told to stop. Requests in progress are finished, and every change is on disk."""

import gc
import ipaddress
import logging
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from pincite.errors import UsageError
from pincite.serve.app import ALL, application
from pincite.serve.auth import Auth
from pincite.serve.guard import LOOPBACK
from pincite.serve.settings import Settings


def is_loopback(host: str) -> bool:
    """Whether an address can be reached only from this machine.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0"), is_loopback("::1")
    (True, True, False, True)
    """
    if host in LOOPBACK:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def run(
    locations: Sequence[str | Path],
    host: str = "127.0.0.1",
    port: int = 8080,
    settings: Settings | None = None,
    auth: Auth | None = None,
    *,
    reports: Path | None = None,
    certificate: tuple[Path, Path] | None = None,
    doors: Sequence[str] = ALL,
    announce: Callable[[], None] | None = None,
) -> None:
    """Blocks until SIGINT or SIGTERM. `announce` is called once the indexes are open. An address that other machines
    can reach requires authentication."""
    import uvicorn

    from pincite.serve.connections import protocol

    settings = settings or Settings()
    loopback = is_loopback(host)
    if not loopback and auth is None:
        raise UsageError(
            f"--host {host} can be reached from other machines: name a file of keys and logins with --auth FILE "
            "('pincite keys add' creates one), or listen on 127.0.0.1"
        )
    listening = _bound(host, port)
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # uvicorn raises the signal again after a graceful stop
    logging.getLogger("mcp").setLevel(logging.CRITICAL)  # its messages contain document ids and questions
    secure = certificate is not None
    app = application(
        locations, settings, auth, reports=reports, loopback=loopback and auth is None, secure=secure, doors=doors
    )
    for backend in app.backends.values():
        backend.status()
    gc.collect()
    gc.freeze()  # exempts what is loaded from garbage collection, which would delay answers
    gc.set_threshold(20_000, 20, 50)
    config = uvicorn.Config(
        app,
        http=protocol(settings),
        access_log=False,
        log_level="warning",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=int(settings.stop_seconds),
        ssl_certfile=certificate[0] if certificate else None,
        ssl_keyfile=certificate[1] if certificate else None,
    )
    if announce:
        announce()
    with suppress(KeyboardInterrupt):  # uvicorn raises it again after a graceful stop
        uvicorn.Server(config).run(sockets=[listening])


def _bound(host: str, port: int) -> socket.socket:
    """A socket bound to the address. This fails before anything is loaded if the address is taken."""
    listening: socket.socket | None = None
    try:
        family, kind, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
    except OSError as error:
        if listening is not None:
            listening.close()
        raise UsageError(f"cannot listen on {host}:{port} ({error.strerror}); choose another --port") from None
    return listening


def run_stdio(locations: Sequence[str | Path], settings: Settings | None = None) -> None:
    """Serves MCP on standard input and output until the client closes them."""
    from pincite.serve.app import opened
    from pincite.serve.mcp import mcp_server

    state = opened(locations, settings or Settings())
    try:
        mcp_server(state).run("stdio")
    finally:
        for backend in state.backends.values():
            backend.close()
