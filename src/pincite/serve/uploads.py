"""Files that came in from outside: checked, stored beside the index, read in a process of its own, then searchable."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile

from pincite.documents.limits import Limits
from pincite.documents.part import safe_name
from pincite.documents.sniff import CONTAINERS, SUFFIX_FORMATS, container_of
from pincite.errors import OutputError, PinciteError
from pincite.index import EmbeddedEngine
from pincite.index.adding import Adding, add
from pincite.serve.failures import Conflict, NotReadable, Refused
from pincite.serve.settings import Settings

FOLDER = "uploads"
"""Inside the index's folder; the ids of what was uploaded begin with it."""
NEW = ".new-"
"""How a file is called that is not whole yet."""
OURS = "uploads"
"""Under this key the truth remembers that the root of that name is ours, wherever the index lies."""


@dataclass(frozen=True, slots=True)
class Uploaded:
    """What became of one file: added, the same as before, or failed with a reason."""

    name: str
    status: str
    documents: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    failure: Refused | None = field(default=None, compare=False)

    def to_dict(self) -> dict[str, object]:
        shape: dict[str, object] = {"name": self.name, "status": self.status, "documents": list(self.documents)}
        return {**shape, "notes": list(self.notes), "problem": str(self.failure) if self.failure else None}


def checked_name(name: str) -> str:
    """The last step of a file's name, which cannot lead out of the folder."""
    plain = safe_name(name).rsplit("/", 1)[-1].strip(". ")
    if not plain or plain == "unnamed":
        raise NotReadable("the file has no name")
    if len(plain.encode()) > 200:
        raise NotReadable("the file's name is longer than 200 bytes")
    return plain


def check_content(name: str, data: bytes) -> None:
    """Refuses what its first bytes show to be something else than its name says; nothing is opened for that."""
    promised = SUFFIX_FORMATS.get(Path(name).suffix.lower())
    if promised is None:
        raise NotReadable(f"{name}: files of that suffix are not read; those are: {', '.join(SUFFIX_FORMATS)}")
    found = container_of(data[:1024])
    if data and found != CONTAINERS.get(promised, "text"):
        raise NotReadable(f"{name}: named as {promised}, but its content is {found}; give it its own suffix")


def store(engine: EmbeddedEngine, name: str, data: bytes, settings: Settings, *, replace: bool = False) -> Uploaded:
    """Stores one file and reads it. It is on disk, whole, before it is read; one that gives nothing is taken away."""
    try:
        name = checked_name(name)
        check_content(name, data)
        folder = engine.folder / FOLDER
        folder.mkdir(mode=0o700, exist_ok=True)
        path = folder / name
        earlier = path.read_bytes() if path.is_file() else None
        if earlier is not None and sha256(earlier).digest() != sha256(data).digest() and not replace:
            raise Conflict(f"{name}: there is another file of that name; rename it, or say that it replaces the other")
        _own_root(engine, folder)
        before = _documents(engine, name)
        held = engine.files(FOLDER).get((FOLDER, name))
        if before and earlier == data and held is not None and held.sha256 == sha256(data).hexdigest():
            return Uploaded(name, "same", before)
        _write(path, data)
        try:
            found = _read(engine, path, settings)
        except BaseException:
            _put_back(path, earlier)
            raise
        documents = _documents(engine, name)
        if not documents:
            _undo(engine, path, earlier, settings)
            raise NotReadable("; ".join(found[1]) or f"{name}: nothing in it could be read")
        return Uploaded(name, "added", documents, (*found[0], *found[1]))
    except Refused as error:
        return Uploaded(name, "failed", failure=error)
    except OutputError:
        raise
    except PinciteError as error:
        return Uploaded(name, "failed", failure=NotReadable(str(error).replace(f"{engine.folder}/", "")))
    except OSError as error:
        raise OutputError(f"{engine.folder}: a file cannot be stored ({error.strerror})") from None


def forget(folder: Path, ids: Sequence[str], kept: Sequence[str]) -> None:
    """Takes the uploaded files away of which no document is left."""
    for name in {document.split("/")[1] for document in ids if document.startswith(f"{FOLDER}/")}:
        if not any(document == f"{FOLDER}/{name}" or document.startswith(f"{FOLDER}/{name}/") for document in kept):
            (folder / FOLDER / name).unlink(missing_ok=True)


def _own_root(engine: EmbeddedEngine, folder: Path) -> None:
    """The root of the uploads is where the index lies now; a folder of that name that was added is another one."""
    place, known = os.path.abspath(folder), engine.roots().get(FOLDER)  # noqa: PTH100
    if known not in (None, place) and not engine.store.meta(OURS):
        raise Conflict(f"the index holds another folder called {FOLDER!r}; add that one again under another --name")
    if known != place or not engine.store.meta(OURS):
        with engine.writing(), engine.store.writing():
            engine.store.set_meta(OURS, "1")
            engine.store.move_root(FOLDER, place)


def _read(engine: EmbeddedEngine, path: Path, settings: Settings) -> tuple[list[str], list[str]]:
    limits = Limits(
        file_bytes=settings.file_bytes, seconds=settings.file_seconds, memory_bytes=settings.file_memory_bytes
    )
    known = FOLDER in engine.roots()
    done = add(engine, path if known else path.parent, Adding(limits=limits, processes=1, retry=True))
    place = f"{path.parent}/"
    return [note.replace(place, "") for note in done.notes], [failure.replace(place, "") for failure in done.failures]


def _documents(engine: EmbeddedEngine, name: str) -> tuple[str, ...]:
    return tuple(entry.id for entry in engine.documents() if entry.root == FOLDER and entry.path == name)


def _write(path: Path, data: bytes) -> None:
    """Whole or not at all, and on the disk when this returns."""
    with NamedTemporaryFile(dir=path.parent, prefix=NEW, delete=False) as file:
        try:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise
    Path(file.name).replace(path)


def _undo(engine: EmbeddedEngine, path: Path, earlier: bytes | None, settings: Settings) -> None:
    """As it was before: the earlier file, or none."""
    _put_back(path, earlier)
    if earlier is None:
        engine.forget_files([(FOLDER, path.name)])
    else:
        _read(engine, path, settings)


def _put_back(path: Path, earlier: bytes | None) -> None:
    if earlier is None:
        path.unlink(missing_ok=True)
    else:
        _write(path, earlier)
