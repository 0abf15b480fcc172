"""Shuts the process that reads untrusted files in: no network, no file but what its programs need, no writing but in a
folder of its own. Linux does it with Landlock and seccomp; what a system does not have is named."""

import ctypes
import os
import shutil
import struct
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path

from pincite.documents.call_filter import has_filters, restrict_calls

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

MOST_WRITTEN = 1 << 30
"""Bytes of a file that the process may write in its own folder."""
PROGRAMS = ("tesseract", "soffice", "libreoffice")
READ_ONLY = (
    *("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/opt", "/nix/store", "/etc/ld.so.cache", "/etc/fonts"),
    *(
        "/etc/alternatives",
        "/etc/libreoffice",
        "/etc/localtime",
        "/etc/mime.types",
        "/etc/magic",
        "/var/cache/fontconfig",
    ),
    *("/dev/urandom", "/dev/random", "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys/kernel"),
    *("/sys/devices/system/cpu",),
)
"""What readers and their programs may read, beside Python itself."""
OFFICE_READS = ("/var/lib/libreoffice", "/var/spool/libreoffice")
"""What LibreOffice reads beyond that."""
OFFICE_PIPES = ("/tmp", "/var/tmp")
"""Where LibreOffice makes a socket and deletes it, without which it does not start. It can read and write no file
there, but delete those that the server may delete."""

_NO_NEW_PRIVILEGES = 38
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG, _PATH_BENEATH = 1, 1
_READ_FILE, _READ_FOLDER, _EXECUTE = 1 << 2, 1 << 3, 1 << 0
_REMOVE_FILE, _MAKE_SOCKET = 1 << 5, 1 << 9
_OF_FILES = _EXECUTE | 1 << 1 | _READ_FILE | 1 << 14 | 1 << 15
"""Rights that a rule on a single file may give: execute, write, read, truncate, device control."""
_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
"""How many rights on files each version of Landlock knows; later ones know 16."""
_WITH_PORTS, _WITH_SCOPES = 4, 6
"""The versions from which Landlock knows rights on TCP ports, and can keep signals and abstract sockets within."""
_EVERY_PORT, _EVERY_SCOPE = 0b11, 0b11

NO_FILES = "files are not shut off: this kernel has no Landlock"
NO_CALLS = "the network is not shut off: this kernel has no seccomp, or the processor is not known"


def enter(own: Path, *, office: bool = False) -> tuple[str, ...]:
    """Shuts this process in; `own` is the folder in which it may write. `office` leaves as much open as LibreOffice
    needs. Returns what is not shut off."""
    _limit_resources()
    if sys.platform != "linux":
        return ("no sandbox: Landlock and seccomp are Linux's",)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        return ("no sandbox: the process cannot give up privileges",)
    missing = []
    if _threads() > 1:  # Landlock holds for the thread that asks, and for what it starts later
        missing.append("files are not shut off: the process has other threads already")
    if not _restrict_files(libc, own, office=office):
        missing.append(NO_FILES)
    if not restrict_calls(libc, office=office, signals_are_kept_in=_landlock_version(libc) >= _WITH_SCOPES):
        missing.append(NO_CALLS)
    return tuple(missing)


def missing_parts() -> tuple[str, ...]:
    """What of the sandbox this system does not have; nothing is shut in."""
    if sys.platform != "linux":
        return ("no sandbox: Landlock and seccomp are Linux's",)
    libc = ctypes.CDLL(None, use_errno=True)
    return (*(() if _landlock_version(libc) >= 1 else (NO_FILES,)), *(() if has_filters(libc) else (NO_CALLS,)))


def unexpected(missing: Sequence[str]) -> tuple[str, ...]:
    """What `enter` did not shut off although this system can."""
    return tuple(part for part in missing if part not in missing_parts())


def _threads() -> int:
    try:
        return len(os.listdir("/proc/self/task"))  # noqa: PTH208
    except OSError:
        return 1


def _limit_resources() -> None:
    if resource is None:
        return
    for name, most in (("RLIMIT_CORE", 0), ("RLIMIT_FSIZE", MOST_WRITTEN)):
        limit = getattr(resource, name)
        hard = resource.getrlimit(limit)[1]
        soft = most if hard < 0 else min(most, hard)
        resource.setrlimit(limit, (soft, soft))


# Files


def _landlock_version(libc: ctypes.CDLL) -> int:
    return int(libc.syscall(_CREATE_RULESET, None, 0, _VERSION_FLAG))


def _restrict_files(libc: ctypes.CDLL, own: Path, *, office: bool) -> bool:
    version = _landlock_version(libc)
    if version < 1:
        return False
    every = (1 << _RIGHTS.get(version, 16)) - 1
    handled = struct.pack("=Q", every)
    if version >= _WITH_PORTS:
        handled += struct.pack("=Q", _EVERY_PORT)
    if version >= _WITH_SCOPES:
        handled += struct.pack("=Q", _EVERY_SCOPE)
    ruleset = int(libc.syscall(_CREATE_RULESET, handled, len(handled), 0))
    if ruleset < 0:
        return False
    try:
        for path in (*_readable(), *map(Path, OFFICE_READS if office else ())):
            _allow(libc, ruleset, path, _READ_FILE | _READ_FOLDER | _EXECUTE)
        for path in (own, Path("/dev/null")):
            _allow(libc, ruleset, path, every)
        for path in map(Path, OFFICE_PIPES if office else ()):
            _allow(libc, ruleset, path, _MAKE_SOCKET | _REMOVE_FILE)
        return int(libc.syscall(_RESTRICT_SELF, ruleset, 0)) == 0
    finally:
        os.close(ruleset)


def _readable() -> Iterator[Path]:
    yield from map(Path, READ_ONLY)
    yield from {Path(name) for name in (sys.prefix, sys.base_prefix, sys.exec_prefix)}
    yield from {Path(name) for name in sysconfig.get_paths().values()}
    yield from (Path(name) for name in sys.path if name.endswith(("site-packages", "dist-packages", ".zip")))
    yield Path(__file__).parents[1]
    for found in filter(None, map(shutil.which, PROGRAMS)):
        yield Path(found).resolve().parent
    if prefix := os.environ.get("TESSDATA_PREFIX"):
        yield Path(prefix)


def _allow(libc: ctypes.CDLL, ruleset: int, path: Path, rights: int) -> None:
    """Gives rights below a path, where it exists."""
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        given = rights if path.is_dir() else rights & _OF_FILES
        rule = struct.pack("=Qi", given, handle)
        libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0)
    finally:
        os.close(handle)
