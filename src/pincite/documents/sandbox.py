"""Shuts the process that reads untrusted files in: no network, no file but what its programs need, no writing but in a
folder of its own. Linux does it with Landlock and seccomp; what a system does not have is named."""

import ctypes
import errno
import os
import platform
import shutil
import struct
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

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
OFFICE_READS, OFFICE_WRITES = ("/etc", "/var", "/proc", "/sys"), ("/tmp", "/var/tmp")
"""What LibreOffice needs beyond that: it does not start without its pipe and the system's configuration."""

_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG, _PATH_BENEATH = 1, 1
_READ_FILE, _READ_FOLDER, _EXECUTE = 1 << 2, 1 << 3, 1 << 0
_OF_FILES = _EXECUTE | 1 << 1 | _READ_FILE | 1 << 14 | 1 << 15
"""Rights that a rule on a single file may give: execute, write, read, truncate, device control."""
_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
"""How many rights on files each version of Landlock knows; later ones know 16."""
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM
_MACHINES = {
    "x86_64": (0xC000003E, 41, (42, 101, 165, 166, 246, 310, 311, 321, 250, 248, 249, 272, 308, 425, 438)),
    "aarch64": (0xC00000B7, 198, (203, 117, 40, 39, 104, 270, 271, 280, 219, 217, 218, 97, 268, 425, 438)),
}
"""For each processor: its mark, the number of `socket`, and the calls that are refused: connect, ptrace, mount, umount,
kexec_load, process_vm_readv and _writev, bpf, keyctl, add_key, request_key, unshare, setns, io_uring_setup,
pidfd_getfd."""
_AF_UNIX = 1
_OTHER_CALLS = 0x40000000
"""Numbers from here on are other names for the same calls (x32)."""


def enter(own: Path, *, office: bool = False) -> tuple[str, ...]:
    """Shuts this process in; `own` is the folder in which it may write. `office` leaves as much open as LibreOffice
    needs. Returns what this system does not have."""
    _limit_resources()
    if sys.platform != "linux":
        return ("no sandbox: Landlock and seccomp are Linux's",)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        return ("no sandbox: the process cannot give up privileges",)
    missing = []
    if not _restrict_files(libc, own, office=office):
        missing.append("files are not shut off: this kernel has no Landlock")
    if not _restrict_calls(libc, office=office):
        missing.append("the network is not shut off: this kernel has no seccomp, or the processor is not known")
    return tuple(missing)


def missing_parts() -> tuple[str, ...]:
    """What of the sandbox this system does not have; nothing is shut in."""
    if sys.platform != "linux":
        return ("no sandbox: Landlock and seccomp are Linux's",)
    missing = []
    if _landlock_version(ctypes.CDLL(None, use_errno=True)) < 1:
        missing.append("files are not shut off: this kernel has no Landlock")
    if platform.machine() not in _MACHINES:
        missing.append("the network is not shut off: the processor is not known")
    return tuple(missing)


def _limit_resources() -> None:
    if resource is None:
        return
    for name, most in (("RLIMIT_CORE", 0), ("RLIMIT_FSIZE", MOST_WRITTEN)):
        limit = getattr(resource, name)
        hard = resource.getrlimit(limit)[1]
        resource.setrlimit(limit, (most if hard < 0 else min(most, hard), hard))


# Files


def _landlock_version(libc: ctypes.CDLL) -> int:
    return int(libc.syscall(_CREATE_RULESET, None, 0, _VERSION_FLAG))


def _restrict_files(libc: ctypes.CDLL, own: Path, *, office: bool) -> bool:
    version = _landlock_version(libc)
    if version < 1:
        return False
    every = (1 << _RIGHTS.get(version, 16)) - 1
    handled = struct.pack("=Q", every)
    ruleset = int(libc.syscall(_CREATE_RULESET, handled, len(handled), 0))
    if ruleset < 0:
        return False
    try:
        for path in (*_readable(), *map(Path, OFFICE_READS if office else ())):
            _allow(libc, ruleset, path, _READ_FILE | _READ_FOLDER | _EXECUTE)
        for path in (own, Path("/dev/null"), *map(Path, OFFICE_WRITES if office else ())):
            _allow(libc, ruleset, path, every)
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


# The network, and calls that no reader needs


def _restrict_calls(libc: ctypes.CDLL, *, office: bool) -> bool:
    """Sockets other than those within the machine are refused, and so are calls into other processes and the kernel."""
    if platform.machine() not in _MACHINES:
        return False
    mark, socket, every = _MACHINES[platform.machine()]
    refused = every[office:]  # the first one is connect
    load, equal, at_least, give = 0x20, 0x15, 0x35, 0x06
    checks = [(at_least, _OTHER_CALLS), *((equal, number) for number in refused)]
    program = [
        (load, 0, 0, 4),  # the processor
        (equal, 1, 0, mark),
        (give, 0, 0, _REFUSE),
        (load, 0, 0, 0),  # the number of the call
        *((how, len(checks) - at + 2, 0, number) for at, (how, number) in enumerate(checks)),
        (equal, 0, 3, socket),
        (load, 0, 0, 16),  # the first argument: the family of the socket
        (equal, 1, 0, _AF_UNIX),
        (give, 0, 0, _REFUSE),
        (give, 0, 0, _ALLOW),
    ]
    code = b"".join(struct.pack("=HBBI", *step) for step in program)
    buffer = ctypes.create_string_buffer(code)
    filter_ = struct.pack("HxxxxxxP", len(program), ctypes.addressof(buffer))
    return int(libc.prctl(_SET_SECCOMP, _FILTER, filter_, 0, 0)) == 0
