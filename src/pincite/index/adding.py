"""From files to an index: what is new is read and stored, what changed is stored anew, what is gone can be removed."""

import os
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from pincite.documents.failures import Unreadable
from pincite.documents.folder import files_below
from pincite.documents.limits import Limits
from pincite.documents.workers import read_files
from pincite.errors import DataError, UsageError
from pincite.index.engine import Engine, Incoming
from pincite.index.metadata import Metadata
from pincite.index.records import File, storable
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

CLOSED = "{}: the folder cannot be opened; check that you may read it"


@dataclass(slots=True)
class Plan:
    """What there is to do for one root. Files are named by their paths below it."""

    root: str
    root_path: Path
    new: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)
    redescribed: list[str] = field(default_factory=list)
    """Files whose documents only get other metadata."""
    touched: list[File] = field(default_factory=list)
    """Files that hold what they held, but have another time of change."""
    closed: list[str] = field(default_factory=list)
    """Folders that cannot be opened: what is known of their files stays as it is."""
    paths: dict[str, Path] = field(default_factory=dict)


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
    reread: bool = False
    """Reads all files again, with the readers of today."""
    allow_removals: bool = False
    name: str = ""
    """What the ids of the documents begin with, instead of the folder's own name."""


def add(engine: Engine, path: Path, adding: Adding | None = None, progress: Progress | None = None) -> Added:
    """Adds a file, or all files of a folder; those that are there already and have not changed are left as they are."""
    adding = adding or Adding()
    closed: list[str] = []
    plan = _plan(engine, path, adding, _present(path, closed), closed)
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
    known = {Path(path) for path in engine.roots().values()}
    closed: list[str] = []
    present: list[tuple[Path, str]] = []
    if root_path.is_dir():
        present = files_below(root_path, closed)
    elif root_path not in known:
        raise DataError(f"{folder}: no such folder")
    elif not adding.allow_removals:
        raise DataError(
            f"{folder}: the folder is missing; nothing was removed from the index. Is a disk not mounted? "
            "--allow-removals removes its documents"
        )
    if not present and root_path in known and not adding.allow_removals:
        raise DataError(
            f"{folder}: the folder is empty; nothing was removed from the index. --allow-removals removes its documents"
        )
    plan = _plan(engine, folder, adding, present, closed)
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


def _present(path: Path, closed: list[str]) -> list[tuple[Path, str]]:
    if path.is_dir():
        found = files_below(path, closed)
        if not found:
            raise DataError(f"{path}: the folder holds no files")
        return found
    if not path.exists():
        raise DataError(f"{path}: no such file or folder")
    return [(path, "")]


def _plan(engine: Engine, path: Path, adding: Adding, files: Iterable[tuple[Path, str]], closed: Sequence[str]) -> Plan:
    root, root_path, below = _root(engine, path, adding.name)
    plan = Plan(root, root_path, closed=[_joined(below, folder) for folder in closed])
    known = {entry.path: entry for entry in engine.files(root).values() if _is_below(entry.path, below)}
    described = _redescribed(engine, root, adding.metadata)
    for full, relative in files:
        name = storable(_joined(below, relative))
        plan.paths[name] = full
        earlier = known.pop(name, None)
        if earlier is None:
            plan.new.append(name)
            continue
        now = _again(full, earlier)
        if now is None or adding.reread or (adding.retry and earlier.failures):
            plan.changed.append(name)
        else:
            (plan.redescribed if name in described else plan.same).append(name)
            if now != earlier:
                plan.touched.append(now)
    plan.gone = sorted(name for name in known if not any(_is_below(name, folder) for folder in plan.closed))
    return plan


def _joined(*parts: str) -> str:
    return "/".join(part for part in parts if part)


def _is_below(path: str, folder: str) -> bool:
    return not folder or path == folder or path.startswith(f"{folder}/")


