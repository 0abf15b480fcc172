"""What a container gives: a document of its own, and the parts inside it, each to be read in its turn."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from pincite.documents.failures import Unreadable
from pincite.text import Document

_DRIVE = re.compile(r"^[A-Za-z]:")
_UNSAFE = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class ContainerPart:
    """Something inside a container, under its name there; `content` is an error where it could not be got out."""

    name: str
    content: bytes | Unreadable


@dataclass(frozen=True, slots=True)
class Container:
    """An e-mail or a zip, opened: parts come one at a time, so that they need not all be in memory."""

    document: Document | None
    parts: Iterable[ContainerPart]


def safe_name(name: str) -> str:
    """A name inside a container that cannot lead out of it.

    >>> safe_name("..\\\\..\\\\windows\\\\win.ini"), safe_name("/etc/passwd"), safe_name("C:/a/./b.txt")
    ('windows/win.ini', 'etc/passwd', 'a/b.txt')
    """
    name = _DRIVE.sub("", _UNSAFE.sub("", name).replace("\\", "/"))
    steps = [step.strip() for step in name.split("/")]
    return "/".join(step for step in steps if step not in ("", ".", "..")) or "unnamed"


def fresh_name(name: str, taken: set[str]) -> str:
    """The name, or with " (2)", " (3)" before its suffix if it is taken; it is taken from then on.

    >>> fresh_name("a/b.txt", {"a/b.txt"})
    'a/b (2).txt'
    """
    path, number, fresh = PurePosixPath(name), 2, name
    while fresh in taken:
        fresh = str(path.with_name(f"{path.stem} ({number}){path.suffix}"))
        number += 1
    taken.add(fresh)
    return fresh
