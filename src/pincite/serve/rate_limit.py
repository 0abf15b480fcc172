"""Rate limiting: a token bucket for each client."""

import time
from collections import OrderedDict
from math import ceil
from threading import Lock

MOST_CLIENTS = 10_000
"""Clients remembered. Beyond that, the least recent ones are forgotten, so that memory stays bounded."""


class Rate:
    """Allows `per_minute` requests on average, and as many at once; 0 means no limit."""

    def __init__(self, per_minute: int) -> None:
        self.per_minute = per_minute
        self._held: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def wait(self, client: str, now: float | None = None) -> int:
        """Seconds until the client may send a request; 0 if it may now.

        >>> rate = Rate(2)
        >>> rate.wait("a", 0.0), rate.wait("a", 0.0), rate.wait("a", 0.0), rate.wait("b", 0.0), rate.wait("a", 30.0)
        (0, 0, 30, 0, 0)
        """
        if not self.per_minute:
            return 0
        now = time.monotonic() if now is None else now
        with self._lock:
            left, seen = self._held.pop(client, (float(self.per_minute), now))
            left = min(float(self.per_minute), left + (now - seen) * self.per_minute / 60)
            enough = left >= 1
            self._held[client] = (left - 1 if enough else left, now)
            if len(self._held) > MOST_CLIENTS:
                self._held.popitem(last=False)
        return 0 if enough else max(1, ceil((1 - left) * 60 / self.per_minute))
