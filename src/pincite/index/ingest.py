"""From files to an index: new files are read and stored, changed ones replaced, missing ones can be removed."""

import os
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from pincite.documents.failures import Unreadable
from pincite.documents.folder import files_below
from pincite.documents.limits import Limits
from pincite.documents.workers import read_files
from pincite.engine.contract import Store, every_document, every_file, every_root
from pincite.engine.records import File, PreparedFile, Root, storable
from pincite.errors import DataError, UsageError
from pincite.index.metadata import Metadata
from pincite.index.prepare import Preparation, described_again
from pincite.models import Progress
from pincite.segment import segmenter
from pincite.text import Document

BATCH_FILES = 64
"""Files stored in one change."""
BATCH_CHARACTERS = 4_000_000
"""Characters stored in one change: a killed command loses no more."""

TIDY_CHARACTERS = 20_000_000
"""Characters after which the index is tidied while reading goes on."""

MOST_REMOVED = 0.3
"""The greatest share of a root's files that a sync removes without being told to."""

FRESH = 2_000_000_000
"""Nanoseconds after a change in which a file may change again unseen: it is compared by content next time."""

CLOSED = "{}: the folder cannot be opened; check that you may read it"
TEXTS = Root("", "")
"""The root of texts that programs add under ids of their own."""


@dataclass(slots=True)
class SyncPlan:
    """What a sync would do for one root. Files are named by their paths below it."""

    root: str
    root_path: Path
    new: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)
    redescribed: list[str] = field(default_factory=list)
    """Files whose documents only get other metadata."""
    touched: list[File] = field(default_factory=list)
    """Files with the same content and another time of change."""
    closed: list[str] = field(default_factory=list)
    """Folders that cannot be opened: their files stay as they are."""
    paths: dict[str, Path] = field(default_factory=dict)


