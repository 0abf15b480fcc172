"""Connections of clients: how many there may be, and how long one may take to say what it wants."""

import asyncio
import ipaddress
from collections import Counter
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from pincite.serve.settings import Settings

SHARE = 4
"""One address has at most this part of the connections: a quarter."""


def protocol(settings: Settings) -> type[asyncio.Protocol]:
    """The server's protocol. A connection beyond the limit, or beyond its address's share, is closed at once, and one
    whose headers do not arrive whole in time is closed, too: connections that say nothing cannot use up the server."""
    base: Any = AutoHTTPProtocol
    share = max(1, settings.connections // SHARE)
    open_from: Counter[str] = Counter()

    class PatientProtocol(base):  # type: ignore[misc]
        _timer: asyncio.TimerHandle | None = None
        _address = ""

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._address = _far_address(transport)
            open_from[self._address] += 1
            if len(self.connections) > settings.connections or (self._address and open_from[self._address] > share):
                transport.close()
            self._watch()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._watch()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._watch()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop()
            open_from[self._address] -= 1
            if not open_from[self._address]:
                del open_from[self._address]
            super().connection_lost(exc)

        def _watch(self) -> None:
            """Time runs while no request is being answered."""
            if self.cycle is not None and not self.cycle.response_complete:
                self._stop()
            elif self._timer is None and not self.transport.is_closing():
                self._timer = self.loop.call_later(settings.header_seconds, self._too_slow)

        def _stop(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

        def _too_slow(self) -> None:
            self._timer = None
            if not self.transport.is_closing():
                self.transport.close()

    return PatientProtocol


def _far_address(transport: Any) -> str:
    """The address of another machine; "" for this one, where a proxy may stand for many clients."""
    peer = transport.get_extra_info("peername")
    host = peer[0] if isinstance(peer, tuple) else ""
    try:
        return "" if ipaddress.ip_address(host.partition("%")[0]).is_loopback else host
    except ValueError:
        return ""
