"""Migrations: an index of an older format is brought to the present one, in one transaction, in order."""

import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

from pincite.engine.records import matter_of
from pincite.errors import DataError, OutputError
from pincite.index.duplicates import DUPLICATE_OF
from pincite.index.embedded.database import (
    DATABASE,
    FORMAT,
    FRAGMENTS,
    SEALED_ROW,
    SEALED_VECTORS,
    check_there,
    connect,
    explained,
)
from pincite.index.embedded.locks import writer_lock

Migration = Callable[[sqlite3.Connection, Path], None]


def upgrade(folder: Path, wait: float) -> None:
    """Brings an index to the present format, where it has an older one. A newer one is left alone."""
    check_there(folder)
    if _format(folder) >= FORMAT:
        return
    try:
        with writer_lock(folder, wait):
            _migrate(folder)
    except (OSError, sqlite3.Error, OutputError) as error:
        raise DataError(
            f"{folder}: the index has an older format and cannot be upgraded here ({error}); "
            "open it once with the right to write"
        ) from error
    for before, left in LEFT_BEHIND.items():
        if before < FORMAT:
            shutil.rmtree(folder / left, ignore_errors=True)


def _migrate(folder: Path) -> None:
    database = connect(folder / DATABASE, write=True)
    try:
        database.execute("BEGIN IMMEDIATE")
        found = int(database.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()[0])
        for version in range(found, FORMAT):
            MIGRATIONS[version](database, folder)
        database.execute("UPDATE meta SET value = ? WHERE key = 'format'", (str(FORMAT),))
        database.execute("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'generation'")
        database.execute("COMMIT")
    finally:
        if database.in_transaction:
            database.execute("ROLLBACK")
        database.close()


def _format(folder: Path) -> int:
    try:
        database = connect(folder / DATABASE, write=False)
        try:
            row = database.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
        finally:
            database.close()
    except sqlite3.Error as error:
        raise explained(folder, error) from error
    return int(row[0]) if row and str(row[0]).isdigit() else FORMAT


def _to_2(database: sqlite3.Connection, folder: Path) -> None:
    """Version 0.2.0: "shelves" are called fragments, the language is recorded, small records have a table."""
    (folder / FRAGMENTS).mkdir(exist_ok=True)
    for path in (folder / "shelves").glob("*"):
        try:
            os.link(path, folder / FRAGMENTS / path.name)
        except FileExistsError:
            continue
        except OSError:
            shutil.copy2(path, folder / FRAGMENTS / path.name)
    database.execute("ALTER TABLE shelves RENAME TO fragments")
    database.execute(
        "CREATE TABLE records (kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, version INTEGER NOT NULL,"
        " PRIMARY KEY (kind, key)) WITHOUT ROWID"
    )
    if database.execute("DELETE FROM meta WHERE key = 'uploads'").rowcount:
        database.execute("INSERT INTO records VALUES ('root', 'uploads', 'server', 1)")
    row = database.execute("SELECT value FROM meta WHERE key = 'configuration'").fetchone()
    configuration = json.loads(row[0])
    configuration["language"] = configuration.pop("stemmer", "snowball english").removeprefix("snowball ")
    database.execute("UPDATE meta SET value = ? WHERE key = 'configuration'", (json.dumps(configuration),))


def _to_3(database: sqlite3.Connection, folder: Path) -> None:
    """Version 0.3.0: what was noticed about a file is kept with it; documents know the title that their reader gave and
    the version of what was made of them."""
    database.execute("ALTER TABLE files ADD COLUMN notes TEXT NOT NULL DEFAULT '[]'")
    database.execute("ALTER TABLE documents ADD COLUMN read_title TEXT NOT NULL DEFAULT ''")
    database.execute("ALTER TABLE documents ADD COLUMN structure INTEGER NOT NULL DEFAULT 1")
    rows = database.execute("SELECT number, title, metadata FROM documents").fetchall()
    as_read = [(title, number) for number, title, metadata in rows if not json.loads(metadata).get("title")]
    database.executemany("UPDATE documents SET read_title = ? WHERE number = ?", as_read)


def _duplicates(database: sqlite3.Connection) -> list[tuple[int, dict[str, str], str]]:
    """The number of each document that is marked as a duplicate, what was found of it, and its matter."""
    sql = "SELECT number, found, metadata, root FROM documents WHERE instr(found, ?)"
    rows = database.execute(sql, (f'"{DUPLICATE_OF}"',)).fetchall()
    return [(number, json.loads(found), matter_of(json.loads(said), root)) for number, found, said, root in rows]


def _to_4(database: sqlite3.Connection, folder: Path) -> None:
    """Version 0.7.0: every row of a document and of its vectors has a checksum; duplicates are told within a matter
    alone."""
    for number, found, matter in _duplicates(database):
        row = database.execute("SELECT metadata, root FROM documents WHERE id = ?", (found[DUPLICATE_OF],)).fetchone()
        if row is None or matter_of(json.loads(row[0]), row[1]) != matter:
            kept = {key: value for key, value in found.items() if key != DUPLICATE_OF}
            database.execute("UPDATE documents SET found = ? WHERE number = ?", (json.dumps(kept), number))
    database.execute("ALTER TABLE documents ADD COLUMN checksum INTEGER")
    database.execute("ALTER TABLE embeddings ADD COLUMN checksum INTEGER")
    database.execute(f"UPDATE documents SET checksum = {SEALED_ROW}")
    database.execute(f"UPDATE embeddings SET checksum = {SEALED_VECTORS}")


MIGRATIONS: dict[int, Migration] = {1: _to_2, 2: _to_3, 3: _to_4}
"""By the format that each starts from."""
LEFT_BEHIND = {1: "shelves"}
"""Folders that a format had and no later one has; deleted after the migration."""
