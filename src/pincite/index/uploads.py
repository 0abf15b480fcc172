"""The files that a server was given: they lie in the index's own folder and belong to its documents."""

from collections.abc import Iterable
from pathlib import Path

from pincite.engine.contract import Engine, every_file
from pincite.engine.records import storable
from pincite.errors import OutputError

FOLDER = "uploads"
"""The folder of uploads inside the index. Ids of uploaded documents begin with it."""


OURS = ("root", FOLDER)
"""The record that marks the root of that name as the server's, even after the index was moved."""


def delete_uploads(engine: Engine, removed: Iterable[str]) -> None:
    """Deletes the uploaded files of removed documents, once nothing of them is left in the index."""
    removed = [document for document in removed if document.startswith(f"{FOLDER}/")]
    if not removed or engine.stored_record(*OURS) is None:
        return
    for name in {name for document in removed for name in _files_of(document)}:
        file = Path(engine.location) / FOLDER / name
        if not engine.records_of(FOLDER, name) and file.is_file():
            try:
                file.unlink()
            except OSError as error:
                raise OutputError(f"{file}: the document is removed, its file is not ({error.strerror})") from None


def _files_of(document_id: str) -> tuple[str, ...]:
    """The files below the folder of uploads that a document may come from: one of its own, or of a matter's folder.

    >>> _files_of("uploads/lease.txt"), _files_of("uploads/acme/box.zip/a/b.txt")
    (('lease.txt',), ('acme', 'acme/box.zip'))
    """
    parts = document_id.split("/")[1:]
    return (parts[0],) if len(parts) == 1 else (parts[0], "/".join(parts[:2]))


def upload_faults(engine: Engine, *, repair: bool = False) -> list[str]:
    """Where the folder of uploads and the index do not agree. `repair` deletes files that the index does not know:
    nobody was told that they are stored."""
    folder = Path(engine.location) / FOLDER
    if engine.stored_record(*OURS) is None:
        return []
    known = {file.path for file in every_file(engine, FOLDER)}
    files = [path for pattern in ("*", "*/*") for path in folder.glob(pattern) if path.is_file()]
    there = {path.relative_to(folder).as_posix(): path for path in files if path.name[0] != "."}
    faults = [f"{FOLDER}/{name}: the index knows it, but its file is gone" for name in sorted(known - there.keys())]
    for name in sorted(there.keys() - known):
        if repair:
            there[name].unlink()
        else:
            advice = "'pincite index check --repair' deletes it"
            faults.append(f"{FOLDER}/{storable(name)}: lies there, but the index does not know it; {advice}")
    return faults
