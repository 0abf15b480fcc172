"""The files that a server was given: they lie with the index and belong to its documents."""

from collections.abc import Iterable

from pincite.engine.contract import Engine, every_file
from pincite.engine.records import storable
from pincite.errors import OutputError

FOLDER = "uploads"
"""The area of uploads among the originals of an index. Ids of uploaded documents begin with it."""


OURS = ("root", FOLDER)
"""The record that marks the root of that name as the server's, even after the index was moved."""


def delete_uploads(engine: Engine, removed: Iterable[str]) -> None:
    """Deletes the uploaded files of removed documents, once nothing of them is left in the index."""
    removed = [document for document in removed if document.startswith(f"{FOLDER}/")]
    if not removed or engine.stored_record(*OURS) is None:
        return
    names = {name for document in removed for name in _files_of(document)}
    try:
        engine.originals.delete(f"{FOLDER}/{name}" for name in names if not engine.records_of(FOLDER, name))
    except OSError as error:
        raise OutputError(f"the documents are removed, their files are not ({error.strerror})") from None


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
    if engine.stored_record(*OURS) is None:
        return []
    known = {file.path for file in every_file(engine, FOLDER)}
    there = {file.name.removeprefix(f"{FOLDER}/") for file in engine.originals.files(FOLDER)}
    faults = [f"{FOLDER}/{name}: the index knows it, but its file is gone" for name in sorted(known - there)]
    unknown = sorted(there - known)
    if repair:
        engine.originals.delete(f"{FOLDER}/{name}" for name in unknown)
        return faults
    advice = "'pincite index check --repair' deletes it"
    return faults + [
        f"{FOLDER}/{storable(name)}: lies there, but the index does not know it; {advice}" for name in unknown
    ]
