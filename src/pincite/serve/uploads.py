"""Uploaded files: checked, read in a separate process, and committed; they lie with the index."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import count
from pathlib import Path, PurePosixPath
from secrets import token_hex

from pincite.documents.formats import CONTAINERS, SUFFIX_FORMATS, container_of
from pincite.documents.limits import Limits
from pincite.documents.part import safe_name
from pincite.documents.request import OCR_LANGUAGE
from pincite.documents.worker import FileTask, Outcome, WorkOrder
from pincite.documents.workers import WorkerPool
from pincite.engine.contract import WRITER, Engine, every_root
from pincite.engine.records import PreparedFile, Root
from pincite.errors import OutputError, PinciteError
from pincite.index import Index
from pincite.index.derivation import Derivation
from pincite.index.duplicates import settle_duplicates
from pincite.index.file_state import file_state
from pincite.index.jobs import INCOMING, FileResult
from pincite.index.prepare import Preparation, described_as
from pincite.index.uploads import FOLDER, OURS
from pincite.segment import segmenter
from pincite.serve.errors import Conflict, NotReadable, NotWritable, Refused
from pincite.serve.settings import Settings
from pincite.text.conditions import MATTER

LONGEST_FOLDER = 200
"""Bytes of the name of a matter's folder; file systems take 255."""
FULL = "the index cannot be changed at the moment: another process may be writing, or the disk may be full"


@dataclass(frozen=True, slots=True)
class Uploaded:
    """The outcome for one file: added, the same as before, or failed with a reason."""

    name: str
    status: str
    documents: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    failure: Refused | None = field(default=None, compare=False)

    def to_dict(self) -> dict[str, object]:
        """The outcome for programs."""
        shape: dict[str, object] = {"name": self.name, "status": self.status, "documents": list(self.documents)}
        return {**shape, "notes": list(self.notes), "problem": str(self.failure) if self.failure else None}

    def to_result(self) -> FileResult:
        """The outcome as a job keeps it."""
        failure = self.failure
        return FileResult(
            self.status,
            self.documents,
            self.notes,
            str(failure) if failure else "",
            failure.name if failure else "",
        )

    @classmethod
    def of(cls, name: str, result: FileResult) -> "Uploaded":
        """The outcome that a job kept."""
        failure: Refused | None = None
        if result.problem:
            kind = {error.name: error for error in (Conflict, NotWritable)}.get(result.kind, NotReadable)
            failure = kind(result.problem, retry_after=10 if kind is NotWritable else None)
        return cls(name, result.status, result.documents, result.notes, failure)


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A received file with what was read of it, ready to be committed."""

    stored: str
    """Where it is stored, below the folder of uploads."""
    waiting: str
    """Where it lies among the originals until then."""
    prepared: PreparedFile
    metadata: Mapping[str, str] = field(default_factory=dict)
    """What is said of its documents."""
    replace: bool = False

    @property
    def name(self) -> str:
        return Path(self.stored).name

    @property
    def matter(self) -> str:
        return self.metadata.get(MATTER) or FOLDER

    @property
    def sha256(self) -> str:
        return self.prepared.file.sha256

    @property
    def characters(self) -> int:
        return sum(len(document.indexed.document.text) for document in self.prepared.documents)


def checked_name(name: str) -> str:
    """The last part of a file's name, which cannot lead out of the folder."""
    plain = safe_name(name).rsplit("/", 1)[-1].strip(". ")
    if not plain or plain == "unnamed":
        raise NotReadable("the file has no name")
    if len(plain.encode()) > 200:
        raise NotReadable("the file's name is longer than 200 bytes")
    return plain


def check_content(name: str, data: bytes) -> None:
    """Raises an error if the first bytes of a file do not match its suffix."""
    promised = SUFFIX_FORMATS.get(Path(name).suffix.lower())
    if promised is None:
        raise NotReadable(f"{name}: unsupported suffix; the supported ones are: {', '.join(SUFFIX_FORMATS)}")
    found = container_of(data[:1024])
    if data and found != CONTAINERS.get(promised, "text"):
        raise NotReadable(f"{name}: the suffix says {promised}, but its content is {found}; correct the suffix")


def reader_pool(index: Index, settings: Settings, most: int) -> WorkerPool:
    """The worker processes that read uploads, at most so many at once."""
    limits = Limits(
        file_bytes=settings.file_bytes,
        seconds=settings.file_seconds,
        ocr_seconds=settings.file_seconds,
        memory_bytes=settings.file_memory_bytes,
    )
    prepare = Preparation(segmenter(index.engine.configuration.segmenter))
    return WorkerPool(WorkOrder(limits, ocr=True, ocr_language=OCR_LANGUAGE, derive=Derivation(prepare)), most)


