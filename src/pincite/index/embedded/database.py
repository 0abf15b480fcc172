"""The database of an index: SQLite holds the documents, their units and vectors, and where they came from."""

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock, local
from typing import Any, NamedTuple

import numpy as np

from pincite.engine.configuration import PIPELINE, Configuration
from pincite.engine.records import DocumentRecord, File, PreparedDocument, Root, StoredRecord, described, storable
from pincite.engine.unit_vectors import QuantisedVectors
from pincite.errors import DamagedDocumentError, DataError, OutputError, PinciteError
from pincite.index.packing import (
    pack_profile,
    pack_source,
    pack_units,
    unpack_profile,
    unpack_source,
    unpack_units,
)
from pincite.postings.fragment import IndexedDocument
from pincite.text import Document

DATABASE = "truth.sqlite"
NEW = ".new-"
FRAGMENTS = "fragments"
LOCKS = ".lock"
"""The ending of lock files."""
FORMAT = 4
"""The version of the folder's layout. An index of a newer one is not touched, one of an older is migrated."""

_RECORD = (
    "SELECT number, id, root, path, title, metadata, found, profile, sha256, added, pages, characters,"
    " unit_count, EXISTS (SELECT 1 FROM embeddings WHERE document = number), read_title, structure FROM documents"
)

SEALED = (
    "id, root, path, title, metadata, found, profile, sha256, added, pages, characters, unit_count, source, units,"
    " contexts, text, read_title, structure"
)
"""The columns of a document that its checksum covers, in the order in which they are written."""
SEALED_ROW = f"sealed({', '.join(f'CAST({column} AS BLOB)' for column in SEALED.split(', '))})"
"""The checksum of a document's row, in SQL. Text is taken as bytes: what is damaged may not be text any more."""
SEALED_VECTORS = "sealed(scales, codes)"

