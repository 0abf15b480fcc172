"""Uploaded files: checked, stored inside the index's folder, and read in a separate process."""

import os
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from pincite.documents.formats import CONTAINERS, SUFFIX_FORMATS, container_of
from pincite.documents.limits import Limits
from pincite.documents.part import safe_name
from pincite.engine.contract import every_root
from pincite.engine.records import Root
from pincite.errors import OutputError, PinciteError
from pincite.index import Index
from pincite.index.ingest import IngestOptions
from pincite.index.uploads import FOLDER, OURS
from pincite.output import atomic_file
from pincite.serve.errors import Conflict, NotReadable, Refused
from pincite.serve.settings import Settings

NEW = "."
"""How the name of an unfinished file begins."""


@dataclass(frozen=True, slots=True)
class Uploaded:
    """The outcome for one file: added, the same as before, or failed with a reason."""

    name: str
    status: str
    documents: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    failure: Refused | None = field(default=None, compare=False)

    def to_dict(self) -> dict[str, object]:
        shape: dict[str, object] = {"name": self.name, "status": self.status, "documents": list(self.documents)}
        return {**shape, "notes": list(self.notes), "problem": str(self.failure) if self.failure else None}


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


def store(index: Index, name: str, data: bytes, settings: Settings, *, replace: bool = False) -> Uploaded:
    """Stores one file and reads it. The file is completely on disk before it is read; if it yields no document, it is
    deleted."""
    try:
        name = checked_name(name)
        check_content(name, data)
        folder = Path(index.location) / FOLDER
        folder.mkdir(mode=0o700, exist_ok=True)
        path = folder / name
        earlier = path.read_bytes() if path.is_file() else None
        if earlier is not None and sha256(earlier).digest() != sha256(data).digest() and not replace:
            raise Conflict(f"{name}: there is another file of that name; rename it, or replace the other one")
        _own_root(index, folder)
        before = _documents(index, name)
        known = index.engine.file(FOLDER, name)
        if before and earlier == data and known is not None and known.sha256 == sha256(data).hexdigest():
            return Uploaded(name, "same", before)
        _write(path, data)
        try:
            found = _read(index, path, settings)
        except BaseException:
            _put_back(path, earlier)
            raise
        documents = _documents(index, name)
        if not documents:
            _undo(index, path, earlier, settings)
            raise NotReadable("; ".join(found[1]) or f"{name}: no text could be read")
        return Uploaded(name, "added", documents, (*found[0], *found[1]))
    except Refused as error:
        return Uploaded(name, "failed", failure=error)
    except OutputError:
        raise
    except PinciteError as error:
        return Uploaded(name, "failed", failure=NotReadable(str(error).replace(f"{index.location}/", "")))
    except OSError as error:
        raise OutputError(f"{index.location}: cannot store a file ({error.strerror})") from None


def _own_root(index: Index, folder: Path) -> None:
    """Makes the index's own folder the root of uploads. An error if another folder of that name was added."""
    engine = index.engine
    place = os.path.abspath(folder)  # noqa: PTH100
    known = next((root.path for root in every_root(engine) if root.name == FOLDER), None)
    ours = engine.stored_record(*OURS)
    if known not in (None, place) and ours is None:
        raise Conflict(f"the index contains another folder named {FOLDER!r}; add that one again with another --name")
    if ours is None:
        engine.put_record(*OURS, "server")
    if known not in (None, place):
        engine.move_root(Root(FOLDER, place))


def _read(index: Index, path: Path, settings: Settings) -> tuple[list[str], list[str]]:
    limits = Limits(
        file_bytes=settings.file_bytes,
        seconds=settings.file_seconds,
        ocr_seconds=settings.file_seconds,
        memory_bytes=settings.file_memory_bytes,
    )
    known = any(root.name == FOLDER for root in every_root(index.engine))
    options = IngestOptions(limits=limits, processes=1, retry=True)
    done = index.add(path if known else path.parent, vectors="later", options=options)
    place = f"{path.parent}/"
    return [note.replace(place, "") for note in done.notes], [failure.replace(place, "") for failure in done.failures]


def _documents(index: Index, name: str) -> tuple[str, ...]:
    return tuple(record.id for record in index.engine.records_of(FOLDER, name))


def _write(path: Path, data: bytes) -> None:
    """Writes a file atomically. It is on disk when this returns."""
    with atomic_file(path, durable=True, private=True) as out:
        out.write(data)


def _undo(index: Index, path: Path, earlier: bytes | None, settings: Settings) -> None:
    """Restores what was there before: the earlier file, or none."""
    _put_back(path, earlier)
    if earlier is None:
        index.engine.forget_files([(FOLDER, path.name)])
    else:
        _read(index, path, settings)


def _put_back(path: Path, earlier: bytes | None) -> None:
    if earlier is None:
        path.unlink(missing_ok=True)
    else:
        _write(path, earlier)
