"""Limits on a process that reads untrusted files: its memory, and what it may write to standard output."""

import os
from pathlib import Path
from typing import IO

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

_MEMORY_FILE = Path("/proc/self/statm")
"""Where Linux reports the address space of a process, in pages. Other systems have no such file."""


def limit_memory(memory_bytes: int) -> bool:
    """Let this process allocate `memory_bytes` more than it uses now; beyond that, Python raises `MemoryError`.

    Returns whether the limit is set. Only Linux enforces such a limit; elsewhere nothing changes.
    """
    if resource is None:
        return False
    try:
        pages = int(_MEMORY_FILE.read_text(encoding="ascii").split()[0])
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        soft = pages * resource.getpagesize() + memory_bytes
        resource.setrlimit(resource.RLIMIT_AS, (soft if hard < 0 else min(soft, hard), hard))
    except (OSError, ValueError):
        return False
    return True


def lift_memory_limit() -> None:
    """Remove the limit that `limit_memory` set, up to the limit of the system."""
    if resource is None or not _MEMORY_FILE.exists():
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def reserve_stdout() -> IO[bytes]:
    """Take standard output for the caller alone. What libraries print to it, or to standard error, is discarded."""
    stdout = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    return stdout
