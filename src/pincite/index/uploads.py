"""The files that a server was given: they lie with the index and belong to its documents."""

from collections.abc import Iterable, Iterator
from contextlib import suppress

from pincite.engine.contract import WRITER, Engine, every_file
from pincite.engine.records import storable
from pincite.errors import OutputError, PinciteError

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


def sweep_uploads(engine: Engine) -> None:
    """Deletes files that the index does not know: a process was killed after it removed their documents. The writer's
    lease is held, so that no document is stored whose file is on its way."""
    if engine.stored_record(*OURS) is not None:
        engine.originals.delete(f"{FOLDER}/{name}" for name in _strays(engine, _names(engine)))


def upload_faults(engine: Engine, *, repair: bool = False) -> list[str]:
    """Where the folder of uploads and the index do not agree: in names, or in what the files hold. `repair` deletes
    files that the index does not know: nobody was told that they are stored."""
    if engine.stored_record(*OURS) is None:
        return []
    if repair:
        sweep_uploads(engine)
        return list(_faults(engine))
    faults = list(_faults(engine))
    if faults:  # a file follows its document, and may have been on its way
        with suppress(PinciteError), engine.lease(WRITER):
            return list(_faults(engine))
    return faults


def _faults(engine: Engine) -> Iterator[str]:
    from pincite.index.jobs import every_job  # jobs know of uploads, too

    known = {file.path: file.sha256 for file in every_file(engine, FOLDER)}
    names = _names(engine)
    under_way = {job.files[at].stored for job in every_job(engine) for at in job.waiting}
    for name in sorted(known.keys() - under_way):
        if name not in names:
            yield f"{FOLDER}/{storable(name)}: the index knows it, but its file is gone; send it again"
        elif engine.originals.digest(f"{FOLDER}/{name}") != known[name]:
            yield f"{FOLDER}/{storable(name)}: its file is not what was read; send it again, or restore a backup"
    advice = "'pincite index check --repair' deletes it"
    for name in _strays(engine, names - known.keys()):
        yield f"{FOLDER}/{storable(name)}: lies there, but the index does not know it; {advice}"


def _names(engine: Engine) -> set[str]:
    """The files that lie there."""
    return {file.name.removeprefix(f"{FOLDER}/") for file in engine.originals.files(FOLDER)}


def _strays(engine: Engine, names: Iterable[str]) -> list[str]:
    """Those of some files that the index does not know. Each is looked up: what is deleted cannot be read again."""
    return [name for name in sorted(names) if engine.file(FOLDER, name) is None and not engine.records_of(FOLDER, name)]
