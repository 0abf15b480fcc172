"""The files that a server was given: they lie in the index's own folder and belong to its documents."""

from collections.abc import Iterable
from pathlib import Path

from pincite.engine.contract import Engine

FOLDER = "uploads"
"""The folder of uploads inside the index. Ids of uploaded documents begin with it."""


def delete_uploads(engine: Engine, removed: Iterable[str]) -> None:
    """Deletes the uploaded files of removed documents, once nothing of them is left in the index."""
    for name in {document.split("/")[1] for document in removed if document.startswith(f"{FOLDER}/")}:
        if not engine.records_of(FOLDER, name):
            (Path(engine.location) / FOLDER / name).unlink(missing_ok=True)
