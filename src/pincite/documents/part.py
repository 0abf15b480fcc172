"""Containers and the parts inside them, under names that cannot lead out of the container."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from pincite.documents.failures import Unreadable
from pincite.text import Document

_DRIVE = re.compile(r"^[A-Za-z]:")
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class ContainerPart:
    """A file inside a container. `content` is an error if the part cannot be extracted."""

    name: str
    content: bytes | Unreadable


@dataclass(frozen=True, slots=True)
class Container:
    """An opened e-mail or zip. Parts are extracted one at a time, to save memory."""

    document: Document | None
    """The container's own text: the message of an e-mail."""
    parts: Iterable[ContainerPart]


def safe_name(name: str) -> str:
    """The name of a part, changed so that it cannot lead out of the container.

    >>> safe_name("..\\\\..\\\\windows\\\\win.ini"), safe_name("/etc/passwd"), safe_name("C:/a/./b.txt")
    ('windows/win.ini', 'etc/passwd', 'a/b.txt')
    """
    name = _DRIVE.sub("", _CONTROL_CHARACTERS.sub("", name).replace("\\", "/"))
    steps = [step.strip() for step in name.split("/")]
    return "/".join(step for step in steps if step not in ("", ".", "..")) or "unnamed"


def fresh_name(name: str, taken: set[str]) -> str:
    """The name, with " (2)", " (3)" and so on before its suffix if it is taken. The result is added to `taken`.

    >>> fresh_name("a/b.txt", {"a/b.txt"})
    'a/b (2).txt'
    """
    path, number, fresh = PurePosixPath(name), 2, name
    while fresh in taken:
        fresh = str(path.with_name(f"{path.stem} ({number}){path.suffix}"))
        number += 1
    taken.add(fresh)
    return fresh
