"""Reads every document of a folder, in a fixed order, and says which ones could not be read."""

import os
from dataclasses import dataclass
from pathlib import Path

from pincite.documents.failures import Unreadable
from pincite.documents.formats import SUFFIX_FORMATS
from pincite.documents.workers import read_files
from pincite.errors import DataError, one_of
from pincite.text import Document

UNREADABLE = ("refuse", "skip")
SUFFIXES = tuple(SUFFIX_FORMATS)
INDEX_FILE = "truth.sqlite"
"""A folder with such a file is an index of ours, and no folder of documents."""


@dataclass(frozen=True, slots=True)
class FolderContents:
    """What a folder gave: the documents, and a line for each file that was left out and why."""

    documents: tuple[Document, ...]
    skipped: tuple[str, ...] = ()


def read_folder(root: Path, *, prefix: str = "", unreadable: str = "refuse") -> FolderContents:
    """The documents below `root`, by path. An id is the path below `root`, behind `prefix`.

    A file that cannot be read stops the work, unless `unreadable` is "skip": then it is named in `skipped`.
    """
    if unreadable not in UNREADABLE:
        raise one_of("way with unreadable files", unreadable, UNREADABLE)
    if not root.is_dir():
        raise DataError(f"{root}: no such folder; name a folder with the documents in it")
    documents: list[Document] = []
    skipped: list[str] = []
    files = [(path, prefix + name) for path, name in files_below(root) if path.suffix.lower() in SUFFIXES]
    for reading in read_files(files):
        if reading.failures and unreadable == "refuse":
            first = reading.failures[0]
            advice = f"{first.advice}; or leave such files out with --unreadable skip"
            raise Unreadable(first.name, first.reason, advice)
        documents += reading.documents
        skipped += map(str, reading.failures)
    if not documents:
        left_out = f" ({len(skipped)} could not be read)" if skipped else ""
        raise DataError(f"{root}: no documents found{left_out}; documents end in {', '.join(SUFFIXES)}")
    return FolderContents(tuple(documents), tuple(skipped))


def files_below(root: Path, closed: list[str] | None = None) -> list[tuple[Path, str]]:
    """All files below a folder but hidden ones, each with its path below `root`, sorted by that.

    A link to a file counts as the file; links to folders are not followed, so that a loop of them has an end. An index
    is not walked into. Folders that cannot be opened are named in `closed`; without such a list they are an error.
    """
    found: list[tuple[Path, str]] = []

    def cannot_open(error: OSError) -> None:
        folder = Path(error.filename or root)
        if closed is None:
            raise DataError(f"{folder}: the folder cannot be opened ({error.strerror}); check that you may read it")
        closed.append(folder.relative_to(root).as_posix() if folder != root else "")

    for folder, folders, names in os.walk(root, onerror=cannot_open):
        if INDEX_FILE in names:
            folders.clear()
            continue
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = Path(folder, name)
            try:
                if not name.startswith(".") and path.is_file():
                    found.append((path, path.relative_to(root).as_posix()))
            except OSError as error:
                cannot_open(error)
    return sorted(found, key=lambda file: file[1])
