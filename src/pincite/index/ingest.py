"""From files to an index: new files are read and stored, changed ones replaced, missing ones can be removed."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pincite.documents.pdf_ocr import check_language
from pincite.documents.workers import OcrProgress, derive_files
from pincite.engine.contract import Store, every_document, every_file
from pincite.engine.records import File, PreparedFile, Root
from pincite.index.derivation import Derivation
from pincite.index.duplicates import settle_duplicates
from pincite.index.exclusions import remember
from pincite.index.file_state import file_state, is_same
from pincite.index.ingest_options import IngestOptions
from pincite.index.links import remember_links
from pincite.index.prepare import Preparation, described_again
from pincite.index.sync_plan import SyncPlan, plan_add, plan_sync
from pincite.segment import segmenter
from pincite.text import Document

BATCH_FILES = 64
"""Files stored in one change."""
BATCH_CHARACTERS = 4_000_000
"""Characters stored in one change: a killed command loses no more."""

TIDY_CHARACTERS = 20_000_000
"""Characters after which the index is tidied while reading goes on."""

CLOSED = "{}: the folder cannot be opened; check that you may read it"
LINKED = "{}: is a link that was not followed; --follow-links follows links, or add what it leads to"
TEXTS = Root("", "")
"""The root of texts that programs add under ids of their own."""

StageProgress = Callable[[str, int, int], None]
"""Is told (what, done, all) as long work goes on: what is "reading", "recognising a.pdf" or "embedding"."""

__all__ = [
    "TEXTS",
    "IngestOptions",
    "IngestReport",
    "StageProgress",
    "SyncPlan",
    "add",
    "batches",
    "is_same",
    "plan_sync",
    "sync",
    "text_files",
]


@dataclass(slots=True)
class IngestReport:
    """What was done: numbers of files, and every file or part that is not searchable, with the reason."""

    new: int = 0
    """New files that gave documents."""
    changed: int = 0
    removed: int = 0
    same: int = 0
    documents: int = 0
    embedded: int = 0
    excluded: int = 0
    """Files that are there and left out, because a pattern says so."""
    notes: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def __iadd__(self, other: "IngestReport") -> "IngestReport":
        """Adds the figures of another call; what both say is said once."""
        for name in ("new", "changed", "removed", "same", "documents", "embedded", "excluded"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.notes = list(dict.fromkeys([*self.notes, *other.notes]))
        self.failures = list(dict.fromkeys([*self.failures, *other.failures]))
        return self


def add(
    store: Store, path: Path, options: IngestOptions | None = None, progress: StageProgress | None = None
) -> IngestReport:
    """Adds a file, or all files of a folder; those that are there already and have not changed are left as they are."""
    options = options or IngestOptions()
    return _carry_out(store, plan_add(store, path, options), options, progress)


def sync(
    store: Store, folder: Path, options: IngestOptions | None = None, progress: StageProgress | None = None
) -> IngestReport:
    """Makes the index hold exactly what the folder holds: also removes what is gone from it."""
    options = options or IngestOptions()
    return _carry_out(store, plan_sync(store, folder, options), options, progress)


def _carry_out(store: Store, plan: SyncPlan, options: IngestOptions, progress: StageProgress | None) -> IngestReport:
    check_language(options.ocr_language)
    report = IngestReport(removed=len(plan.gone), same=len(plan.same), excluded=len(plan.excluded))
    report.failures += [CLOSED.format(plan.root_path / folder) for folder in plan.closed]
    report.notes += [LINKED.format(plan.root_path / folder) for folder in plan.linked]
    root = Root(plan.root, str(plan.root_path))
    said = {}
    if plan.changed or plan.redescribed:
        said = {record.id: record.metadata for record in every_document(store) if record.root == plan.root}
    prepare = Preparation(segmenter(store.configuration.segmenter), said, options.metadata)
    characters = 0
    for batch in batches(_read(plan, options, report, prepare, progress)):
        store.put(batch, root)
        report.documents += sum(len(file.documents) for file in batch)
        characters += sum(map(_characters, batch))
        if characters > TIDY_CHARACTERS:
            store.tidy()
            characters = 0
    for batch in batches(_stored(store, plan, prepare)):
        store.put(batch, root)
        report.changed += len(batch)
    if plan.gone:
        store.forget_files([(plan.root, path) for path in plan.gone])
    store.note_files(plan.touched)
    remember(store, plan.root, plan.patterns)
    if plan.root_path.is_dir():
        remember_links(store, plan.root, plan.follow)
    report.notes += settle_duplicates(store)
    store.tidy()
    present = [file for file in every_file(store, plan.root) if file.path in plan.paths]
    report.failures += [failure for file in present for failure in file.failures]
    if options.metadata:
        report.notes += options.metadata.unused([record.id for record in every_document(store)])
    return report


def _read(
    plan: SyncPlan,
    options: IngestOptions,
    report: IngestReport,
    prepare: Preparation,
    progress: StageProgress | None,
) -> Iterator[PreparedFile]:
    """Reads files in order; each is looked at before it is read, so that a later change is seen next time."""
    wanted = sorted([*plan.new, *plan.changed])
    new = set(plan.new)
    looked_at: deque[File] = deque()

    def files() -> Iterator[tuple[Path, str]]:
        for path in wanted:
            looked_at.append(file_state(plan.root, path, plan.paths[path]))
            yield plan.paths[path], _id(plan.root, path)

    readings = derive_files(
        files(),
        Derivation(prepare),
        options.limits,
        options.processes,
        options.ocr,
        options.ocr_language,
        _recognising(progress),
    )
    for at, reading in enumerate(readings, start=1):
        file = looked_at.popleft()
        notes = _notes(plan, file, reading.notes)
        report.notes += notes
        report.new += bool(reading.results) and file.path in new
        report.changed += bool(reading.results) and file.path not in new
        yield PreparedFile(file._replace(failures=tuple(map(str, reading.failures)), notes=notes), reading.results)
        if progress:
            progress("reading", at, len(wanted))


def _recognising(progress: StageProgress | None) -> OcrProgress | None:
    if progress is None:
        return None
    return lambda path, done, pages: progress(f"recognising {path.name}", done, pages)


def _notes(plan: SyncPlan, file: File, notes: Sequence[str]) -> tuple[str, ...]:
    """What was noticed about a file, under its id instead of its path."""
    full, name = plan.paths[file.path], _id(plan.root, file.path)
    own = [f"{name}{note.removeprefix(str(full))}" if note.startswith(str(full)) else note for note in notes]
    if full.is_symlink():
        own.append(f"{name}: is a link to {os.readlink(full)}")  # noqa: PTH115
    return tuple(own)


def _id(root: str, path: str) -> str:
    return f"{root}/{path}" if path else root


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