_FILE = "SELECT root, path, size, modified, sha256, failures, notes FROM files"

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE roots (name TEXT PRIMARY KEY, path TEXT NOT NULL UNIQUE) WITHOUT ROWID;
CREATE TABLE files (
    root TEXT NOT NULL REFERENCES roots(name), path TEXT NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
    sha256 TEXT NOT NULL, failures TEXT NOT NULL, notes TEXT NOT NULL DEFAULT '[]', PRIMARY KEY (root, path)
) WITHOUT ROWID;
CREATE TABLE documents (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, root TEXT NOT NULL, path TEXT NOT NULL,
    title TEXT NOT NULL, metadata TEXT NOT NULL, found TEXT NOT NULL, profile TEXT NOT NULL,
    sha256 TEXT NOT NULL, added TEXT NOT NULL,
    pages INTEGER NOT NULL, characters INTEGER NOT NULL, unit_count INTEGER NOT NULL, source BLOB NOT NULL,
    units BLOB NOT NULL, contexts BLOB NOT NULL, text TEXT NOT NULL,
    read_title TEXT NOT NULL DEFAULT '', structure INTEGER NOT NULL DEFAULT 1, checksum INTEGER
);
CREATE INDEX documents_of_files ON documents (root, path);
CREATE INDEX documents_by_text ON documents (sha256);
CREATE TABLE boxes (
    document INTEGER PRIMARY KEY REFERENCES documents(number) ON DELETE CASCADE, packed BLOB NOT NULL
);
CREATE TABLE embeddings (
    document INTEGER PRIMARY KEY REFERENCES documents(number) ON DELETE CASCADE,
    scales BLOB NOT NULL, codes BLOB NOT NULL, checksum INTEGER
);
CREATE TABLE fragments (
    name TEXT PRIMARY KEY, documents BLOB NOT NULL, units INTEGER NOT NULL, files TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE records (
    kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (kind, key)
) WITHOUT ROWID;
"""


class FragmentRow(NamedTuple):
    """A fragment on disk: its documents, and the size and checksum of each of its files."""

    name: str
    documents: tuple[int, ...]
    units: int
    files: dict[str, tuple[int, int]]


class Database:
    """Every change is one transaction; readers see the state of the moment their transaction began.

    Each thread has a connection of its own, so that the object can be shared.
    """

    def __init__(self, folder: Path, *, write: bool = False) -> None:
        self.folder = folder
        self.write = write
        self._own = local()
        self._opened: list[sqlite3.Connection] = []
        self._lock = Lock()
        self._epoch = 0
        check_there(folder)
        self._inode = self._inode_now()
        if write:
            with suppress(FileExistsError):
                (folder / FRAGMENTS).mkdir(mode=0o700)
        with self.errors():
            found, pipeline = self.meta("format"), self.configuration.pipeline
        if found != str(FORMAT) or pipeline > PIPELINE:
            self.close()
            raise DataError(
                f"{folder}: the index has format {found}.{pipeline}, this Pincite knows {FORMAT}.{PIPELINE}; "
                "install a newer Pincite"
            )

    @classmethod
    def create(cls, folder: Path, configuration: Configuration) -> None:
        """Makes an empty index; the folder appears whole or not at all."""
        if (folder / DATABASE).exists():
            raise DataError(f"{folder}: there is an index already")
        if folder.is_file():
            raise DataError(f"{folder}: is a file; name a new folder for the index")
        allowed = (FRAGMENTS, NEW)
        if folder.exists() and any(
            not path.name.startswith(allowed) and not path.name.endswith(LOCKS) for path in folder.iterdir()
        ):
            raise DataError(f"{folder}: the folder is not empty; name a new one for the index")
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            for private in (folder, folder / FRAGMENTS):
                private.mkdir(mode=0o700, exist_ok=True)
            with TemporaryDirectory(prefix=NEW, dir=folder) as temporary:
                fresh = Path(temporary) / DATABASE
                database = sqlite3.connect(fresh, isolation_level=None)
                database.executescript(_SCHEMA)
                values = {"format": str(FORMAT), "configuration": configuration.to_json(), "generation": "0"}
                database.executemany("INSERT INTO meta VALUES (?, ?)", values.items())
                database.close()
                fresh.chmod(0o600)
                (folder / DATABASE).hardlink_to(fresh)  # unlike a rename, never over another's
        except FileExistsError:
            raise DataError(f"{folder}: there is an index already") from None
        except (OSError, sqlite3.Error) as error:
            raise OutputError(f"{folder}: the index cannot be created here ({error})") from None

    @property
    def _database(self) -> sqlite3.Connection:
        """The connection of this thread."""
        if getattr(self._own, "epoch", -1) != self._epoch:
            fresh = connect(self.folder / DATABASE, write=self.write)
            with self._lock:
                self._opened.append(fresh)
                self._own.connection, self._own.epoch = fresh, self._epoch
        connection: sqlite3.Connection = self._own.connection
        return connection

    def close(self) -> None:
        with self._lock:
            for connection in self._opened:
                with suppress(sqlite3.Error):
                    connection.close()
            self._opened.clear()
            self._epoch += 1

    def follow(self) -> bool:
        """Opens what lies in the folder now, if it is no longer the index that was opened; says whether it did."""
        inode = self._inode_now()
        if inode == self._inode:
            return False
        check_there(self.folder)
        self._inode = inode
        self._epoch += 1  # connections to the old file end with their threads
        return True

    def _inode_now(self) -> int:
        try:
            return (self.folder / DATABASE).stat().st_ino
        except OSError:
            return -1

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Turns errors of the database into ours, which say what to do."""
        try:
            yield
        except sqlite3.Error as error:
            raise explained(self.folder, error) from error

    @contextmanager
    def reading(self) -> Iterator[None]:
        """One consistent state, whatever a writer does meanwhile."""
        with self.errors():
            connection = self._database
            if connection.in_transaction:
                yield
                return
            connection.execute("BEGIN")
            try:
                yield
            finally:
                with suppress(sqlite3.ProgrammingError):  # closed meanwhile
                    connection.execute("ROLLBACK")

    @contextmanager
    def writing(self, *, counted: bool = True) -> Iterator[None]:
        """All of it or nothing; readers see it when it is whole. What is not `counted` changes no answer."""
        with self.errors():
            connection = self._database
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                if counted:
                    connection.execute("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'generation'")
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
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

    def root_path(self, name: str) -> str | None:
        row = self._database.execute("SELECT path FROM roots WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def roots(self, after: str, limit: int) -> list[Root]:
        rows = self._database.execute(
            "SELECT name, path FROM roots WHERE name > ? OR ? = '' ORDER BY name LIMIT ?", (after, after, limit)
        )
        return [Root(*row) for row in rows]

    def put_root(self, root: Root) -> None:
        self._database.execute("INSERT OR IGNORE INTO roots VALUES (?, ?)", root)

    def move_root(self, root: Root) -> None:
        self._database.execute("UPDATE roots SET path = ? WHERE name = ?", (root.path, root.name))

    def files(self, root: str | None, after: tuple[str, str] | None, limit: int) -> list[File]:
        where, values = [], []
        if root is not None:
            where, values = ["root = ?"], [root]
        if after is not None:
            where.append("(root, path) > (?, ?)")
            values += after
        condition = f" WHERE {' AND '.join(where)}" if where else ""
        rows = self._database.execute(f"{_FILE}{condition} ORDER BY root, path LIMIT ?", (*values, limit))
        return [_file(row) for row in rows]

    def file(self, root: str, path: str) -> File | None:
        row = self._database.execute(f"{_FILE} WHERE root = ? AND path = ?", (root, path)).fetchone()
        return None if row is None else _file(row)

    def put_file(self, file: File) -> None:
        self._database.execute(
            "INSERT OR REPLACE INTO files (root, path, size, modified, sha256, failures, notes)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (*file[:5], *(json.dumps([storable(line) for line in lines]) for lines in (file.failures, file.notes))),
        )

    def delete_files(self, files: Iterable[tuple[str, str]]) -> None:
        """Forgets files, and roots that have none left."""
        self._database.executemany("DELETE FROM files WHERE root = ? AND path = ?", list(files))
        self._database.execute("DELETE FROM roots WHERE name NOT IN (SELECT root FROM files)")

    # Documents

    def insert(self, prepared: PreparedDocument, root: str, path: str, added: str = "") -> int:
        """Adds a document, or stores one again that was added before; its number is never used again."""
        document, profile, own = prepared.indexed
        source, (units, contexts) = document.source, pack_units(own)
        try:
            document.text.encode("utf-8")
        except UnicodeEncodeError:
            raise DataError(f"{document.id}: the text holds lone surrogates, which cannot be stored") from None
        said, found = json.dumps(dict(prepared.metadata)), json.dumps(dict(prepared.found))
        added = added or datetime.now(UTC).isoformat(timespec="seconds")
        values = (
            *(document.id, root, path, storable(document.title), said, found),
            *(pack_profile(profile), document.sha256, added),
            *(len(source.page_starts), len(document.text), len(own)),
            *(pack_source(source), units, contexts, document.text),
            *(storable(prepared.read_title), prepared.structure),
        )
        cursor = self._database.execute(
            f"INSERT INTO documents ({SEALED}, checksum) VALUES ({', '.join('?' * len(values))}, ?)",
            (*values, sealed(*values)),
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

    def place(self, document_id: str) -> tuple[int, str, str] | None:
        """The number of a document, its root and its file; also of one that is damaged."""
        rows = self._rows("SELECT number, root, path FROM documents WHERE id = ?", (document_id,))
        return (int(rows[0][0]), str(rows[0][1]), str(rows[0][2])) if rows else None

    def numbers(self, root: str, path: str) -> list[int]:
        """The documents that a file gave."""
        rows = self._database.execute("SELECT number FROM documents WHERE root = ? AND path = ?", (root, path))
        return [int(row[0]) for row in rows]

    def records(self, after: int = 0, limit: int = -1) -> list[DocumentRecord]:
        """Documents without their texts, by number. A damaged one is left out."""
        found = []
        for row in self._rows(f"{_RECORD} WHERE number > ? ORDER BY number LIMIT ?", (after, limit)):
            with suppress(DamagedDocumentError):  # `damaged` names it
                found.append(_record(row))
        return found

    def record(self, document_id: str) -> DocumentRecord | None:
        rows = self._rows(f"{_RECORD} WHERE id = ?", (document_id,))
        return _record(rows[0]) if rows else None

    @property
    def document_count(self) -> int:
        return int(self._database.execute("SELECT count(*) FROM documents").fetchone()[0])

    def damaged(self) -> list[DamagedDocumentError]:
        """The documents whose records cannot be read."""
        found = []
        for row in self._rows(_RECORD):
            try:
                _record(row)
            except DamagedDocumentError as error:
                found.append(error)
        return found

    def unlike(self) -> list[str]:
        """The ids of the documents whose rows, or whose vectors, are not as they were written."""
        documents = f"SELECT id FROM documents WHERE checksum IS NOT {SEALED_ROW}"
        vectors = (
            "SELECT id FROM embeddings JOIN documents ON document = number"
            f" WHERE embeddings.checksum IS NOT {SEALED_VECTORS}"
        )
        return sorted({str(row[0]) for sql in (documents, vectors) for row in self._rows(sql)})

    def _rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query. Text that is no longer UTF-8 is read with marks in place of what is damaged."""
        database = self._database
        try:
            return database.execute(sql, values).fetchall()
        except sqlite3.OperationalError as error:
            if "decode" not in str(error):
                raise
        database.text_factory = lambda data: data.decode("utf-8", "replace")
        try:
            return database.execute(sql, values).fetchall()
        finally:
            database.text_factory = str

    def records_of(self, root: str, path: str) -> list[DocumentRecord]:
        rows = self._database.execute(f"{_RECORD} WHERE root = ? AND path = ? ORDER BY number", (root, path))
        return [_record(row) for row in rows]

    def matching_names(self, part: str, limit: int) -> list[DocumentRecord]:
        rows = self._database.execute(
            f"{_RECORD} WHERE instr(casefold(id), ?1) OR instr(casefold(title), ?1) ORDER BY number LIMIT ?2",
            (part.casefold(), limit),
        )
        return [_record(row) for row in rows]

    def indexed(self, number: int) -> IndexedDocument | None:
        """A document with its profile and units, checked against its hash; None where it is gone."""
        rows = self._rows(
            "SELECT id, title, metadata, profile, sha256, source, units, contexts, text, found, packed"
            " FROM documents LEFT JOIN boxes ON document = number WHERE number = ?",
            (number,),
        )
        if not rows:
            return None
        row = rows[0]
        try:
            profile, source = unpack_profile(row[3]), unpack_source(row[5], row[10])
            units = unpack_units(row[6], row[7])
            said = described(json.loads(row[2]), json.loads(row[9]), profile)
            document = Document(row[0], row[8], row[1], said, source)
            if len(units) and int(units.ends.max()) > len(document.text):
                raise ValueError("its units do not fit its text")
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, zlib.error) as error:
            raise DamagedDocumentError(row[0], str(error)) from None
        if document.sha256 != row[4]:
            raise DamagedDocumentError(row[0], "its text is not what was stored")
        return IndexedDocument(document, profile, units)

    # Vectors

    def without_vectors(self, limit: int) -> list[tuple[str, int]]:
        """The first documents that have no vectors, each with its number of units."""
        rows = self._database.execute(
            "SELECT id, unit_count FROM documents WHERE number NOT IN (SELECT document FROM embeddings)"
            " ORDER BY number LIMIT ?",
            (limit,),
        )
        return [(str(row[0]), int(row[1])) for row in rows]

    def missing_units(self) -> int:
        row = self._database.execute(
            "SELECT coalesce(sum(unit_count), 0) FROM documents WHERE number NOT IN (SELECT document FROM embeddings)"
        ).fetchone()
        return int(row[0])

    def put_vectors(self, number: int, vectors: QuantisedVectors) -> None:
        codes, scales = vectors
        packed = scales.tobytes(), codes.tobytes()
        self._database.execute(
            "INSERT OR REPLACE INTO embeddings VALUES (?, ?, ?, ?)", (number, *packed, sealed(*packed))
        )

    def vectors(self, number: int) -> QuantisedVectors | None:
        row = self._database.execute("SELECT scales, codes FROM embeddings WHERE document = ?", (number,)).fetchone()
        if row is None:
            return None
        try:
            scales = np.frombuffer(row[0], dtype=np.float32)
            if not len(scales):
                return QuantisedVectors(np.zeros((0, self.configuration.dimensions), dtype=np.int8), scales)
            codes = np.frombuffer(row[1], dtype=np.int8).reshape(len(scales), self.configuration.dimensions or -1)
            return QuantisedVectors(codes, scales)
        except (ValueError, TypeError) as error:
            found = self._rows("SELECT id FROM documents WHERE number = ?", (number,))
            raise DamagedDocumentError(str(found[0][0]) if found else "", f"its vectors: {error}") from None

    def vectors_of_same(self, prepared: PreparedDocument) -> QuantisedVectors | None:
        """The vectors of any document with that text, cut into the same units by the same version: a file that was only
        moved, or described differently, keeps its vectors."""
        row = self._database.execute(
            "SELECT number FROM documents JOIN embeddings ON document = number WHERE documents.sha256 = ?"
            " AND structure = ? AND units = ? AND contexts = ? LIMIT 1",
            (prepared.indexed.document.sha256, prepared.structure, *pack_units(prepared.indexed.units)),
        ).fetchone()
        return self.vectors(int(row[0])) if row else None

    def forget_vectors(self) -> None:
        self._database.execute("DELETE FROM embeddings")

    # Fragments

    def fragments(self) -> list[FragmentRow]:
        rows = self._database.execute("SELECT name, documents, units, files FROM fragments ORDER BY name")
        return [
            FragmentRow(
                name,
                tuple(np.frombuffer(documents, dtype="<i8").tolist()),
                units,
                {file: (size, crc) for file, (size, crc) in json.loads(files).items()},
            )
            for name, documents, units, files in rows
        ]

    def put_fragment(self, row: FragmentRow) -> None:
        packed = np.array(row.documents, dtype="<i8").tobytes()
        self._database.execute(
            "INSERT OR REPLACE INTO fragments VALUES (?, ?, ?, ?)", (row.name, packed, row.units, json.dumps(row.files))
        )

    def delete_fragments(self, names: Iterable[str]) -> None:
        self._database.executemany("DELETE FROM fragments WHERE name = ?", [(name,) for name in names])

    # Small records

    def stored_record(self, kind: str, key: str) -> StoredRecord | None:
        row = self._database.execute(
            "SELECT key, value, version FROM records WHERE kind = ? AND key = ?", (kind, key)
        ).fetchone()
        return None if row is None else StoredRecord(*row)

    def stored_records(self, kind: str, after: str, limit: int) -> list[StoredRecord]:
        rows = self._database.execute(
            "SELECT key, value, version FROM records WHERE kind = ? AND (key > ? OR ? = '') ORDER BY key LIMIT ?",
            (kind, after, after, limit),
        )
        return [StoredRecord(*row) for row in rows]

    def put_record(self, kind: str, record: StoredRecord) -> None:
        self._database.execute("INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?)", (kind, *record))

    def delete_record(self, kind: str, key: str) -> bool:
        return self._database.execute("DELETE FROM records WHERE kind = ? AND key = ?", (kind, key)).rowcount > 0

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


def _file(row: Sequence[object]) -> File:
    root, path, size, modified, sha256, failures, notes = map(str, row)
    try:
        lines = [tuple(map(str, json.loads(packed))) for packed in (failures, notes)]
        return File(root, path, int(size), int(modified), sha256, *lines)
    except (ValueError, TypeError):  # read again by the next sync
        return File(root, path, -1, 0, "", ("what was stored of this file is damaged; sync reads it again",))


def _record(row: tuple[object, ...]) -> DocumentRecord:
    try:
        return _whole_record(row)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise DamagedDocumentError(str(row[1]), str(error)) from None


def _whole_record(row: tuple[object, ...]) -> DocumentRecord:
    number, name, root, path, title, metadata, found, profile, *more = row
    sha256, added, pages, characters, units, vectors, read_title, structure = more
    return DocumentRecord(
        number=int(str(number)),
        id=str(name),
        root=str(root),
        path=str(path),
        title=str(title),
        metadata=dict(json.loads(str(metadata))),
        found=dict(json.loads(str(found))),
        profile=unpack_profile(str(profile)),
        sha256=str(sha256),
        added=str(added),
        pages=int(str(pages)),
        characters=int(str(characters)),
        unit_count=int(str(units)),
        has_vectors=bool(vectors),
        read_title=str(read_title),
        structure=int(str(structure)),
    )


def sealed(*values: object) -> int:
    """The checksum of the values of a row."""
    crc = 0
    for value in values:
        data = value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
        crc = zlib.crc32(data, zlib.crc32(len(data).to_bytes(8, "little"), crc))
    return crc


def check_there(folder: Path) -> None:
    """An error where a folder holds no index."""
    if not (folder / DATABASE).is_file():
        what = "is not an index" if folder.exists() else "no such index"
        raise DataError(
            f"{folder}: {what}; 'pincite index create' makes one, "
            "'pincite index add FOLDER --index DIR --create' makes and fills one"
        )


def connect(path: Path, *, write: bool) -> sqlite3.Connection:
    """A connection of one thread. What lies on read-only media is read as it stands there."""
    try:
        return _connection(str(path), write=write)
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorname", "") or ""
        if write or not code.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN")) or not path.is_file():
            raise explained(path.parent, error) from error
    waiting = path.with_name(f"{path.name}-wal")
    if waiting.is_file() and waiting.stat().st_size:
        raise DataError(
            f"{path.parent}: the index was copied to read-only media while it was in use, and its last changes wait in "
            f"{waiting.name}; copy it to a folder that can be written and open it there"
        )
    try:
        return _connection(f"{path.absolute().as_uri()}?immutable=1", write=False)
    except sqlite3.Error as error:
        raise explained(path.parent, error) from error


def _connection(where: str, *, write: bool) -> sqlite3.Connection:
    uri = where.startswith("file:")
    database = sqlite3.connect(where, isolation_level=None, timeout=30, check_same_thread=False, uri=uri)
    try:
        if write:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = FULL")
            database.execute("PRAGMA secure_delete = ON")
            database.execute("PRAGMA foreign_keys = ON")
        else:
            database.execute("PRAGMA query_only = ON")
        database.create_function("casefold", 1, str.casefold, deterministic=True)
        database.create_function("sealed", -1, sealed, deterministic=True)
        database.execute("PRAGMA mmap_size = 0")  # a file that is cut while it is mapped would end the process
        database.execute("SELECT 1 FROM meta").fetchone()
    except sqlite3.Error:
        database.close()
        raise
    return database


def explained(folder: Path, error: sqlite3.Error) -> PinciteError:
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