@dataclass(slots=True)
class IngestReport:
    """What was done: numbers of files, and every file or part that is not searchable, with the reason."""

    new: int = 0
    changed: int = 0
    removed: int = 0
    same: int = 0
    documents: int = 0
    embedded: int = 0
    notes: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def __iadd__(self, other: "IngestReport") -> "IngestReport":
        """Adds the figures of another call; what both say is said once."""
        for name in ("new", "changed", "removed", "same", "documents", "embedded"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.notes = list(dict.fromkeys([*self.notes, *other.notes]))
        self.failures = list(dict.fromkeys([*self.failures, *other.failures]))
        return self


@dataclass(frozen=True, slots=True)
class IngestOptions:
    """How files are read: metadata of the documents, limits for single files, how many processes read."""

    metadata: Metadata = field(default_factory=Metadata)
    limits: Limits = field(default_factory=Limits)
    processes: int | None = None
    ocr: bool = True
    retry: bool = False
    """Read files again that could not be read before."""
    reread: bool = False
    """Read all files again, with the readers of today."""
    allow_removals: bool = False
    name: str = ""
    """What ids begin with, instead of the folder's own name."""


def add(
    store: Store, path: Path, options: IngestOptions | None = None, progress: Progress | None = None
) -> IngestReport:
    """Adds a file, or all files of a folder; those that are there already and have not changed are left as they are."""
    options = options or IngestOptions()
    closed: list[str] = []
    plan = _plan(store, path, options, _present(path, closed), closed)
    plan.gone = []
    return _carry_out(store, plan, options, progress)


def sync(
    store: Store, folder: Path, options: IngestOptions | None = None, progress: Progress | None = None
) -> IngestReport:
    """Makes the index hold exactly what the folder holds: also removes what is gone from it."""
    options = options or IngestOptions()
    return _carry_out(store, plan_sync(store, folder, options), options, progress)


def plan_sync(store: Store, folder: Path, options: IngestOptions | None = None) -> SyncPlan:
    """What `sync` would do. It refuses if the folder is missing or empty, or if too much would be removed."""
    options = options or IngestOptions()
    root_path = _absolute(folder)
    known = {Path(root.path) for root in every_root(store)}
    closed: list[str] = []
    present: list[tuple[Path, str]] = []
    if root_path.is_dir():
        present = files_below(root_path, closed)
    elif root_path not in known:
        raise DataError(f"{folder}: no such folder")
    elif not options.allow_removals:
        raise DataError(
            f"{folder}: the folder is missing; nothing was removed from the index. Is a disk not mounted? "
            "--allow-removals removes its documents"
        )
    if not present and root_path in known and not options.allow_removals:
        raise DataError(
            f"{folder}: the folder is empty; nothing was removed from the index. --allow-removals removes its documents"
        )
    plan = _plan(store, folder, options, present, closed)
    total = len(plan.gone) + len(plan.same) + len(plan.changed) + len(plan.redescribed)
    if plan.gone and len(plan.gone) > MOST_REMOVED * total and not options.allow_removals:
        raise DataError(
            f"{folder}: {len(plan.gone)} of {total} files are gone, more than {MOST_REMOVED:.0%}; nothing was changed. "
            "If that is right: --allow-removals"
        )
    return plan


def _absolute(path: Path) -> Path:
    """The full path; links keep their names, so that a link that later points elsewhere is still the same root."""
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


def _plan(
    store: Store, path: Path, options: IngestOptions, files: Iterable[tuple[Path, str]], closed: Sequence[str]
) -> SyncPlan:
    root, root_path, below = _root(store, path, options.name)
    plan = SyncPlan(root, root_path, closed=[_joined(below, folder) for folder in closed])
    known = {file.path: file for file in every_file(store, root) if _is_below(file.path, below)}
    described = _redescribed(store, root, options.metadata)
    for full, relative in files:
        name = storable(_joined(below, relative))
        plan.paths[name] = full
        earlier = known.pop(name, None)
        if earlier is None:
            plan.new.append(name)
            continue
        now = _again(full, earlier)
        if now is None or options.reread or (options.retry and earlier.failures):
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


def _root(store: Store, path: Path, name: str) -> tuple[str, Path, str]:
    """The name and path of the root that a path belongs to, and its own path below that root."""
    full = _absolute(path)
    roots = dict(every_root(store))
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


def is_same(path: Path, file: File) -> bool:
    """Whether a file has the content that it had when it was read."""
    try:
        return path.stat().st_size == file.size and _hash(path) == file.sha256
    except OSError:
        return False


def _settled(modified: int) -> int:
    return 0 if abs(time.time_ns() - modified) < FRESH else modified


def _redescribed(store: Store, root: str, metadata: Metadata) -> set[str]:
    """The files of which some document is now described differently."""
    if not metadata:
        return set()
    return {
        entry.path
        for entry in every_document(store)
        if entry.root == root and metadata.of(entry.id, entry.metadata) != dict(entry.metadata)
    }


def _carry_out(store: Store, plan: SyncPlan, options: IngestOptions, progress: Progress | None) -> IngestReport:
    wanted = sorted([*plan.new, *plan.changed])
    report = IngestReport(len(plan.new), len(plan.changed) + len(plan.redescribed), len(plan.gone), len(plan.same))
    report.failures += [CLOSED.format(plan.root_path / folder) for folder in plan.closed]
    root = Root(plan.root, str(plan.root_path))
    said = {}
    if plan.changed or plan.redescribed:
        said = {record.id: record.metadata for record in every_document(store) if record.root == plan.root}
    prepare = Preparation(segmenter(store.configuration.segmenter), said, options.metadata)
    characters = 0
    for batch in batches(_read(plan, wanted, options, report, prepare, progress)):
        store.put(batch, root)
        report.documents += sum(len(file.documents) for file in batch)
        characters += sum(map(_characters, batch))
        if characters > TIDY_CHARACTERS:
            store.tidy()
            characters = 0
    for batch in batches(_stored(store, plan, prepare)):
        store.put(batch, root)
    if plan.gone:
        store.forget_files([(plan.root, path) for path in plan.gone])
    store.note_files(plan.touched)
    store.tidy()
    present = [file for file in every_file(store, plan.root) if file.path in plan.paths]
    report.failures += [failure for file in present for failure in file.failures]
    if options.metadata:
        report.notes += options.metadata.unused([record.id for record in every_document(store)])
    return report


def _read(
    plan: SyncPlan,
    wanted: Sequence[str],
    options: IngestOptions,
    report: IngestReport,
    prepare: Preparation,
    progress: Progress | None,
) -> Iterator[PreparedFile]:
    """Reads files in order; each is looked at before it is read, so that a later change is seen next time."""
    looked_at: deque[File] = deque()

    def files() -> Iterator[tuple[Path, str]]:
        for path in wanted:
            looked_at.append(_file(plan.root, path, plan.paths[path]))
            yield plan.paths[path], _joined(plan.root, path)

    for at, reading in enumerate(read_files(files(), options.limits, options.processes, options.ocr), start=1):
        report.notes += reading.notes
        failures = list(reading.failures)
        documents = [document for document in reading.documents if _can_be_stored(document, failures)]
        file = looked_at.popleft()
        file = file._replace(failures=(*file.failures, *map(str, failures)))
        yield PreparedFile(file, tuple(map(prepare, documents)))
        if progress:
            progress(at, len(wanted))


def _can_be_stored(document: Document, failures: list[Unreadable]) -> bool:
    try:
        document.text.encode("utf-8")
    except UnicodeEncodeError:
        failures.append(
            Unreadable(document.id, "damaged", "holds characters that are not valid Unicode; save it again")
        )
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
        with path.open("rb") as file:
            while chunk := file.read(1 << 20):
                digest.update(chunk)
    except OSError:
        return ""
    return digest.hexdigest()


def _characters(file: PreparedFile) -> int:
    return sum(len(document.indexed.document.text) for document in file.documents)


def text_files(documents: Iterable[Document], prepare: Preparation) -> Iterator[PreparedFile]:
    """Documents that come from no file, each as a file of its own."""
    for document in documents:
        file = File(TEXTS.name, document.id, len(document.text), 0, document.sha256)
        yield PreparedFile(file, (prepare(document),))


def batches(files: Iterable[PreparedFile]) -> Iterator[list[PreparedFile]]:
    """As many files at a time as are stored in one change."""
    batch: list[PreparedFile] = []
    characters = 0
    for file in files:
        batch.append(file)
        characters += _characters(file)
        if len(batch) == BATCH_FILES or characters > BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _stored(store: Store, plan: SyncPlan, prepare: Preparation) -> Iterator[PreparedFile]:
    """Files whose documents are stored again as they are, because users say other things of them."""
    for path in plan.redescribed:
        file = store.file(plan.root, path)
        if file is not None:
            yield described_again(store, file, prepare.said)
