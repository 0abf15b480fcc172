"""Reads every document of a folder, in a fixed order, and says which ones could not be read."""

from dataclasses import dataclass
from pathlib import Path

from pincite.documents.text_file import SUFFIXES, read_text_file
from pincite.errors import DataError, one_of
from pincite.text import Document

UNREADABLE = ("refuse", "skip")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a folder gave: the documents, and a line for each file that was left out and why."""

    documents: tuple[Document, ...]
    skipped: tuple[str, ...] = ()


def read_folder(root: Path, *, prefix: str = "", unreadable: str = "refuse") -> Reading:
    """The text files below `root`, by path. An id is the path below `root`, behind `prefix`.

    A file that cannot be read stops the work, unless `unreadable` is "skip": then it is named in `skipped`.
    """
    if unreadable not in UNREADABLE:
        raise one_of("way with unreadable files", unreadable, UNREADABLE)
    if not root.is_dir():
        raise DataError(f"{root}: no such folder; name a folder with the documents (.txt files) in it")
    documents: list[Document] = []
    skipped: list[str] = []
    for path in sorted(root.rglob("*"), key=lambda p: p.relative_to(root).as_posix()):
        document_id = prefix + path.relative_to(root).as_posix()
        if path.suffix.lower() not in SUFFIXES or not path.is_file():
            continue
        try:
            documents.append(read_text_file(path, document_id))
        except DataError as error:
            if unreadable == "refuse":
                raise
            skipped.append(str(error))
    if not documents:
        left_out = f" ({len(skipped)} could not be read)" if skipped else ""
        raise DataError(f"{root}: no documents found{left_out}; text files end in {', '.join(SUFFIXES)}")
    return Reading(tuple(documents), tuple(skipped))
