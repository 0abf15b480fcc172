"""A cache of vectors and scores on disk, so that a benchmark computes none of them twice.

Entries are stored under the hash of the model and the hash of the text. No text is stored.
"""

import os
import sqlite3
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.errors import OutputError
from pincite.models.contract import Encoder, Progress, Vectors
from pincite.models.reranker import Reranker

SCORING = 2
"""The version of how a model's inputs are made: 2 reads long passages in pieces."""
CHUNK = 2048
"""Texts that are encoded between two writes to the cache."""


def cache_folder() -> Path:
    """`$PINCITE_CACHE`, or else the cache folder of the operating system."""
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
    """An encoder that looks in the cache first. New vectors are stored as it goes, so that stopped work is not lost."""

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
        return _database(self.path, "vectors (text BLOB PRIMARY KEY, vector BLOB)")


class CachedReranker(Reranker):
    """A re-ranker that looks in the cache first and stores new scores."""

    def __init__(self, reranker: Reranker, folder: Path | None = None) -> None:
        self.reranker = reranker
        self.name = reranker.name
        self.sha256 = reranker.sha256
        self.path = (folder or cache_folder()) / "scores" / f"{reranker.sha256}-{SCORING}.sqlite"
        self._database = _database(self.path, "scores (pair BLOB PRIMARY KEY, score REAL)")

    def scores(self, question: str, passages: Sequence[str]) -> NDArray[np.float64]:
        keys = [sha256(f"{question}\0{passage}".encode("utf-8", "surrogatepass")).digest() for passage in passages]
        held = [self._database.execute("SELECT score FROM scores WHERE pair = ?", (key,)).fetchone() for key in keys]
        found = np.array([row[0] if row else np.nan for row in held], dtype=np.float64)
        missing = np.flatnonzero(np.isnan(found)).tolist()
        if missing:
            found[missing] = self.reranker.scores(question, [passages[at] for at in missing])
            with self._database:
                self._database.executemany(
                    "INSERT OR IGNORE INTO scores VALUES (?, ?)", [(keys[at], float(found[at])) for at in missing]
                )
        return found


def _database(path: Path, table: str) -> sqlite3.Connection:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(path, timeout=60)
        database.execute(f"CREATE TABLE IF NOT EXISTS {table} WITHOUT ROWID")
    except (OSError, sqlite3.Error) as error:
        raise OutputError(
            f"{path}: the cache cannot be used ({error}); set PINCITE_CACHE to a writable folder"
        ) from None
    return database


def _shifted(progress: Progress | None, done_before: int, total: int) -> Progress | None:
    if progress is None:
        return None
    return lambda done, _: progress(done_before + done, total)
