"""From files to an index: what is new is read and stored, what changed is stored anew, what is gone can be removed."""

import os
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from pincite.documents.folder import files_below
from pincite.documents.limits import Limits
from pincite.documents.workers import read_files
from pincite.errors import DataError, UsageError
from pincite.index.engine import Engine, Incoming
from pincite.index.metadata import Metadata
from pincite.index.store import File
from pincite.models import Progress
from pincite.text import Document

BATCH_FILES = 64
BATCH_CHARACTERS = 4_000_000
"""A change holds about so much: what is killed loses no more."""

TIDY_CHARACTERS = 20_000_000
"""After so much text the shelves are tidied while the reading goes on."""

MOST_REMOVED = 0.3
"""A sync that would remove a greater share of a root's files stops, unless it is told to go on."""

FRESH = 2_000_000_000
"""A file changed in the last so many nanoseconds may change again unseen: it is compared by content next time."""


@dataclass(slots=True)
class Plan:
    """What there is to do for one root."""

    root: str
    root_path: Path
    new: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)
    redescribed: list[str] = field(default_factory=list)
    """Files whose documents only get other metadata."""


@dataclass(slots=True)
class Added:
    """What was done: numbers of files, and every file or part that is not searchable, with the reason."""

    new: int = 0
    changed: int = 0
    removed: int = 0
    same: int = 0
    documents: int = 0
    notes: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Adding:
    """Settings of a run: what is said of the documents, limits for single files, how many processes read."""

    metadata: Metadata = field(default_factory=Metadata)
    limits: Limits = field(default_factory=Limits)
    processes: int | None = None
    ocr: bool = True
    retry: bool = False
    """Reads files again that could not be read before."""
    allow_removals: bool = False
    name: str = ""
    """What the ids of the documents begin with, instead of the folder's own name."""


def add(engine: Engine, path: Path, adding: Adding | None = None, progress: Progress | None = None) -> Added:
    """Adds a file, or all files of a folder; those that are there already and have not changed are left as they are."""
    adding = adding or Adding()
    plan = _plan(engine, path, adding, files=_present(path))
    plan.gone = []
    return _carry_out(engine, plan, adding, progress)


def sync(engine: Engine, folder: Path, adding: Adding | None = None, progress: Progress | None = None) -> Added:
    """Makes the index hold exactly what the folder holds: also removes what is gone from it, and nothing else."""
    adding = adding or Adding()
    return _carry_out(engine, plan_sync(engine, folder, adding), adding, progress)


def plan_sync(engine: Engine, folder: Path, adding: Adding | None = None) -> Plan:
    """What `sync` would do. It refuses if the folder is missing or empty, or if too much would be removed."""
    adding = adding or Adding()
    root_path = _absolute(folder)
    known = {Path(path): name for name, path in engine.roots().items()}
    if not root_path.is_dir():
        if root_path not in known:
            raise DataError(f"{folder}: no such folder")
        if not adding.allow_removals:
            raise DataError(
                f"{folder}: the folder is missing; nothing was removed from the index. Is a disk not mounted? "
                "--allow-removals removes its documents"
            )
        present: list[tuple[Path, str]] = []
    else:
        present = files_below(root_path)
    if not present and root_path in known and not adding.allow_removals:
        raise DataError(
            f"{folder}: the folder is empty; nothing was removed from the index. --allow-removals removes its documents"
        )
    plan = _plan(engine, folder, adding, files=present)
    total = len(plan.gone) + len(plan.same) + len(plan.changed) + len(plan.redescribed)
    if plan.gone and len(plan.gone) > MOST_REMOVED * total and not adding.allow_removals:
        raise DataError(
            f"{folder}: {len(plan.gone)} of {total} files are gone, more than {MOST_REMOVED:.0%}; nothing was changed. "
            "If that is right: --allow-removals"
        )
    return plan


def _absolute(path: Path) -> Path:
    """The full path, through links as they are named: a link that later points elsewhere is still the same root."""
    return Path(os.path.abspath(path))  # noqa: PTH100


def _present(path: Path) -> list[tuple[Path, str]]:
    if path.is_dir():
        found = files_below(path)
        if not found:
            raise DataError(f"{path}: the folder holds no files")
        return found
    if not path.exists():
        raise DataError(f"{path}: no such file or folder")
    return [(path, "")]


def _plan(engine: Engine, path: Path, adding: Adding, files: Sequence[tuple[Path, str]]) -> Plan:
    root, root_path, below = _root(engine, path, adding.name)
    plan = Plan(root, root_path)
    known = {entry.path: entry for entry in engine.files(root).values()}
    described = _redescribed(engine, root, adding.metadata)
    for full, relative in files:
        name = "/".join(part for part in (below, relative) if part)
        earlier = known.pop(name, None)
        if earlier is None:
            plan.new.append(name)
        elif not _same(full, earlier) or (adding.retry and earlier.failures):
            plan.changed.append(name)
        else:
            (plan.redescribed if name in described else plan.same).append(name)
    plan.gone = sorted(known)
    return plan


