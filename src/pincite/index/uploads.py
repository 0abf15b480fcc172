"""The files that a server was given: they lie in the index's own folder and belong to its documents."""

from collections.abc import Iterable
from pathlib import Path

from pincite.engine.contract import Engine
from pincite.errors import OutputError

FOLDER = "uploads"
"""The folder of uploads inside the index. Ids of uploaded documents begin with it."""


OURS = ("root", FOLDER)
"""The record that marks the root of that name as the server's, even after the index was moved."""


def delete_uploads(engine: Engine, removed: Iterable[str]) -> None:
    """Deletes the uploaded files of removed documents, once nothing of them is left in the index."""
    names = {document.split("/")[1] for document in removed if document.startswith(f"{FOLDER}/")}
    if not names or engine.stored_record(*OURS) is None:
        return
    for name in names:
        file = Path(engine.location) / FOLDER / name
        if not engine.records_of(FOLDER, name) and file.is_file():
            try:
                file.unlink()
            except OSError as error:
                raise OutputError(f"{file}: the document is removed, its file is not ({error.strerror})") from None
