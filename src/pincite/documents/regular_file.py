"""Opens files for reading. What is no regular file, such as a named pipe, is refused instead of waited for."""

import os
import stat
from pathlib import Path
from typing import IO

_KINDS = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFDIR: "a folder",
}


class NotRegularError(OSError):
    """A path that is no regular file. `strerror` says what it is."""


def kind_of(mode: int) -> str:
    """What a path is, by the mode of its status; "" for a regular file.

    >>> kind_of(stat.S_IFIFO | 0o600), kind_of(stat.S_IFREG | 0o600)
    ('a named pipe', '')
    """
    return "" if stat.S_ISREG(mode) else _KINDS.get(stat.S_IFMT(mode), "a special file")


def open_regular(path: Path) -> IO[bytes]:
    """Open a regular file. Anything else raises `NotRegularError`, and never blocks."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    kind = kind_of(os.fstat(descriptor).st_mode)
    if kind:
        os.close(descriptor)
        raise NotRegularError(0, f"it is {kind}, not a file", str(path))
    return os.fdopen(descriptor, "rb")
