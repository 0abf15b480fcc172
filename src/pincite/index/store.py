"""The truth of an index: one SQLite database with the documents, their units and vectors, and where they came from."""

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from pincite.errors import DataError, OutputError, PinciteError
from pincite.index.configuration import FORMAT, PIPELINE, Configuration
from pincite.index.packing import (
    Codes,
    Scales,
    pack_profile,
    pack_source,
    pack_units,
    unpack_profile,
    unpack_source,
    unpack_units,
)
from pincite.index.records import File, Listed, described, storable
from pincite.retrieve.shelf import Entry
from pincite.text import Document

DATABASE = "truth.sqlite"
NEW = ".new-"
SHELVES = "shelves"
LOCK = "write.lock"

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE roots (name TEXT PRIMARY KEY, path TEXT NOT NULL UNIQUE) WITHOUT ROWID;
CREATE TABLE files (
    root TEXT NOT NULL REFERENCES roots(name), path TEXT NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
    sha256 TEXT NOT NULL, failures TEXT NOT NULL, PRIMARY KEY (root, path)
) WITHOUT ROWID;
CREATE TABLE documents (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, root TEXT NOT NULL, path TEXT NOT NULL,
    title TEXT NOT NULL, metadata TEXT NOT NULL, found TEXT NOT NULL, profile TEXT NOT NULL,
    sha256 TEXT NOT NULL, added TEXT NOT NULL,
    pages INTEGER NOT NULL, characters INTEGER NOT NULL, unit_count INTEGER NOT NULL, source BLOB NOT NULL,
    units BLOB NOT NULL, contexts BLOB NOT NULL, text TEXT NOT NULL
);
CREATE INDEX documents_of_files ON documents (root, path);
CREATE INDEX documents_by_text ON documents (sha256);
CREATE TABLE boxes (
    document INTEGER PRIMARY KEY REFERENCES documents(number) ON DELETE CASCADE, packed BLOB NOT NULL
);
CREATE TABLE embeddings (
    document INTEGER PRIMARY KEY REFERENCES documents(number) ON DELETE CASCADE,
    scales BLOB NOT NULL, codes BLOB NOT NULL
);
CREATE TABLE shelves (
    name TEXT PRIMARY KEY, documents BLOB NOT NULL, units INTEGER NOT NULL, files TEXT NOT NULL
) WITHOUT ROWID;
"""


class ShelfRow(NamedTuple):
    """A shelf on disk: the documents on it, and the size and checksum of each of its files."""

    name: str
    documents: tuple[int, ...]
    units: int
    files: dict[str, tuple[int, int]]


class Store:
    """Every change is one transaction; readers see the state of the moment their transaction began."""

    def __init__(self, folder: Path, *, write: bool = False) -> None:
        self.folder = folder
        path = folder / DATABASE
        if not path.is_file():
            what = "is not an index" if folder.exists() else "no such index"
            raise DataError(
                f"{folder}: {what}; 'pincite index create' makes one, "
                "'pincite index add FOLDER --index DIR --create' makes and fills one"
            )
        self._database = _connect(path, write=write)
        if write:
            (folder / SHELVES).mkdir(exist_ok=True)
        with self.errors():
            version = self.meta("format")
            pipeline = self.configuration.pipeline
        if not version.isdigit() or int(version) > FORMAT or pipeline > PIPELINE:
            self.close()
            raise DataError(
                f"{folder}: the index has format {version}.{pipeline}, this Pincite knows {FORMAT}.{PIPELINE}; "
                "install a newer Pincite"
            )

    @classmethod
    def create(cls, folder: Path, configuration: Configuration) -> None:
        """Makes an empty index; the folder appears whole or not at all."""
        if (folder / DATABASE).exists():
            raise DataError(f"{folder}: there is an index already")
        if folder.exists() and any(not path.name.startswith((SHELVES, NEW, LOCK)) for path in folder.iterdir()):
            raise DataError(f"{folder}: the folder is not empty; name a new one for the index")
        try:
            (folder / SHELVES).mkdir(parents=True, exist_ok=True)
            with TemporaryDirectory(prefix=NEW, dir=folder) as temporary:
                fresh = Path(temporary) / DATABASE
                database = sqlite3.connect(fresh, isolation_level=None)
                database.executescript(_SCHEMA)
                values = {"format": str(FORMAT), "configuration": configuration.to_json(), "generation": "0"}
                database.executemany("INSERT INTO meta VALUES (?, ?)", values.items())
                database.close()
                (folder / DATABASE).hardlink_to(fresh)  # unlike a rename, never over another's
        except FileExistsError:
            raise DataError(f"{folder}: there is an index already") from None
        except (OSError, sqlite3.Error) as error:
            raise OutputError(f"{folder}: the index cannot be made here ({error})") from None

    def close(self) -> None:
        self._database.close()

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Turns errors of the database into ours, which say what to do."""
        try:
            yield
        except sqlite3.Error as error:
            raise _explained(self.folder, error) from error

    @contextmanager
    def reading(self) -> Iterator[None]:
        """One consistent state, whatever a writer does meanwhile."""
        with self.errors():
            if self._database.in_transaction:
                yield
                return
            self._database.execute("BEGIN")
            try:
                yield
            finally:
                self._database.execute("ROLLBACK")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """All of it or nothing; readers see it when it is whole."""
        with self.errors():
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._database.execute("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'generation'")
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise

    def meta(self, key: str) -> str:
        row = self._database.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else ""

    def set_meta(self, key: str, value: str) -> None:
        self._database.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    @property
    def generation(self) -> int:
        """Counts the changes."""
        return int(self.meta("generation") or 0)

    @property
    def configuration(self) -> Configuration:
        return Configuration.from_json(self.meta("configuration"))

    def configure(self, configuration: Configuration) -> None:
        self.set_meta("configuration", configuration.to_json())

    # Roots and files

    def roots(self) -> dict[str, str]:
        """The folders (or single files) that were added, by the name that begins their documents' ids."""
        return dict(self._database.execute("SELECT name, path FROM roots ORDER BY name").fetchall())

    def put_root(self, name: str, path: str) -> None:
        self._database.execute("INSERT OR IGNORE INTO roots VALUES (?, ?)", (name, path))

    def move_root(self, name: str, path: str) -> None:
        self._database.execute("UPDATE roots SET path = ? WHERE name = ?", (path, name))

    def files(self, root: str | None = None) -> dict[tuple[str, str], File]:
        where, values = ("", ()) if root is None else (" WHERE root = ?", (root,))
        rows = self._database.execute(f"SELECT * FROM files{where} ORDER BY root, path", values)
        return {
            (row[0], row[1]): File(row[0], row[1], row[2], row[3], row[4], tuple(json.loads(row[5]))) for row in rows
        }

    def put_file(self, file: File) -> None:
        self._database.execute(
            "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)",
            (*file[:5], json.dumps([storable(failure) for failure in file.failures])),
        )

    def delete_files(self, files: Iterable[tuple[str, str]]) -> None:
        """Forgets files, and roots that have none left."""
        self._database.executemany("DELETE FROM files WHERE root = ? AND path = ?", list(files))
        self._database.execute("DELETE FROM roots WHERE name NOT IN (SELECT root FROM files)")

    # Documents

    def insert(self, entry: Entry, root: str, path: str, metadata: Mapping[str, str], found: Mapping[str, str]) -> int:
        """Adds a document with what the user and its reader say of it; its number is never used again."""
        document, source = entry.document, entry.document.source
        units, contexts = pack_units(entry.units)
        try:
            document.text.encode("utf-8")
        except UnicodeEncodeError:
            raise DataError(f"{document.id}: the text holds lone surrogates, which cannot be stored") from None
        cursor = self._database.execute(
            "INSERT INTO documents (id, root, path, title, metadata, found, profile, sha256, added, pages, characters,"
            " unit_count, source, units, contexts, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(
                    document.id,
                    root,
                    path,
                    storable(document.title),
                    json.dumps(dict(metadata)),
                    json.dumps(dict(found)),
                ),
                *(pack_profile(entry.profile), document.sha256, datetime.now(UTC).isoformat(timespec="seconds")),
                *(len(source.page_starts), len(document.text), len(entry.units)),
                *(pack_source(source), units, contexts, document.text),
            ),
        )
        number = int(cursor.lastrowid or 0)
        if source.boxes is not None:
            self._database.execute("INSERT INTO boxes VALUES (?, ?)", (number, source.boxes.packed))
        return number

    def delete(self, numbers: Iterable[int]) -> None:
        """Documents go with their units, boxes and vectors; the freed pages are overwritten."""
        self._database.executemany("DELETE FROM documents WHERE number = ?", [(number,) for number in numbers])

    def number(self, document_id: str) -> int | None:
        """The number of the document with that id."""
        row = self._database.execute("SELECT number FROM documents WHERE id = ?", (document_id,)).fetchone()
        return int(row[0]) if row else None

    def titles(self) -> dict[str, str]:
        """The titles of all documents, by id."""
        return dict(self._database.execute("SELECT id, title FROM documents ORDER BY number").fetchall())

    def numbers(self, root: str, path: str) -> list[int]:
        """The documents that a file gave."""
        rows = self._database.execute("SELECT number FROM documents WHERE root = ? AND path = ?", (root, path))
        return [int(row[0]) for row in rows]

    def listed(self, number: int | None = None) -> list[Listed]:
        """Every document (or one) without its text, by number."""
        where = "" if number is None else f" WHERE number = {int(number)}"
        rows = self._database.execute(
            "SELECT number, id, root, path, title, metadata, found, profile, sha256, added, pages, characters,"
            " unit_count, EXISTS (SELECT 1 FROM embeddings WHERE document = number)"
            f" FROM documents{where} ORDER BY number"
        )
        return [
            Listed(
                number=row[0],
                id=row[1],
                root=row[2],
                path=row[3],
                title=row[4],
                metadata=json.loads(row[5]),
                found=json.loads(row[6]),
                profile=unpack_profile(row[7]),
                sha256=row[8],
                added=row[9],
                pages=row[10],
                characters=row[11],
                unit_count=row[12],
                has_vectors=bool(row[13]),
            )
            for row in rows
        ]

    def entry(self, number: int, *, boxes: bool = False) -> Entry | None:
        """A document with its profile and units, checked against its hash; None where it is gone."""
        row = self._database.execute(
            "SELECT id, title, metadata, profile, sha256, source, units, contexts, text, found FROM documents"
            " WHERE number = ?",
            (number,),
        ).fetchone()
        if row is None:
            return None
        packed = None
        if boxes:
            found = self._database.execute("SELECT packed FROM boxes WHERE document = ?", (number,)).fetchone()
            packed = found[0] if found else None
        try:
            profile, source, units = unpack_profile(row[3]), unpack_source(row[5], packed), unpack_units(row[6], row[7])
            said = described(json.loads(row[2]), json.loads(row[9]), profile)
            document = Document(row[0], row[8], row[1], said, source)
        except (ValueError, TypeError, KeyError, IndexError, zlib.error) as error:
            raise _damaged(self.folder, row[0], str(error)) from None
        if document.sha256 != row[4]:
            raise _damaged(self.folder, row[0], "its text is not what was stored")
        return Entry(document, profile, units)

    # Vectors

    def without_vectors(self) -> list[tuple[int, int]]:
        """The documents that have no vectors yet, each with its number of units."""
        rows = self._database.execute(
            "SELECT number, unit_count FROM documents WHERE number NOT IN (SELECT document FROM embeddings)"
            " ORDER BY number"
        )
        return [(int(row[0]), int(row[1])) for row in rows]

    def put_vectors(self, number: int, codes: Codes, scales: Scales) -> None:
        self._database.execute(
            "INSERT OR REPLACE INTO embeddings VALUES (?, ?, ?)", (number, scales.tobytes(), codes.tobytes())
        )

    def vectors(self, number: int) -> tuple[Codes, Scales] | None:
        row = self._database.execute("SELECT scales, codes FROM embeddings WHERE document = ?", (number,)).fetchone()
        if row is None:
            return None
        scales = np.frombuffer(row[0], dtype=np.float32)
        if not len(scales):
            return np.zeros((0, self.configuration.dimensions), dtype=np.int8), scales
        return np.frombuffer(row[1], dtype=np.int8).reshape(len(scales), -1), scales

    def vectors_of_text(self, sha256: str, units: int) -> tuple[Codes, Scales] | None:
        """The vectors of any document with that same text: a file that was only moved keeps what was made of it."""
        row = self._database.execute(
            "SELECT number FROM documents JOIN embeddings ON document = number WHERE documents.sha256 = ?"
            " AND unit_count = ? LIMIT 1",
            (sha256, units),
        ).fetchone()
        return self.vectors(int(row[0])) if row else None

    def forget_vectors(self) -> None:
        self._database.execute("DELETE FROM embeddings")

    # Shelves

    def shelves(self) -> list[ShelfRow]:
        rows = self._database.execute("SELECT name, documents, units, files FROM shelves ORDER BY name")
        return [
            ShelfRow(
                name,
                tuple(np.frombuffer(documents, dtype="<i8").tolist()),
                units,
                {file: (size, crc) for file, (size, crc) in json.loads(files).items()},
            )
            for name, documents, units, files in rows
        ]

    def put_shelf(self, row: ShelfRow) -> None:
        packed = np.array(row.documents, dtype="<i8").tobytes()
        self._database.execute(
            "INSERT OR REPLACE INTO shelves VALUES (?, ?, ?, ?)", (row.name, packed, row.units, json.dumps(row.files))
        )

    def delete_shelves(self, names: Iterable[str]) -> None:
        self._database.executemany("DELETE FROM shelves WHERE name = ?", [(name,) for name in names])

    # Upkeep

    def shorten_log(self) -> None:
        """Brings into the database file what no reader is in the way of; waits for nobody."""
        with self.errors():
            self._database.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()

    def empty_log(self) -> bool:
        """Brings everything into the database file and empties the log; False while a reader is in the way."""
        with self.errors():
            busy, _, _ = self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def faults(self) -> list[str]:
        """What SQLite itself finds wrong with the file."""
        try:
            rows = self._database.execute("PRAGMA integrity_check(20)").fetchall()
        except sqlite3.Error as error:
            return [str(error)]
        return [row[0] for row in rows if row[0] != "ok"]


