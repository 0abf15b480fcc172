"""Fragments on disk: caches beside the database, each verified before it is trusted."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pincite.engine.unit_vectors import Codes, Scales
from pincite.errors import DataError
from pincite.index.embedded.array_file import Arrays, checksum, open_arrays, write_arrays
from pincite.index.embedded.database import FRAGMENTS, Database, FragmentRow
from pincite.index.embedded.neighbours import Approximate
from pincite.index.embedded.settings import EmbeddedSettings
from pincite.postings.fragment import Flags, Fragment, merged_fragment

WORDS, VECTORS, NEIGHBOURS = ".words", ".vectors", ".neighbours"
"""The files of a fragment: its arrays; the vectors of its units; the approximate index over them."""


@dataclass(frozen=True, slots=True, eq=False)
class FragmentVectors:
    """The vectors of a fragment's units: a row each, and which documents have theirs."""

    codes: Codes
    scales: Scales
    known: Flags
    neighbours: Approximate | None = None


@dataclass(frozen=True, slots=True, eq=False)
class OpenFragment:
    """A fragment with the numbers of its documents, and its vectors where it has any."""

    row: FragmentRow
    fragment: Fragment
    vectors: FragmentVectors | None
    files: tuple[tuple[Path, "FileStamp"], ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether nobody has cut or rewritten the files since they were mapped into memory: to read on in such a file
        would end the process. One that was deleted or replaced by another stays as it was."""
        for path, opened in self.files:
            now = _stamp(path)
            if now is not None and now.inode == opened.inode and now != opened:
                return False
        return True


class FileStamp(NamedTuple):
    """By which a change of a file is noticed."""

    inode: int
    size: int
    modified: int


def _stamp(path: Path) -> FileStamp | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return FileStamp(found.st_ino, found.st_size, found.st_mtime_ns)


def open_fragment(folder: Path, row: FragmentRow, settings: EmbeddedSettings) -> OpenFragment:
    """The fragment as it lies on disk; a DataError where a file is missing or not the one that was written."""
    stamps = [(folder / FRAGMENTS / name, _stamp(folder / FRAGMENTS / name)) for name in row.files]
    for name, (size, crc) in row.files.items():
        path = folder / FRAGMENTS / name
        try:
            as_written = path.stat().st_size == size and (
                size > settings.checked_bytes or checksum(path) == (size, crc)
            )
        except OSError as error:
            raise DataError(f"{path}: {error.strerror}") from None
        if not as_written:
            raise DataError(f"{path}: not as it was written")
    fragment = Fragment.from_arrays(open_arrays(folder / FRAGMENTS / _file(row, WORDS)))
    if len(fragment) != len(row.documents):
        raise DataError(f"{row.name}: holds {len(fragment)} documents instead of {len(row.documents)}")
    found = None
    vectors, near = _file(row, VECTORS), _file(row, NEIGHBOURS)
    if vectors:
        arrays = open_arrays(folder / FRAGMENTS / vectors)
        neighbours = None
        if near:
            probes = int(arrays["probes"][0])
            neighbours = Approximate.open(folder / FRAGMENTS / near, probes)
        found = FragmentVectors(arrays["codes"], arrays["scales"], arrays["known"], neighbours)  # type: ignore[arg-type]
    return OpenFragment(row, fragment, found, tuple((path, stamp) for path, stamp in stamps if stamp is not None))


def write_fragment(
    database: Database, name: str, fragment: Fragment, documents: Sequence[int], settings: EmbeddedSettings
) -> FragmentRow:
    """Writes a fragment with the vectors its documents have so far; the database does not know of it yet."""
    (database.folder / FRAGMENTS).mkdir(mode=0o700, exist_ok=True)
    written = write_arrays(_path(database, name + WORDS), fragment.arrays())
    row = FragmentRow(name, tuple(documents), len(fragment.units), {name + WORDS: written})
    return write_vectors(database, row, np.diff(fragment.first_unit).tolist(), name, settings)


def write_vectors(
    database: Database, row: FragmentRow, sizes: Sequence[int], name: str, settings: EmbeddedSettings
) -> FragmentRow:
    """Writes the vectors of a fragment's units, as far as there are any, in files of that name."""
    stored = [database.vectors(number) for number in row.documents]
    known = np.array([vectors is not None for vectors in stored], dtype=np.bool_)
    if not known.any():
        return row
    dimensions = database.configuration.dimensions
    codes = np.zeros((sum(sizes), dimensions), dtype=np.int8)
    scales = np.zeros(sum(sizes), dtype=np.float32)
    place = 0
    for vectors, size in zip(stored, sizes, strict=True):
        if vectors is not None:
            codes[place : place + size], scales[place : place + size] = vectors
        place += size
    del stored
    files, probes = dict(words_alone(row).files), 0
    if len(codes) > settings.approximate_from:
        neighbours = Approximate.build(codes, scales, np.flatnonzero(np.repeat(known, sizes)))
        probes = neighbours.probes
        files[name + NEIGHBOURS] = neighbours.write(_path(database, name + NEIGHBOURS))
    arrays: Arrays = {"codes": codes, "scales": scales, "known": known, "probes": np.array([probes])}
    files[name + VECTORS] = write_arrays(_path(database, name + VECTORS), arrays)
    return row._replace(files=files)


def words_alone(row: FragmentRow) -> FragmentRow:
    """A fragment without its vectors."""
    words = _file(row, WORDS)
    return row._replace(files={words: row.files[words]})


def merge_fragments(
    database: Database, name: str, fragments: Sequence[tuple[OpenFragment, Flags]], settings: EmbeddedSettings
) -> FragmentRow:
    """One fragment of several, with those of their documents that are flagged."""
    merged = merged_fragment([(opened.fragment, kept) for opened, kept in fragments])
    documents = [
        number for opened, kept in fragments for number, keep in zip(opened.row.documents, kept, strict=True) if keep
    ]
    return write_fragment(database, name, merged, documents, settings)


def remove_unknown_files(database: Database) -> None:
    """Deletes files that the database does not name: leftovers of a writer that was stopped."""
    named = {file for row in database.fragments() for file in row.files}
    (database.folder / FRAGMENTS).mkdir(mode=0o700, exist_ok=True)
    for path in (database.folder / FRAGMENTS).iterdir():
        if path.name not in named:
            path.unlink(missing_ok=True)


def _file(row: FragmentRow, suffix: str) -> str:
    """The file of a fragment with that suffix; "" where it has none."""
    return next((name for name in row.files if name.endswith(suffix)), "")


def _path(database: Database, name: str) -> Path:
    return database.folder / FRAGMENTS / name
