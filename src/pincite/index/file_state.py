"""What a file is like now, compared with what it was like when it was read."""

import time
from hashlib import sha256
from pathlib import Path

from pincite.documents.regular_file import open_regular
from pincite.engine.records import File

FRESH = 2_000_000_000
"""Nanoseconds after a change in which a file may change again unseen: it is compared by content next time."""


def file_state(root: str, path: str, full: Path) -> File:
    """A file as it is now."""
    try:
        found = full.stat()
        return File(root, path, found.st_size, _settled(found.st_mtime_ns), content_hash(full))
    except OSError:
        return File(root, path, -1, 0, "")


def unchanged(path: Path, earlier: File) -> File | None:
    """What is to be kept of a file that is what it was, by size and time of change, else by its content; None else."""
    try:
        found = path.stat()
    except OSError:
        return earlier if earlier.size < 0 and path.is_symlink() else None
    if (found.st_size, found.st_mtime_ns) == (earlier.size, earlier.modified):
        return earlier
    if found.st_size != earlier.size or content_hash(path) != earlier.sha256:
        return None
    return earlier._replace(modified=_settled(found.st_mtime_ns))


def is_same(path: Path, file: File) -> bool:
    """Whether a file has the content that it had when it was read."""
    try:
        return path.stat().st_size == file.size and content_hash(path) == file.sha256
    except OSError:
        return False


def content_hash(path: Path) -> str:
    """The SHA-256 of a file; "" if it cannot be read."""
    digest = sha256()
    try:
        with open_regular(path) as file:
            while chunk := file.read(1 << 20):
                digest.update(chunk)
    except OSError:
        return ""
    return digest.hexdigest()


def _settled(modified: int) -> int:
    return 0 if abs(time.time_ns() - modified) < FRESH else modified