def matter_path(name: str, matter: str) -> str:
    """Where a file lies below the folder of uploads: the files of a matter have a folder of their own, so that a name
    which another matter uses is free.

    >>> matter_path("lease.txt", "North/South v. 2"), matter_path("lease.txt", "")
    ('North%2FSouth v%2E 2/lease.txt', 'lease.txt')
    """
    if not matter or matter == FOLDER:
        return name
    folder = "".join(letter if letter.isalnum() or letter in " -_" else f"%{ord(letter):02X}" for letter in matter)
    if len(folder.encode()) > LONGEST_FOLDER:  # each matter has a folder of its own
        folder = f"{folder[: LONGEST_FOLDER // 8]}-{sha256(matter.encode()).hexdigest()[:32]}"
    return f"{folder}/{name}"


def free_path(index: Index, name: str, matter: str) -> str:
    """Where a file is stored: under its name, unless what lies there was moved to another matter."""
    for number in count(2):
        stored = matter_path(name if number == 2 else f"{Path(name).stem} ({number - 1}){Path(name).suffix}", matter)
        if _is_of(index, stored, matter or FOLDER):
            return stored
    raise AssertionError("numbers do not end")


def _is_of(index: Index, stored: str, matter: str) -> bool:
    """Whether what lies there belongs to a matter."""
    return all(record.matter == matter for record in index.engine.records_of(FOLDER, stored))


def reading_task(stored: str, path: Path) -> FileTask:
    """How a worker is asked to read a file: under the name that it will have."""
    return FileTask(path, f"{FOLDER}/{stored}", f"{FOLDER}/{stored}")


def read_file(
    name: str, waiting: str, path: Path, outcome: Outcome, metadata: Mapping[str, str], *, replace: bool = False
) -> ReadFile:
    """A file with what a worker read of it; `name` is where it is stored below the folder of uploads, `waiting` where
    it lies until then, `path` where it can be read."""
    failures = tuple(map(str, outcome.failures))
    state = file_state(FOLDER, name, path)._replace(failures=failures, notes=tuple(outcome.notes))
    return ReadFile(name, waiting, PreparedFile(state, outcome.results), metadata, replace)


def settled(index: Index, stored: str, digest: str, matter: str, *, replace: bool = False) -> Uploaded | None:
    """The outcome for a file that need not be read: it is stored already, or another one of that name is. What lies
    there and the index does not know is in nobody's way: its documents were removed."""
    name, known = PurePosixPath(stored).name, index.engine.file(FOLDER, stored)
    earlier = None if known is None else index.engine.originals.digest(f"{FOLDER}/{stored}")
    if (earlier not in (None, digest) and not replace) or not _is_of(index, stored, matter):
        error = Conflict(f"{name}: there is another file of that name; rename it, or replace the other one")
        return Uploaded(name, "failed", failure=error)
    documents = _documents(index, stored)
    if documents and earlier == digest and known is not None and known.sha256 == digest:
        return Uploaded(name, "same", documents)
    return None


def commit(index: Index, files: Sequence[ReadFile]) -> list[Uploaded]:
    """Makes documents of files with different names, in one change. The documents are stored first, and the files
    follow; a file that yields no document changes nothing. An `OutputError` means that nothing is stored."""
    try:
        with index.engine.lease(WRITER):  # nobody else tidies up between a document and its file
            outcomes = [_unreadable(file) or _judged(index, file) for file in files]
            _store(index, files, outcomes)
            notes = settle_duplicates(index.engine)
    except OSError as error:
        raise OutputError(f"{index.location}: cannot store a file ({error.strerror})") from None
    return [outcome or _added(index, file, notes) for outcome, file in zip(outcomes, files, strict=True)]


def _unreadable(file: ReadFile) -> Uploaded | None:
    if file.prepared.documents:
        return None
    said = "; ".join(map(_plain, file.prepared.file.failures))
    return Uploaded(file.name, "failed", failure=NotReadable(said or f"{file.name}: no text could be read"))


def _plain(said: str) -> str:
    """What is said of a file without the folder that it lies in.

    >>> _plain("uploads/acme/lease.pdf: page 2 is damaged")
    'lease.pdf: page 2 is damaged'
    """
    place, colon, fault = said.partition(": ")
    return f"{PurePosixPath(place).name}{colon}{fault}" if place.startswith(f"{FOLDER}/") else said


