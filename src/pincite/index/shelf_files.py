"""Shelves on disk: caches beside the truth, each checked before it is trusted and made anew where it does not hold."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pincite.errors import DataError
from pincite.index.approximate import Approximate
from pincite.index.array_file import Arrays, checksum, open_arrays, write_arrays
from pincite.index.packing import Codes, Scales
from pincite.index.store import SHELVES, ShelfRow, Store
from pincite.retrieve.shelf import Flags, Shelf, merged_shelf

WORDS, VECTORS, NEIGHBOURS = ".words", ".vectors", ".neighbours"
"""The files of a shelf: its arrays; the vectors of its units; the approximate index over them."""

READ_WHOLE = 64 << 20
"""A file up to this size is checked whole whenever it is opened; of a greater one the size, and all by `check`."""

APPROXIMATE_FROM = 50_000
"""Beyond so many vectors a shelf gets an approximate index."""


@dataclass(frozen=True, slots=True, eq=False)
class UnitRows:
    """The vectors of a shelf's units: a row each, and which documents have theirs."""

    codes: Codes
    scales: Scales
    known: Flags
    neighbours: Approximate | None = None


@dataclass(frozen=True, slots=True, eq=False)
class OpenShelf:
    """A shelf with the numbers of its documents, and its vectors where it has any."""

    row: ShelfRow
    shelf: Shelf
    rows: UnitRows | None


def open_shelf(folder: Path, row: ShelfRow) -> OpenShelf:
    """The shelf as it lies on disk; a DataError where a file is missing or not the one that was written."""
    for name, (size, crc) in row.files.items():
        path = folder / SHELVES / name
        try:
            as_written = path.stat().st_size == size and (size > READ_WHOLE or checksum(path) == (size, crc))
        except OSError as error:
            raise DataError(f"{path}: {error.strerror}") from None
        if not as_written:
            raise DataError(f"{path}: not as it was written")
    shelf = Shelf.from_arrays(open_arrays(folder / SHELVES / _file(row, WORDS)))
    if len(shelf) != len(row.documents):
        raise DataError(f"{row.name}: holds {len(shelf)} documents instead of {len(row.documents)}")
    rows = None
    vectors, near = _file(row, VECTORS), _file(row, NEIGHBOURS)
    if vectors:
        held = open_arrays(folder / SHELVES / vectors)
        neighbours = None
        if near:
            probes = int(held["probes"][0])
            neighbours = Approximate.open(folder / SHELVES / near, probes)
        rows = UnitRows(held["codes"], held["scales"], held["known"], neighbours)  # type: ignore[arg-type]
    return OpenShelf(row, shelf, rows)


def write_shelf(store: Store, name: str, shelf: Shelf, documents: Sequence[int]) -> ShelfRow:
    """Writes a shelf with the vectors its documents have in the truth so far; the truth does not know of it yet."""
    written = write_arrays(_path(store, name + WORDS), shelf.arrays())
    row = ShelfRow(name, tuple(documents), len(shelf.units), {name + WORDS: written})
    return write_vectors(store, row, np.diff(shelf.first_unit).tolist(), name)


def write_vectors(store: Store, row: ShelfRow, sizes: Sequence[int], name: str) -> ShelfRow:
    """Writes the vectors of a shelf's units, as far as they are made, in files of that name."""
    held = [store.vectors(number) for number in row.documents]
    known = np.array([vectors is not None for vectors in held], dtype=np.bool_)
    if not known.any():
        return row
    dimensions = store.configuration.dimensions
    codes = np.zeros((sum(sizes), dimensions), dtype=np.int8)
    scales = np.zeros(sum(sizes), dtype=np.float32)
    place = 0
    for vectors, size in zip(held, sizes, strict=True):
        if vectors is not None:
            codes[place : place + size], scales[place : place + size] = vectors
        place += size
    del held
    files, probes = dict(words_alone(row).files), 0
    if len(codes) > APPROXIMATE_FROM:
        neighbours = Approximate.build(codes, scales, np.flatnonzero(np.repeat(known, sizes)))
        probes = neighbours.probes
        files[name + NEIGHBOURS] = neighbours.write(_path(store, name + NEIGHBOURS))
    arrays: Arrays = {"codes": codes, "scales": scales, "known": known, "probes": np.array([probes])}
    files[name + VECTORS] = write_arrays(_path(store, name + VECTORS), arrays)
    return row._replace(files=files)


def words_alone(row: ShelfRow) -> ShelfRow:
    """A shelf without its vectors."""
    words = _file(row, WORDS)
    return row._replace(files={words: row.files[words]})


def merge_shelves(store: Store, name: str, shelves: Sequence[tuple[OpenShelf, Flags]]) -> ShelfRow:
    """One shelf of several, with those of their documents that are flagged."""
    merged = merged_shelf([(held.shelf, kept) for held, kept in shelves])
    documents = [
        number for held, kept in shelves for number, keep in zip(held.row.documents, kept, strict=True) if keep
    ]
    return write_shelf(store, name, merged, documents)


def remove_unknown_files(store: Store) -> None:
    """Deletes what no shelf of the truth names: leftovers of a writer that was stopped."""
    named = {file for row in store.shelves() for file in row.files}
    (store.folder / SHELVES).mkdir(exist_ok=True)
    for path in (store.folder / SHELVES).iterdir():
        if path.name not in named:
            path.unlink(missing_ok=True)


def _file(row: ShelfRow, suffix: str) -> str:
    """The file of a shelf with that suffix; "" where it has none."""
    return next((name for name in row.files if name.endswith(suffix)), "")


def _path(store: Store, name: str) -> Path:
    return store.folder / SHELVES / name
