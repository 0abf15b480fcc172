"""Keys and logins on a cluster: all servers of a collection know the same ones."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pincite.errors import DataError
from pincite.index import Index
from pincite.index.opensearch.location import is_cluster
from pincite.serve.auth import LOCK_SECONDS, NO_KEYS, Auth

RECORD = ("auth", "keys")
"""The record that holds them."""
FRESH_SECONDS = 0.5
"""How long a server goes by what it has read: a revoked key is refused by all of them after this time."""


class SharedAuth(Auth):
    """Keys and logins in a record of a collection."""

    def __init__(self, location: str, *, write: bool = False) -> None:
        self.index = Index.open(location, read_only=not write)
        self._read_at = 0.0
        self._version = -1
        super().__init__(Path(location))

    def _load(self) -> None:
        if time.monotonic() - self._read_at < FRESH_SECONDS:
            return
        record = self.index.engine.stored_record(*RECORD)
        if record is None:
            raise DataError(f"{self.index.location}: holds no keys; 'pincite keys add' adds the first one")
        if record.version != self._version:
            self._take(record.value, self.index.location)
            self._version = record.version
        self._read_at = time.monotonic()

    @contextmanager
    def _changing(self) -> Iterator[None]:
        with self.index.engine.lease("keys", LOCK_SECONDS):
            self._read_at = 0.0
            self._load()
            yield
            self.index.engine.put_record(*RECORD, self._text(), version=self._version)
            self._read_at = 0.0


def auth_of(location: str | Path) -> Auth:
    """The keys and logins of a file, or of a collection on a cluster."""
    return SharedAuth(str(location)) if is_cluster(location) else Auth(Path(location))


def created_auth(location: str | Path) -> Auth:
    """The same, for changing them; made where there are none."""
    if not is_cluster(location):
        return Auth.create(Path(location))
    with Index.open(str(location)) as index:
        if index.engine.stored_record(*RECORD) is None:
            index.engine.put_record(*RECORD, NO_KEYS, version=0)
    return SharedAuth(str(location), write=True)