def _root(engine: Engine, path: Path, name: str) -> tuple[str, Path, str]:
    """The name and path of the root that a path belongs to, and its own path below that root."""
    full = _absolute(path)
    for known, root_path in sorted(engine.roots().items(), key=lambda root: -len(root[1])):
        if full == Path(root_path) and name in ("", known):
            return known, full, ""
        if not name and full.is_relative_to(root_path) and not full.is_dir():
            return known, Path(root_path), full.relative_to(root_path).as_posix()
    root = name or full.name or "root"
    if "/" in root or root in (".", ".."):
        raise UsageError(f"--name {root!r}: a name must not hold a slash")
    taken = engine.roots().get(root)
    if taken is not None and Path(taken) != full:
        raise UsageError(
            f"two places would have the name {root!r}: {taken} and {full}; give the second one another with --name"
        )
    return root, full, ""


def _same(path: Path, earlier: File) -> bool:
    """Whether a file is what it was: by size and time of change, and where those differ by its content."""
    try:
        found = path.stat()
    except OSError:
        return False
    if (found.st_size, found.st_mtime_ns) == (earlier.size, earlier.modified):
        return True
    return found.st_size == earlier.size and _hash(path) == earlier.sha256


def _redescribed(engine: Engine, root: str, metadata: Metadata) -> set[str]:
    """The files of which some document is now described differently."""
    if not metadata:
        return set()
    return {
        entry.path
        for entry in engine.documents()
        if entry.root == root and metadata.of(entry.id, entry.metadata) != dict(entry.metadata)
    }


def _carry_out(engine: Engine, plan: Plan, adding: Adding, progress: Progress | None) -> Added:
    wanted = [*plan.new, *plan.changed]
    wanted.sort()
    done = Added(len(plan.new), len(plan.changed) + len(plan.redescribed), 0, len(plan.same))
    described = {entry.id: entry.metadata for entry in engine.documents()} if plan.changed or plan.redescribed else {}
    names: set[str] = set()
    characters = 0
    for batch in _batches(_read(plan, wanted, adding, done, progress)):
        incoming = [_described(entry, described, adding.metadata) for entry in batch]
        engine.put(incoming, plan.root, str(plan.root_path))
        names.update(document.id for entry in batch for document in entry.documents)
        characters += sum(len(document.text) for entry in batch for document in entry.documents)
        if characters > TIDY_CHARACTERS:
            engine.tidy()
            characters = 0
    if plan.redescribed:
        _redescribe(engine, plan, described, adding.metadata)
    if plan.gone:
        done.removed = len(plan.gone)
        engine.forget_files([(plan.root, path) for path in plan.gone])
    engine.tidy()
    done.documents = len(names)
    held = engine.files(plan.root)
    done.failures = [failure for entry in held.values() for failure in entry.failures]
    if adding.metadata:
        done.notes += adding.metadata.unused([entry.id for entry in engine.documents()])
    return done


def _read(
    plan: Plan, wanted: Sequence[str], adding: Adding, done: Added, progress: Progress | None
) -> Iterator[Incoming]:
    """Reads the files in order; each is looked at before it is read, so that a later change is seen next time."""
    looked_at: deque[File] = deque()

    def files() -> Iterator[tuple[Path, str]]:
        for path in wanted:
            full = plan.root_path / path if path else plan.root_path
            looked_at.append(_file(plan.root, path, full))
            yield full, f"{plan.root}/{path}" if path else plan.root

    for at, reading in enumerate(read_files(files(), adding.limits, adding.processes, adding.ocr), start=1):
        done.notes += reading.notes
        yield Incoming(looked_at.popleft(), reading.documents, reading.failures)
        if progress:
            progress(at, len(wanted))


def _file(root: str, path: str, full: Path) -> File:
    try:
        found = full.stat()
        modified = 0 if time.time_ns() - found.st_mtime_ns < FRESH else found.st_mtime_ns
        return File(root, path, found.st_size, modified, _hash(full))
    except OSError:
        return File(root, path, -1, 0, "")


def _hash(path: Path) -> str:
    digest = sha256()
    try:
        with path.open("rb") as held:
            while chunk := held.read(1 << 20):
                digest.update(chunk)
    except OSError:
        return ""
    return digest.hexdigest()


def _batches(incoming: Iterator[Incoming]) -> Iterator[list[Incoming]]:
    batch: list[Incoming] = []
    characters = 0
    for entry in incoming:
        batch.append(entry)
        characters += sum(len(document.text) for document in entry.documents)
        if len(batch) == BATCH_FILES or characters > BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _described(entry: Incoming, described: Mapping[str, Mapping[str, str]], metadata: Metadata) -> Incoming:
    said = {
        document.id: metadata.of(document.id, {**document.metadata, **described.get(document.id, {})})
        for document in entry.documents
    }
    return Incoming(entry.file, entry.documents, entry.failures, said)


def _redescribe(engine: Engine, plan: Plan, described: Mapping[str, Mapping[str, str]], metadata: Metadata) -> None:
    """Stores documents again with other metadata; their files are not read again."""
    files = engine.files(plan.root)
    held: dict[str, list[Document]] = {path: [] for path in plan.redescribed}
    for entry in engine.documents():
        if entry.root == plan.root and entry.path in held:
            held[entry.path].append(engine.document(entry.id))
    for path, documents in held.items():
        said = {document.id: metadata.of(document.id, described.get(document.id, {})) for document in documents}
        engine.put([Incoming(files[plan.root, path], tuple(documents), (), said)], plan.root, str(plan.root_path))
