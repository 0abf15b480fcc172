"""A consistent view of an index: its shelves, what was added since, and what is gone, at one generation."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pincite.errors import DataError, UsageError
from pincite.index.records import Listed
from pincite.index.shelf_files import OpenShelf, UnitRows, open_shelf
from pincite.index.store import ShelfRow, Store
from pincite.index.unit_rows import StoredVectors
from pincite.retrieve.shelf import Entry, Flags, Shelf
from pincite.retrieve.shelves import Held, Shelves
from pincite.text import Filter
from pincite.text.filter import DATE, PARTIES, PARTY

MOST_CHARACTERS = 64_000_000
"""So much text is kept in memory of the documents that hits were lately made of."""


class Replaced(DataError):  # noqa: N818
    """A shelf was replaced by a writer while it was being opened: look again."""


class Texts:
    """Documents with their units, brought from the truth when they are needed, the latest kept."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._held: OrderedDict[int, Held] = OrderedDict()
        self._characters = 0

    def __call__(self, number: int) -> Held:
        if number in self._held:
            self._held.move_to_end(number)
            return self._held[number]
        entry = self.store.entry(number)
        if entry is None:
            raise DataError(f"document number {number} is gone; ask again")
        held = Held(entry.document, entry.units)
        self._held[number] = held
        self._characters += len(held.document.text)
        while self._characters > MOST_CHARACTERS and len(self._held) > 1:
            _, dropped = self._held.popitem(last=False)
            self._characters -= len(dropped.document.text)
        return held


class Catalogue:
    """The documents by their places on the shelves, None for one that is gone, and what filters see of them."""

    def __init__(self, listed: Sequence[Listed | None]) -> None:
        self.listed = listed

    @cached_property
    def places(self) -> dict[str, int]:
        return {entry.id: place for place, entry in enumerate(self.listed) if entry}

    @cached_property
    def described(self) -> list[dict[str, str]]:
        return [entry.described if entry else {} for entry in self.listed]

    @cached_property
    def keys(self) -> set[str]:
        return {key for said in self.described for key in said} | {PARTY, PARTIES, DATE, "kind"}

    def admitted(self, where: Filter | None) -> Flags | None:
        """For every place, whether `where` admits its document; an unknown key is an error that lists the known."""
        if where is None:
            return None
        for key in where.metadata:
            if key not in self.keys:
                raise UsageError(f"no document has the key {key!r}; the known ones are: {', '.join(sorted(self.keys))}")
        admitted = np.zeros(len(self.listed), dtype=np.bool_)
        if where.documents:
            asked = [self.places[name] for name in where.documents if name in self.places]
        else:
            asked = list(self.places.values())
        plain = not (where.metadata or where.after or where.before)
        for place in asked:
            entry = self.listed[place]
            admitted[place] = entry is not None and (plain or where.fits(entry.id, self.described[place]))
        return admitted


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Everything a search needs but the texts; documents are numbered as on the shelves."""

    generation: int
    shelves: Shelves
    numbers: tuple[int, ...]
    """For every place on the shelves, the number of its document in the truth."""
    catalogue: Catalogue
    vectors: StoredVectors
    opened: tuple[OpenShelf, ...]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, store: Store, texts: Texts, earlier: "View | None" = None) -> "View":
        """The view of the store's present state; call it inside `store.reading()`. Shelves that an earlier view has
        open already are used again; one that cannot be trusted is made anew in memory."""
        listed = {entry.number: entry for entry in store.listed()}
        known = {held.row.name: held for held in earlier.opened} if earlier else {}
        opened, notes = [], []
        for row in store.shelves():
            try:
                held = known.get(row.name)
                opened.append(held if held and held.row == row else open_shelf(store.folder, row))
            except DataError as error:
                if not _still_there(store, row):
                    raise Replaced(str(error)) from None
                notes.append(f"a snapshot is made anew in memory ({error}); 'pincite index check --repair' writes it")
        shelved = {number for held in opened for number in held.row.documents}
        recent = [number for number in listed if number not in shelved]
        shelves: list[Shelf] = [held.shelf for held in opened]
        rows: list[UnitRows | None] = [held.rows for held in opened]
        if recent:
            shelf, recent = _recent(store, recent, earlier, notes)
            shelves.append(shelf)
            rows.append(None)
        numbers = (*(number for held in opened for number in held.row.documents), *recent)
        found = tuple(listed.get(number) for number in numbers)
        keys = [(entry.sha256, entry.id) if entry else ("", "") for entry in found]
        gone = np.array([entry is None for entry in found], dtype=np.bool_)
        all_shelves = Shelves(shelves, keys, lambda place: texts(numbers[place]), gone)
        with_vectors = np.array([bool(entry and entry.has_vectors) for entry in found], dtype=np.bool_)
        vectors = StoredVectors(all_shelves, rows, numbers, store, with_vectors)
        return cls(store.generation, all_shelves, numbers, Catalogue(found), vectors, tuple(opened), tuple(notes))

    @property
    def listed(self) -> Sequence[Listed | None]:
        return self.catalogue.listed

    @property
    def recent(self) -> tuple[int, ...]:
        """The documents that lie on no shelf of the disk yet."""
        return self.numbers[sum(len(held.row.documents) for held in self.opened) :]


def _recent(store: Store, numbers: Sequence[int], earlier: View | None, notes: list[str]) -> tuple[Shelf, list[int]]:
    """A shelf in memory of the documents that lie on none; the earlier one if they are the same. A damaged document is
    left out, and a note says so."""
    if earlier and earlier.recent == tuple(numbers) and len(earlier.shelves.shelves) > len(earlier.opened):
        return earlier.shelves.shelves[-1], list(numbers)
    kept: list[int] = []

    def entries() -> Iterator[Entry]:
        for number in numbers:
            try:
                entry = store.entry(number)
            except DataError as error:
                notes.append(str(error))
                continue
            if entry is not None:
                kept.append(number)
                yield entry

    return Shelf.build(entries()), kept


def _still_there(store: Store, row: ShelfRow) -> bool:
    """Whether the truth still has a shelf as it was: a writer may have replaced it since our transaction began."""
    fresh = Store(store.folder)
    try:
        return row in fresh.shelves()
    finally:
        fresh.close()