def _root(engine: Engine, path: Path, name: str) -> tuple[str, Path, str]:
    """The name and path of the root that a path belongs to, and its own path below that root."""
    full = _absolute(path)
    roots = engine.roots()
    for known, root_path in sorted(roots.items(), key=lambda root: -len(root[1])):
        if full == Path(root_path) and name not in ("", known):
            raise UsageError(f"{path}: the index knows this place as {known!r}; leave --name out")
        if full.is_relative_to(root_path) and (not name or full == Path(root_path)):
            relative = full.relative_to(root_path).as_posix()
            return known, Path(root_path), "" if relative == "." else storable(relative)
    root = storable(name or full.name or "root")
    if "/" in root or root in (".", ".."):
        raise UsageError(f"--name {root!r}: a name must not hold a slash")
    if root in roots:
        raise UsageError(
            f"two places would have the name {root!r}: {roots[root]} and {full}; "
            "give the second one another with --name"
        )
    return root, full, ""


def _again(path: Path, earlier: File) -> File | None:
    """What is to be kept of a file that is what it was, by size and time of change, else by its content; None else."""
    try:
        found = path.stat()
    except OSError:
        return None
    if (found.st_size, found.st_mtime_ns) == (earlier.size, earlier.modified):
        return earlier
    if found.st_size != earlier.size or _hash(path) != earlier.sha256:
        return None
    return earlier._replace(modified=_settled(found.st_mtime_ns))


def _settled(modified: int) -> int:
    return 0 if abs(time.time_ns() - modified) < FRESH else modified


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
    wanted = sorted([*plan.new, *plan.changed])
    done = Added(len(plan.new), len(plan.changed) + len(plan.redescribed), len(plan.gone), len(plan.same))
    done.failures += [CLOSED.format(plan.root_path / folder) for folder in plan.closed]
    listed = {entry.id: entry for entry in engine.documents()} if plan.changed or plan.redescribed else {}
    described = {name: entry.metadata for name, entry in listed.items()}
    characters = 0
    for batch in _batches(_read(plan, wanted, adding, done, progress)):
        incoming = [_described(entry, described, adding.metadata) for entry in batch]
        engine.put(incoming, plan.root, str(plan.root_path))
        done.documents += sum(len(entry.documents) for entry in batch)
        characters += sum(len(document.text) for entry in batch for document in entry.documents)
        if characters > TIDY_CHARACTERS:
            engine.tidy()
            characters = 0
    for batch in _batches(_stored(engine, plan)):
        incoming = [_described(entry, described, adding.metadata) for entry in batch]
        engine.put(incoming, plan.root, str(plan.root_path))
    if plan.gone:
        engine.forget_files([(plan.root, path) for path in plan.gone])
    engine.note_files(plan.touched)
    engine.tidy()
    held = engine.files(plan.root)
    done.failures += [failure for entry in held.values() if entry.path in plan.paths for failure in entry.failures]
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
            looked_at.append(_file(plan.root, path, plan.paths[path]))
            yield plan.paths[path], _joined(plan.root, path)

    for at, reading in enumerate(read_files(files(), adding.limits, adding.processes, adding.ocr), start=1):
        done.notes += reading.notes
        failures = list(reading.failures)
        documents = [document for document in reading.documents if _can_be_stored(document, failures)]
        yield Incoming(looked_at.popleft(), tuple(documents), tuple(failures))
        if progress:
            progress(at, len(wanted))


def _can_be_stored(document: Document, failures: list[Unreadable]) -> bool:
    try:
        document.text.encode("utf-8")
    except UnicodeEncodeError:
        failures.append(Unreadable(document.id, "damaged", "holds letters that are no Unicode; save it anew"))
        return False
    return True


def _file(root: str, path: str, full: Path) -> File:
    try:
        found = full.stat()
        return File(root, path, found.st_size, _settled(found.st_mtime_ns), _hash(full))
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
    """The same with what the user says: kept from before, and over it what is said now."""
    said = {document.id: metadata.of(document.id, described.get(document.id, {})) for document in entry.documents}
    return replace(entry, metadata=said)


def _stored(engine: Engine, plan: Plan) -> Iterator[Incoming]:
    """Files whose documents are stored again as they are, because other things are said of them."""
    files = engine.files(plan.root)
    listed = [entry for entry in engine.documents() if entry.root == plan.root]
    for path in plan.redescribed:
        documents = [replace(engine.document(entry.id), metadata=entry.found) for entry in listed if entry.path == path]
        yield Incoming(files[plan.root, path], tuple(documents))
