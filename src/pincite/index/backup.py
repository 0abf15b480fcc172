"""Backups of an index: its database as one consistent state, its uploaded files and those that still wait to be read,
and the checksum of each.

Fragments are not copied: they are made again from the database.
"""

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from tempfile import mkdtemp
from typing import Protocol

from pincite.errors import DataError, OutputError
from pincite.index.embedded.database import DATABASE, FRAGMENTS, check_there, connect
from pincite.index.embedded.locks import writer_lock
from pincite.index.jobs import INCOMING
from pincite.index.uploads import FOLDER
from pincite.output import flush_folder

MANIFEST = "backup.json"
COLLECTION = "collection.json"
"""The file that a backup of a collection on a cluster has instead of a database."""
PAGES = 4096
"""Pages of the database that are copied between two reports of progress."""
CHUNK = 1 << 20

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup holds."""

    folder: Path
    files: int
    size: int


class Dumpable(Protocol):
    """A collection that can write itself into a folder."""

    def dump(self, folder: Path, progress: Progress | None = None) -> None: ...


def backup(index: Path, to: Path, wait: float = 10.0, progress: Progress | None = None) -> Backup:
    """Copies an index into a new folder, which appears whole or not at all. Searching goes on meanwhile; changes wait
    until the copy is made."""
    check_there(index)
    with written_folder(to) as scratch, writer_lock(index, wait):
        _copy_database(index / DATABASE, scratch / DATABASE, progress)
        if (index / FOLDER).is_dir():
            _copy_folder(index / FOLDER, scratch / FOLDER)
        _copy_waiting(index / INCOMING, scratch / INCOMING)
    return _made(to)


def backup_cluster(engine: "Dumpable", to: Path, progress: Progress | None = None) -> Backup:
    """The same of a collection on a cluster."""
    with written_folder(to) as scratch:
        engine.dump(scratch, progress)
    return _made(to)


def _made(folder: Path) -> Backup:
    files = verified(folder)
    return Backup(folder, len(files), sum((folder / name).stat().st_size for name in files))


@contextmanager
def written_folder(to: Path) -> Iterator[Path]:
    """A new folder for a backup, which appears whole, with a list of its files and their checksums, or not at all."""
    with _new_folder(to) as scratch:
        yield scratch
        found = {path: _digest(scratch / path) for path in _files(scratch)}
        shape = {"format": 1, "made_by": f"pincite {version('pincite')}", "files": found}
        (scratch / MANIFEST).write_text(json.dumps(shape, indent=1) + "\n", encoding="utf-8")


def restore(folder: Path, to: Path) -> Backup:
    """Makes an index of a backup, in a new folder. Every file is verified first; nothing is made of a damaged one."""
    found = verified(folder)
    if DATABASE not in found:
        raise DataError(f"{folder}: a backup of a collection on a cluster; restore it to opensearch://HOST:PORT/NAME")
    with _new_folder(to) as scratch:
        for name in found:
            (scratch / name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _copy(folder / name, scratch / name)
            if _digest(scratch / name) != found[name]:
                raise DataError(f"{folder / name}: changed while it was copied; try again")
        (scratch / FRAGMENTS).mkdir(mode=0o700)
    return Backup(to, len(found), sum((to / name).stat().st_size for name in found))


def verified(folder: Path) -> dict[str, str]:
    """The files of a backup with their checksums; an error if one is missing or not as it was written."""
    try:
        shape = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        files = {str(name): str(digest) for name, digest in shape["files"].items()}
    except OSError as error:
        raise DataError(f"{folder}: not a backup ({MANIFEST}: {error.strerror})") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(f"{folder}: the list of its files, {MANIFEST}, is damaged ({error})") from None
    for name, digest in files.items():
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise DataError(f"{folder}: {MANIFEST} names a file outside the backup ({name!r})")
        try:
            as_written = _digest(folder / name) == digest
        except OSError as error:
            raise DataError(f"{folder / name}: cannot be read ({error.strerror}); use another backup") from None
        if not as_written:
            raise DataError(f"{folder / name}: not as it was written; use another backup")
    if not {DATABASE, COLLECTION} & files.keys():
        raise DataError(f"{folder}: the backup holds no {DATABASE}")
    return files


@contextmanager
def _new_folder(to: Path) -> Iterator[Path]:
    """A private folder that gets its name when the block ends."""
    if to.exists() or to.is_symlink():
        raise OutputError(f"{to}: exists already; name a new folder")
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(mkdtemp(prefix=f".{to.name}-", dir=to.parent))
    except OSError as error:
        raise OutputError(f"{to}: cannot be written ({error.strerror})") from None
    try:
        yield scratch
        for path in scratch.rglob("*"):
            path.chmod(0o700 if path.is_dir() else 0o600)
        scratch.rename(to)
        flush_folder(to.parent)
    except (OSError, sqlite3.Error) as error:
        raise OutputError(f"{to}: cannot be written ({error}); nothing was left there") from None
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _copy_database(path: Path, to: Path, progress: Progress | None) -> None:
    source, target = connect(path, write=False), sqlite3.connect(to)
    told = (lambda _, left, pages: progress(pages - left, pages)) if progress else None
    try:
        source.backup(target, pages=PAGES, progress=told)
        target.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing waiting beside it
    finally:
        target.close()
        source.close()


def _copy_folder(folder: Path, to: Path) -> None:
    to.mkdir(mode=0o700)
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and not path.name.startswith("."):
            copied = to / path.relative_to(folder)
            copied.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _copy(path, copied)


def _copy_waiting(folder: Path, to: Path) -> None:
    """Copies the files of jobs that wait. One that goes away meanwhile is one that no job waits for any more."""
    for path in sorted(folder.glob("*/*/*")):
        (to / path.relative_to(folder)).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            _copy(path, to / path.relative_to(folder))


def _copy(path: Path, to: Path) -> None:
    with path.open("rb") as source, to.open("xb") as target:
        shutil.copyfileobj(source, target, CHUNK)
        target.flush()
        os.fsync(target.fileno())


def _files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def _digest(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
