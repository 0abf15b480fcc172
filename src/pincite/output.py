"""Files that we write: whole or not at all, checked before the work, and safe to open in a spreadsheet."""

import csv
import io
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from pincite.errors import OutputError

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""A spreadsheet takes a cell that begins with one of these for a formula."""


@contextmanager
def atomic_file(path: Path, *, durable: bool = False, private: bool = False) -> Iterator[IO[bytes]]:
    """A file that appears whole when the block ends, or not at all. `durable` also waits until it is on the disk,
    `private` lets nobody else read it. Raises OSError."""
    scratch = _scratch(path)
    try:
        with open(scratch, "wb", opener=_private if private else None) as out:
            yield out
            out.flush()
            if durable:
                os.fsync(out.fileno())
        scratch.replace(path)
        if durable:
            flush_folder(path.parent)
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise


def flush_folder(folder: Path) -> None:
    """Makes the names in a folder as lasting as the files."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def check_writable(path: Path) -> Path:
    """`path` itself, if a file can be written there; nothing is left behind."""
    if path.is_dir():
        raise OutputError(f"{path}: is a folder; name a file to write")
    if not path.parent.is_dir():
        raise OutputError(f"{path}: the folder {path.parent} does not exist; make it first")
    scratch = _scratch(path)
    try:
        scratch.touch()
        scratch.unlink()
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from None
    if path.exists() and not os.access(path, os.W_OK):
        raise OutputError(f"{path}: exists and must not be written")
    return path


def write_bytes(path: Path, data: bytes) -> None:
    try:
        with atomic_file(path) as out:
            out.write(data)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from None


def write_text(path: Path, text: str) -> None:
    write_bytes(path, text.encode("utf-8"))


def write_json(path: Path, value: Any) -> None:
    write_text(path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as CSV; a cell that a spreadsheet would take for a formula is text.

    >>> csv_text(["title", "page"], [["=1+1", 3]])
    "title,page\\r\\n'=1+1,3\\r\\n"
    """
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(columns)
    for row in rows:
        writer.writerow([f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell for cell in row])
    return out.getvalue()


def _scratch(path: Path) -> Path:
    return path.with_name(f".{path.name[:100]}.{os.getpid()}.part")


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
