"""Locks between processes: one writer at a time, on every system."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pincite.errors import OutputError

NAMES = {"writer": "write.lock", "embedder": "embed.lock"}
"""The lock file of each lease."""


@contextmanager
def held_lock(folder: Path, name: str, wait: float) -> Iterator[None]:
    """Holds a lock file while it lasts; another holder is waited for."""
    from filelock import FileLock, Timeout

    lock = FileLock(folder / NAMES[name], mode=0o600)
    try:
        lock.acquire(timeout=wait)
    except Timeout:
        raise OutputError(
            f"{folder}: another process is writing to the index (waited {wait:.0f} s); "
            "try again when it has finished, or wait longer with --wait SECONDS"
        ) from None
    except OSError as error:
        raise OutputError(f"{folder}: the index cannot be written ({error.strerror})") from None
    try:
        yield
    finally:
        lock.release()


@contextmanager
def writer_lock(folder: Path, wait: float) -> Iterator[None]:
    with held_lock(folder, "writer", wait):
        yield
