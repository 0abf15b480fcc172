"""Documents of an earlier version are made again: out of their files, or else out of the stored text."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from pincite.documents.workers import Derived, derive_files
from pincite.engine.contract import WRITER, Engine, Store, every_document, every_root
from pincite.engine.records import DocumentRecord, File, PreparedDocument, PreparedFile, Root
from pincite.engine.structure import STRUCTURE_VERSION
from pincite.errors import DataError
from pincite.index.derivation import Derivation
from pincite.index.duplicates import settle_duplicates
from pincite.index.file_state import is_same
from pincite.index.ingest_options import IngestOptions
from pincite.index.prepare import Preparation, as_read, prepared
from pincite.models import Progress
from pincite.segment import segmenter

BATCH_FILES = 16
"""Files stored in one change. A killed upgrade loses no more."""
BATCH_CHARACTERS = 1_000_000
"""Characters stored in one change, about."""
ATTEMPTS = 3
"""How often a file is tried that somebody else changes meanwhile."""
CHANGED = "{}: has changed since it was read; its stored text was taken, and a sync reads the file"
UNREADABLE = "{}: could not be read again ({}); its stored text was taken"


class TitleChange(NamedTuple):
    """A document that is called something else now."""

    document: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class OldFile:
    """A file with documents of an earlier version."""

    root: Root
    file: File
    records: tuple[DocumentRecord, ...]

    @property
    def path(self) -> Path | None:
        """Where the file lies; None for a text that came from no file."""
        if not self.root.path:
            return None
        return Path(self.root.path) / self.file.path if self.file.path else Path(self.root.path)

    @property
    def id(self) -> str:
        return "/".join(part for part in (self.root.name, self.file.path) if part)

    @property
    def characters(self) -> int:
        return sum(record.characters for record in self.records)


@dataclass(slots=True)
class UpgradeReport:
    """What an upgrade did."""

    documents: int = 0
    from_files: int = 0
    from_text: int = 0
    units_before: int = 0
    units_after: int = 0
    embedded: int = 0
    titles: list[TitleChange] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


def is_earlier(record: DocumentRecord) -> bool:
    """Whether a document was made by an earlier version."""
    return record.structure < STRUCTURE_VERSION


def old_files(store: Store) -> list[OldFile]:
    """The files with documents of an earlier version, in the order in which they were added."""
    groups: dict[tuple[str, str], list[DocumentRecord]] = {}
    for record in every_document(store):
        groups.setdefault((record.root, record.path), []).append(record)
    roots = {root.name: root for root in every_root(store)}
    found = []
    for (root, path), records in groups.items():
        file = store.file(root, path)
        if file is not None and any(map(is_earlier, records)):
            found.append(OldFile(roots[root], file, tuple(records)))
    return found


@dataclass(frozen=True, slots=True)
class _Ready:
    """A file prepared again, with the documents that were read from the file itself."""

    old: OldFile
    file: PreparedFile
    fresh: frozenset[str]


def upgrade(
    engine: Engine, options: IngestOptions, embed: Callable[[], int], progress: Progress | None = None
) -> UpgradeReport:
    """Upgrades all documents of earlier versions, some at a time; each batch is stored in one change, then embedded.
    Stopped in the middle, the next call does the rest. Others may search and change the index meanwhile."""
    report = UpgradeReport()
    tried: Counter[str] = Counter()
    left = old_files(engine)
    total, done = len(left), 0
    while left:
        for batch in _batches(left):
            ready = _prepared(engine, batch, options, report)
            with engine.lease(WRITER):
                _store(engine, [one for one in ready if _is_untouched(engine, one.old)], report)
                engine.tidy(more_to_come=True)
            report.embedded += embed()
            done += len(batch)
            if progress:
                progress(min(done, total), total)
        tried.update(old.id for old in left)
        left = [old for old in old_files(engine) if tried[old.id] < ATTEMPTS]
    if total:
        with engine.lease(WRITER):
            settle_duplicates(engine)
            engine.tidy()
    return report


def _batches(files: Sequence[OldFile]) -> Iterator[list[OldFile]]:
    """Some files of one root at a time."""
    batch: list[OldFile] = []
    for old in files:
        full = len(batch) >= BATCH_FILES or sum(entry.characters for entry in batch) > BATCH_CHARACTERS
        if batch and (full or batch[0].root != old.root):
            yield batch
            batch = []
        batch.append(old)
    if batch:
        yield batch


def _is_untouched(engine: Engine, old: OldFile) -> bool:
    """Whether nobody changed the documents since they were looked at: a change gives a document another number."""
    now = engine.records_of(old.root.name, old.file.path)
    return [record.number for record in now] == [record.number for record in old.records]


def _prepared(engine: Engine, batch: Sequence[OldFile], options: IngestOptions, report: UpgradeReport) -> list[_Ready]:
    """Each file, prepared again: what can be read from the file itself, the rest from what is stored."""
    said = {record.id: dict(record.metadata) for old in batch for record in old.records}
    prepare = Preparation(segmenter(engine.configuration.segmenter), said)
    there = {old.id: old.path for old in batch if old.path is not None and is_same(old.path, old.file)}
    files = [(path, name) for name, path in there.items()]
    how = (options.limits, options.processes, options.ocr, options.ocr_language)
    read = dict(zip(there, derive_files(files, Derivation(prepare), *how), strict=True))
    ready = []
    for old in batch:
        if old.id not in read and old.path is not None and old.path.exists():
            report.notes.append(CHANGED.format(old.id))
        try:
            ready.append(_joined(engine, old, read.get(old.id), prepare, report))
        except DataError as error:
            report.failures = list(dict.fromkeys([*report.failures, str(error)]))
    return ready


def _joined(
    engine: Engine, old: OldFile, read: Derived[PreparedDocument] | None, prepare: Preparation, report: UpgradeReport
) -> _Ready:
    fresh = {document.indexed.document.id: document for document in read.results} if read else {}
    kept = [_from_text(engine, record, prepare) for record in old.records if record.id not in fresh]
    if read is None or not fresh:
        if read:
            report.notes.append(UNREADABLE.format(old.id, "; ".join(map(str, read.failures)) or "it holds no text"))
        return _Ready(old, PreparedFile(old.file, tuple(kept)), frozenset())
    file = old.file._replace(failures=tuple(map(str, read.failures)), notes=tuple(read.notes))
    return _Ready(old, PreparedFile(file, (*fresh.values(), *kept)), frozenset(fresh))


def _from_text(engine: Engine, record: DocumentRecord, prepare: Preparation) -> PreparedDocument:
    """A document out of its stored text. Earlier versions took the first line of a file for its title: it is looked for
    again."""
    document = as_read(engine.load([record.id])[0], record)
    if record.root and is_earlier(record):
        document = replace(document, title="")
    return prepared(document, prepare.said(record.id), prepare.segment)


def _store(engine: Engine, ready: Sequence[_Ready], report: UpgradeReport) -> None:
    """Stores files of one root in one change; if one of them is in the way of another document, the others alone."""
    if not ready:
        return
    try:
        engine.put([one.file for one in ready], ready[0].old.root)
    except DataError as error:
        if len(ready) == 1:
            report.failures = list(dict.fromkeys([*report.failures, f"{ready[0].old.id}: {error}"]))
            return
        for one in ready:
            _store(engine, [one], report)
        return
    for one in ready:
        _count(one, report)


def _count(one: _Ready, report: UpgradeReport) -> None:
    before = {record.id: record for record in one.old.records}
    documents = [prepared.indexed for prepared in one.file.documents]
    report.documents += len(documents)
    report.from_files += len(one.fresh)
    report.from_text += len(documents) - len(one.fresh)
    report.units_before += sum(record.unit_count for record in before.values())
    report.units_after += sum(len(indexed.units) for indexed in documents)
    for document, _, _ in documents:
        known = before.get(document.id)
        if known is not None and known.title != document.title:
            report.titles.append(TitleChange(document.id, known.title, document.title))
