"""The audit log: one line of JSON for each search, read and change. It is off unless a file, or a collection on a
cluster, is named."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from threading import Lock
from typing import Any

from pincite.errors import OutputError
from pincite.index import Index
from pincite.index.opensearch.location import is_cluster

KIND = "audit"
"""The kind of the records that hold lines of a log."""


class Audit:
    """Each line is written whole and at once. Lines contain questions and document ids, but no document text."""

    def __init__(self, place: str) -> None:
        self._lock = Lock()
        self._file = None
        self._index = Index.open(place) if is_cluster(place) else None
        if place and self._index is None:
            try:
                path = Path(place)
                path.touch(mode=0o600, exist_ok=True)
                self._file = path.open("ab", buffering=0)  # a line that fails is not written later
            except OSError as error:
                raise OutputError(f"{place}: cannot write the audit log ({error.strerror})") from None

    def __call__(self, who: str, action: str, collection: str, **what: Any) -> None:
        if self._file is None and self._index is None:
            return
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"time": now, "who": who, "action": action, "collection": collection, **what})
        if self._index is not None:
            self._index.engine.put_record(KIND, f"{now} {token_hex(8)}", line, version=0)
        else:
            self._append(f"{line}\n".encode())

    def _append(self, data: bytes) -> None:
        assert self._file is not None
        try:
            with self._lock:
                written = self._file.write(data)
        except OSError as error:
            raise OutputError(f"the audit log cannot be written ({error.strerror})") from None
        if written != len(data):
            raise OutputError("the audit log cannot be written (the disk is full)")

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
        if self._index is not None:
            self._index.close()


def audit_lines(index: Index) -> Iterator[str]:
    """The lines of a log that lies in a collection, in the order of time."""
    cursor = ""
    while True:
        page = index.engine.stored_records(KIND, cursor=cursor)
        yield from (record.value for record in page.items)
        if not page.next:
            return
        cursor = page.next
