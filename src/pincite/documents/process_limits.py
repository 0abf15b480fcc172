"""Limits on a process that reads untrusted files: memory, the processor's time, what it writes, and how it ends."""

import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import IO

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

_MEMORY_FILE = Path("/proc/self/statm")
"""Where Linux reports the address space of a process, in pages. Other systems have no such file."""

ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "VECLIB")}
"""Keeps numerical libraries from starting threads when they are loaded: a sandbox does not hold for them."""
MOST_CPU_SECONDS = 7 * 24 * 3600
"""The processor's time that a process may use which reads one file after the other."""


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


def limit_cpu(seconds: float, *, for_good: bool = False) -> None:
    """Let this process use the processor for `seconds` more; then the system ends it. What it starts has as much each.
    `for_good`: the limit cannot be raised again."""
    if resource is None:
        return
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    soft = int(used + seconds) + 1
    soft = soft if hard < 0 else min(soft, hard)
    most = soft if for_good else MOST_CPU_SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (soft, max(soft, most if hard < 0 else min(most, hard))))


def kill_group(process: "subprocess.Popen[bytes]") -> None:
    """End a process that was started in a session of its own, with all that it started."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def reserve_stdout() -> IO[bytes]:
    """Take standard output for the caller alone. What libraries print to it, or to standard error, is discarded."""
    stdout = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    return stdout