def _judged(index: Index, file: ReadFile) -> Uploaded | None:
    try:
        _own_root(index)
    except Conflict as error:
        return Uploaded(file.name, "failed", failure=error)
    return settled(index, file.stored, file.sha256, file.matter, replace=file.replace)


def _added(index: Index, file: ReadFile, notes: Sequence[str]) -> Uploaded:
    place = f"{FOLDER}/{file.stored}"
    failures = list(map(_plain, file.prepared.file.failures))
    own = [note for note in notes if note.startswith((f"{place}:", f"{place}/"))]
    return Uploaded(file.name, "added", _documents(index, file.stored), (*file.prepared.file.notes, *own, *failures))


def _store(index: Index, files: Sequence[ReadFile], outcomes: list[Uploaded | None]) -> None:
    """Stores what has no outcome yet. Where the files cannot be stored together, each is stored alone, and one that
    cannot be stored gets an outcome."""
    places = [at for at, outcome in enumerate(outcomes) if outcome is None]
    try:
        _store_together(index, [files[at] for at in places])
    except OutputError:
        raise
    except PinciteError:
        for at in places:
            try:
                _store_together(index, [files[at]])
            except OutputError:
                raise
            except PinciteError as error:
                said = str(error).replace(f"{index.location}/", "")
                outcomes[at] = Uploaded(files[at].name, "failed", failure=NotReadable(said))


def _store_together(index: Index, files: Sequence[ReadFile]) -> None:
    if files:
        engine = index.engine
        with engine.originals.naming({file.waiting: f"{FOLDER}/{file.stored}" for file in files}):
            engine.put([_described(engine, file) for file in files], _root(index))


def _described(engine: Engine, file: ReadFile) -> PreparedFile:
    """What is stored of a file: what users said of the documents that it replaces is said of its own, and over it what
    they say now."""
    before = {record.id: record.metadata for record in engine.records_of(FOLDER, file.stored)}
    documents = []
    for document in file.prepared.documents:
        said = {**before.get(document.indexed.document.id, {}), **file.metadata}
        documents.append(described_as(document, said) if said else document)
    return replace(file.prepared, documents=tuple(documents))


def store(
    index: Index,
    name: str,
    data: bytes,
    settings: Settings,
    *,
    replace: bool = False,
    metadata: Mapping[str, str] | None = None,
) -> Uploaded:
    """Receives, reads and commits one file."""
    said = dict(metadata or {})
    matter = said.get(MATTER) or FOLDER
    try:
        name = checked_name(name)
        check_content(name, data)
    except Refused as error:
        return Uploaded(name, "failed", failure=error)
    originals = index.engine.originals
    pool = reader_pool(index, settings, 1)
    waiting = f"{INCOMING}/{token_hex(8)}/0/{name}"
    try:
        originals.write(waiting, data)
        stored = free_path(index, name, matter)
        known = settled(index, stored, sha256(data).hexdigest(), matter, replace=replace)
        if known is not None:
            return known
        with originals.at_hand(waiting) as path:
            if path is None:
                raise OutputError(f"{index.location}: the file is gone; send it again")
            outcome = pool.submit(reading_task(stored, path)).result()
            done = commit(index, [read_file(stored, waiting, path, outcome, said, replace=replace)])[0]
        index.tidy()
        pool.rest()
        return done
    except OSError as error:
        raise OutputError(f"{index.location}: cannot store a file ({error.strerror})") from None
    finally:
        pool.close()
        originals.delete([waiting])


def _root(index: Index) -> Root:
    """The root of uploads: the folder of the index, or nowhere where the index has none."""
    folder = Path(index.location) / FOLDER
    return Root(FOLDER, os.path.abspath(folder) if folder.parent.is_dir() else "")  # noqa: PTH100


def _own_root(index: Index) -> None:
    """Makes the index's own area the root of uploads. An error if another folder of that name was added."""
    engine, root = index.engine, _root(index)
    known = next((known.path for known in every_root(engine) if known.name == FOLDER), None)
    ours = engine.stored_record(*OURS)
    if known not in (None, root.path) and ours is None:
        raise Conflict(f"the index contains another folder named {FOLDER!r}; add that one again with another --name")
    if ours is None:
        engine.put_record(*OURS, "server")
    if known not in (None, root.path):
        engine.move_root(root)


def _documents(index: Index, name: str) -> tuple[str, ...]:
    return tuple(record.id for record in index.engine.records_of(FOLDER, name))