def _connect(path: Path, *, write: bool) -> sqlite3.Connection:
    try:
        database = sqlite3.connect(path, isolation_level=None, timeout=30, check_same_thread=False)
        if write:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = FULL")
            database.execute("PRAGMA secure_delete = ON")
            database.execute("PRAGMA foreign_keys = ON")
        else:
            database.execute("PRAGMA query_only = ON")
        database.execute("PRAGMA mmap_size = 268435456")
        database.execute("SELECT 1 FROM meta").fetchone()
    except sqlite3.Error as error:
        raise _explained(path.parent, error) from error
    return database


def _explained(folder: Path, error: sqlite3.Error) -> PinciteError:
    code = getattr(error, "sqlite_errorname", "") or ""
    if code.startswith(("SQLITE_FULL", "SQLITE_IOERR")):
        return OutputError(
            f"{folder}: the disk is full or failing ({error}); the last batch was not written, all before it is safe"
        )
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return OutputError(f"{folder}: another process is writing to the index; wait for it and try again")
    if code.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return OutputError(f"{folder}: the index cannot be written or opened ({error}); check the folder's permissions")
    if code.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")) or "no such table" in str(error):
        return DataError(
            f"{folder}: the index's database is damaged ({error}); "
            "'pincite index export' saves what can still be read, a new index made from the same files replaces it"
        )
    return DataError(f"{folder}: {error}")


def _damaged(folder: Path, document: str, why: str) -> DataError:
    return DataError(
        f"{folder}: the stored document {document!r} is damaged ({why}); remove it, then add its file again"
    )
