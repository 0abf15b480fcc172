"""Reads every document in a folder, in a fixed order, and names the files that cannot be read."""

import os
from dataclasses import dataclass
from pathlib import Path

from pincite.documents.failures import Unreadable
from pincite.documents.formats import SUFFIX_FORMATS
from pincite.documents.workers import read_files
from pincite.errors import DataError, one_of
from pincite.text import Document

UNREADABLE = ("refuse", "skip")
"""What `read_folder` can do with a file that it cannot read."""
INDEX_FILE = "truth.sqlite"
"""Marks a folder as a Pincite index. Such a folder holds no documents to read."""


@dataclass(frozen=True, slots=True)
class FolderContents:
    """The documents in a folder, and a line for each file that was left out, with the reason."""

    documents: tuple[Document, ...]
    skipped: tuple[str, ...] = ()


def read_folder(root: Path, *, prefix: str = "", unreadable: str = "refuse") -> FolderContents:
    """Read the documents below `root`, in order of their paths. An id is `prefix` and the path below `root`.

    A file that cannot be read raises `Unreadable`. If `unreadable` is "skip", it is listed in `skipped` instead.
    """
    if unreadable not in UNREADABLE:
        raise one_of("choice for unreadable files", unreadable, UNREADABLE)
    if not root.is_dir():
        raise DataError(f"{root}: no such folder; name a folder that contains documents")
    documents: list[Document] = []
    skipped: list[str] = []
    files = [(path, prefix + name) for path, name in files_below(root) if path.suffix.lower() in SUFFIX_FORMATS]
    for reading in read_files(files):
        if reading.failures and unreadable == "refuse":
            first = reading.failures[0]
            raise Unreadable(first.name, first.reason, f"{first.advice}; or skip such files with --unreadable skip")
        documents += reading.documents
        skipped += map(str, reading.failures)
    if not documents:
        left_out = f" ({len(skipped)} could not be read)" if skipped else ""
        raise DataError(f"{root}: no documents found{left_out}; documents end in {', '.join(SUFFIX_FORMATS)}")
    return FolderContents(tuple(documents), tuple(skipped))


def files_below(
    root: Path, closed: list[str] | None = None, linked: list[str] | None = None, *, follow: bool = False
) -> list[tuple[Path, str]]:
    """All files below a folder that are not hidden, each with its path below `root`, sorted by that path.

    What cannot be read, such as a named pipe, counts as a file, too. Links are left out, and those that lead out of
    `root` or nowhere are appended to `linked`. With `follow` they are followed, a folder inside itself only once.
    Folders that hold an index are skipped. Folders that cannot be opened are appended to `closed`; without that list
    they are an error.
    """
    files: list[tuple[Path, str]] = []
    entered: dict[Path, frozenset[Path]] = {}

    def report(error: OSError) -> None:
        folder = Path(error.filename or root)
        if closed is None:
            raise DataError(f"{folder}: the folder cannot be opened ({error.strerror}); check that you may read it")
        closed.append(folder.relative_to(root).as_posix() if folder != root else "")

    for folder, folders, names in os.walk(root, onerror=report, followlinks=follow):
        if INDEX_FILE in names:
            folders.clear()
            continue
        here = Path(folder)
        shown = [here / name for name in (*folders, *names) if not name.startswith(".")]
        left_out = set() if follow else {path for path in shown if path.is_symlink()}
        if follow:  # a link to a folder that is being walked would never end
            entered[here] = entered.get(here.parent, frozenset()) | {here.resolve()}
            left_out = {path for path in shown if path.is_symlink() and _resolved(path) in entered[here]}
        elif linked is not None:
            linked += [path.relative_to(root).as_posix() for path in sorted(left_out) if _leads_out(path, root)]
        kept = {path.name for path in shown if path not in left_out}
        folders[:] = [name for name in folders if name in kept]
        files += [(here / name, (here / name).relative_to(root).as_posix()) for name in names if name in kept]
    return sorted(files, key=lambda file: file[1])


def _leads_out(path: Path, root: Path) -> bool:
    target = _resolved(path)
    return target is None or not target.exists() or not target.is_relative_to(root.resolve())


def _resolved(path: Path) -> Path | None:
    """Where a link leads; None if it leads to itself."""
    try:
        return path.resolve(strict=False)
    except (OSError, RuntimeError):
        return None
