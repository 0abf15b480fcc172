"""The audit log: one line of JSON for each search, read and change. It is off unless a file is named."""

import json
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any

from pincite.errors import OutputError


class Audit:
    """Each line is written whole and at once. Lines contain questions and document ids, but no document text."""

    def __init__(self, file: str) -> None:
        self._lock = Lock()
        self._file = None
        if file:
            try:
                path = Path(file)
                path.touch(mode=0o600, exist_ok=True)
                self._file = path.open("ab", buffering=0)  # a line that fails is not written later
            except OSError as error:
                raise OutputError(f"{file}: cannot write the audit log ({error.strerror})") from None

    def __call__(self, who: str, action: str, collection: str, **what: Any) -> None:
        if self._file is None:
            return
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"time": now, "who": who, "action": action, "collection": collection, **what})
        data = f"{line}\n".encode()
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
