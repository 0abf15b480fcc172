"""Which documents lie on which shelf: recent ones are shelved, small shelves merged, bad ones made anew."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from pincite.index.array_file import checksum
from pincite.index.shelf_files import (
    OpenShelf,
    merge_shelves,
    remove_unknown_files,
    write_shelf,
    write_vectors,
)
from pincite.index.store import SHELVES, ShelfRow, Store
from pincite.index.view import View
from pincite.retrieve.shelf import Flags, Shelf

RECENT = 400_000
"""Up to so many characters are left unshelved: a search shelves them in memory, in a few hundredths of a second."""

MISSING = 2_000
"""Up to so many vectors of a shelf's units are read from the truth; with more, the shelf's are written anew."""
HALF = 0.5

MOST_AT_ONCE = 100_000
"""A new shelf takes about so many units; the shelves are then merged."""

RATIO = 12
"""A shelf that has at least this part of the next larger one's units is merged with it: few shelves, little work."""

GONE = 0.25
"""A shelf with a greater share of units that are gone is written anew."""


class Shelving:
    """Changes the shelves of an index; only its one writer does."""

    def __init__(self, store: Store, view: View) -> None:
        self.store = store
        self.view = view

    def tidy(self, look_again: Callable[[], View], *, more_to_come: bool = False) -> None:
        """Shelves recent documents if they are many, brings missing vectors in, and merges what has become small.

        Where more vectors are to come soon, a shelf waits for half of its own.
        """
        self._drop_untrusted()
        counts = {entry.number: entry.unit_count for entry in self.view.listed if entry}
        waiting = list(self.view.recent)
        characters = {entry.number: entry.characters for entry in self.view.listed if entry}
        if sum(characters[number] for number in waiting) > RECENT:
            for batch in _cut(waiting, counts):
                self._replace([], [self._shelved(batch)])
            self.view = look_again()
        for held in self.view.opened:
            if self._lacks_vectors(held, HALF if more_to_come else 0.0):
                sizes = np.diff(held.shelf.first_unit).tolist()
                self._replace([held.row], [write_vectors(self.store, held.row, sizes, self._name())])
        self.view = look_again()
        while group := self._to_merge():
            kept = [(held, self._kept(held)) for held in group]
            self._replace([held.row for held in group], [merge_shelves(self.store, self._name(), kept)])
            self.view = look_again()

    def rewrite_with_gone(self) -> None:
        """Writes every shelf anew that still holds something of a document that is gone."""
        self._drop_untrusted()
        for held in self.view.opened:
            kept = self._kept(held)
            if not kept.all():
                self._replace(
                    [held.row], [merge_shelves(self.store, self._name(), [(held, kept)])] if kept.any() else []
                )
        remove_unknown_files(self.store)

    def repair(self) -> None:
        """Makes every shelf anew whose files are not what was written, from the truth."""
        bad = [row for row in self.store.shelves() if not _as_written(self.store, row)]
        counts = {entry.number: entry.unit_count for entry in self.view.listed if entry}
        for row in bad:
            documents = [number for number in row.documents if number in counts]
            self._replace([row], [self._shelved(documents)] if documents else [])
        remove_unknown_files(self.store)

    def _drop_untrusted(self) -> None:
        """Forgets shelves that could not be opened: their documents are recent again."""
        opened = {held.row.name for held in self.view.opened}
        self._replace([row for row in self.store.shelves() if row.name not in opened], [])

    def _replace(self, old: Sequence[ShelfRow], new: Sequence[ShelfRow]) -> None:
        """Puts new shelves in the place of old ones, in one change; the files of the old ones are then deleted."""
        if not old and not new:
            return
        with self.store.writing():
            self.store.delete_shelves(row.name for row in old)
            for row in new:
                self.store.put_shelf(row)
        remove_unknown_files(self.store)

    def _shelved(self, numbers: Sequence[int]) -> ShelfRow:
        with self.store.reading():
            entries = (self.store.entry(number) for number in numbers)
            shelf = Shelf.build(entry for entry in entries if entry is not None)
            return write_shelf(self.store, self._name(), shelf, numbers)

    def _lacks_vectors(self, held: OpenShelf, share: float) -> bool:
        """Whether the truth has many more vectors for a shelf than its files, and more than a share of its units."""
        with_vectors = {entry.number for entry in self.view.listed if entry and entry.has_vectors}
        truth = np.array([number in with_vectors for number in held.row.documents], dtype=np.bool_)
        known = np.zeros(len(truth), dtype=np.bool_) if held.rows is None else held.rows.known
        missing = int(np.diff(held.shelf.first_unit)[truth & ~known].sum())
        return missing > max(MISSING, share * held.row.units)

    def _to_merge(self) -> list[OpenShelf]:
        """The shelves to be merged next: two of like size, or one with much that is gone."""
        by_size = sorted(self.view.opened, key=lambda held: held.row.units)
        for held in by_size:
            gone = int(np.diff(held.shelf.first_unit)[~self._kept(held)].sum())
            if gone > GONE * held.row.units:
                return [held]
        for small, large in pairwise(by_size):
            if RATIO * small.row.units >= large.row.units:
                return [small, large]
        return []

    def _kept(self, held: OpenShelf) -> Flags:
        """Which documents of a shelf are still there."""
        there = {entry.number for entry in self.view.listed if entry}
        return np.array([number in there for number in held.row.documents], dtype=np.bool_)

    def _name(self) -> str:
        """A name that no shelf had before."""
        return f"{self.store.generation + 1:010d}"


def _cut(numbers: Sequence[int], counts: dict[int, int]) -> list[list[int]]:
    batches: list[list[int]] = [[]]
    units = 0
    for number in numbers:
        if units > MOST_AT_ONCE:
            batches.append([])
            units = 0
        batches[-1].append(number)
        units += counts[number]
    return batches


def _as_written(store: Store, row: ShelfRow) -> bool:
    try:
        return all(checksum(store.folder / SHELVES / name) == written for name, written in row.files.items())
    except OSError:
        return False
