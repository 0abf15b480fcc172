"""Files of a root that are left out: patterns that the index remembers for each root."""

import json
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from pincite.engine.contract import Store
from pincite.errors import UsageError

KIND = "exclude"
"""The kind of record that holds the patterns of a root."""


def exclusions(store: Store, root: str) -> tuple[str, ...]:
    """The patterns of a root."""
    record = store.stored_record(KIND, root)
    return tuple(json.loads(record.value)) if record else ()


def remember(store: Store, root: str, patterns: Sequence[str]) -> None:
    """Make these the patterns of a root."""
    if tuple(patterns) == exclusions(store, root):
        return
    if patterns:
        store.put_record(KIND, root, json.dumps(list(patterns)))
    else:
        store.delete_record(KIND, root)


def changed(before: Sequence[str], exclude: Iterable[str], include: Iterable[str]) -> tuple[str, ...]:
    """The patterns after some were added and some taken back.

    >>> changed(["drafts/"], ["*.tmp"], ["drafts/"])
    ('*.tmp',)
    """
    taken_back = list(include)
    unknown = [pattern for pattern in taken_back if pattern not in before]
    if unknown:
        known = ", ".join(before) or "none"
        raise UsageError(f"--include {unknown[0]!r}: no such pattern is excluded; excluded are: {known}")
    if any(not pattern.strip("/") for pattern in exclude):
        raise UsageError("--exclude: the pattern is empty; name a file, a folder, or a pattern like *.tmp")
    return tuple(dict.fromkeys(pattern for pattern in (*before, *exclude) if pattern not in taken_back))


def is_excluded(path: str, patterns: Iterable[str]) -> bool:
    """Whether a pattern matches the path of a file below its root, its name, or one of the folders it is in.

    >>> [is_excluded("drafts/2021/a.docx", [pattern]) for pattern in ("drafts/", "*.docx", "2021", "a")]
    [True, True, True, False]
    """
    steps = path.split("/")
    folders = ["/".join(steps[:depth]) for depth in range(1, len(steps) + 1)]
    plain = [pattern.strip("/") for pattern in patterns]
    return any(fnmatchcase(name, pattern) for pattern in plain for name in (*folders, *steps))
