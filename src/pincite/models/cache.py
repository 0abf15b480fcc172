"""Vectors are kept on disk by model hash and text hash, so that a benchmark never encodes twice. No text is kept."""

import os
import sqlite3
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from pincite.errors import OutputError
from pincite.models.contract import Encoder, Progress, Vectors

CHUNK = 2048


def cache_folder() -> Path:
    """`$PINCITE_CACHE`, else the place where this system keeps caches."""
    named = os.environ.get("PINCITE_CACHE")
    if named:
        return Path(named)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", "~/AppData/Local"))
    elif sys.platform == "darwin":
        base = Path("~/Library/Caches")
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache")
    return (base / "pincite").expanduser()


class CachedEncoder(Encoder):
    """An encoder that looks in the cache first and fills it as it goes, so that stopped work is not lost."""

    def __init__(self, encoder: Encoder, folder: Path | None = None) -> None:
        self.encoder = encoder
        self.name = encoder.name
        self.sha256 = encoder.sha256
        self.dimensions = encoder.dimensions
        self.query_prefix = encoder.query_prefix
        self.passage_prefix = encoder.passage_prefix
        self.path = (folder or cache_folder()) / "vectors" / f"{encoder.sha256}.sqlite"

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        keys = [sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        database = self._open()
        try:
            return self._encode(database, texts, keys, progress)
        finally:
            database.close()

    def _encode(
        self, database: sqlite3.Connection, texts: Sequence[str], keys: list[bytes], progress: Progress | None
    ) -> Vectors:
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        missing = []
        for at, key in enumerate(keys):
            row = database.execute("SELECT vector FROM vectors WHERE text = ?", (key,)).fetchone()
            if row:
                vectors[at] = np.frombuffer(row[0], dtype=np.float32)
            else:
                missing.append(at)
        missing.sort(key=lambda at: len(texts[at]))
        for first in range(0, len(missing), CHUNK):
            chunk = missing[first : first + CHUNK]
            told = _shifted(progress, first, len(missing))
            vectors[chunk] = self.encoder.encode([texts[at] for at in chunk], told)
            with database:
                database.executemany(
                    "INSERT OR IGNORE INTO vectors VALUES (?, ?)", [(keys[at], vectors[at].tobytes()) for at in chunk]
                )
        return vectors

    def _open(self) -> sqlite3.Connection:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            database = sqlite3.connect(self.path, timeout=60)
            database.execute("CREATE TABLE IF NOT EXISTS vectors (text BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID")
        except (OSError, sqlite3.Error) as error:
            raise OutputError(
                f"{self.path}: the cache of vectors cannot be used ({error}); set PINCITE_CACHE to a writable folder"
            ) from None
        return database


def _shifted(progress: Progress | None, done_before: int, total: int) -> Progress | None:
    if progress is None:
        return None
    return lambda done, _: progress(done_before + done, total)
