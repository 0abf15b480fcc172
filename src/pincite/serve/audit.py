"""The audit log: who searched and read what, a line of JSON each; off unless a file is named."""

import json
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any

from pincite.errors import OutputError


class Audit:
    """Lines are written whole and at once. They name documents and questions, and hold no text of a document."""

    def __init__(self, file: str) -> None:
        self._lock = Lock()
        self._file = None
        if file:
            try:
                path = Path(file)
                path.touch(mode=0o600, exist_ok=True)
                self._file = path.open("a", encoding="utf-8")
            except OSError as error:
                raise OutputError(f"{file}: the audit log cannot be written ({error.strerror})") from None

    def __call__(self, who: str, action: str, collection: str, **what: Any) -> None:
        if self._file is None:
            return
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"time": now, "who": who, "action": action, "collection": collection, **what})
        with self._lock:
            self._file.write(line + "\n")
            self._file.flush()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
