"""Where a search finds the vectors of units: in the shelves' files, else in the truth."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pincite.index.packing import Codes, Scales
from pincite.index.shelf_files import APPROXIMATE_FROM, UnitRows
from pincite.index.store import Store
from pincite.models import Vectors
from pincite.retrieve.shelf import Flags
from pincite.retrieve.shelves import Looked, Shelves
from pincite.retrieve.unit_vectors import DECIMALS

EXACT_UP_TO = APPROXIMATE_FROM
"""So many units are compared one by one; beyond, the shelves' approximate indexes answer."""
MOST_RECENT = 50_000
"""So many vectors that are in no shelf's file are kept in memory."""
CHUNK = 2048
"""Rows turned into floats at once: what the processor's cache holds."""


class StoredVectors:
    """The vectors of the documents on some shelves, with what each shelf has on disk."""

    def __init__(
        self,
        shelves: Shelves,
        rows: Sequence[UnitRows | None],
        numbers: Sequence[int],
        store: Store,
        with_vectors: Flags,
    ) -> None:
        self.shelves = shelves
        self.rows = rows
        self.numbers = numbers
        self.store = store
        self.with_vectors = with_vectors & shelves.alive
        """Which documents have vectors in the truth."""
        self._recent: dict[int, tuple[Codes, Scales]] = {}

    def cosines(self, looked: Looked, questions: Vectors) -> tuple[NDArray[np.float64], Flags]:
        found = np.zeros((len(looked), len(questions)))
        known = np.zeros(len(looked), dtype=np.bool_)
        for at, document in enumerate(looked.documents.tolist()):
            held = self._of(document)
            if held is not None:
                window = slice(int(looked.firsts[at]), int(looked.firsts[at] + looked.sizes[at]))
                found[window] = compared(*held, questions)
                known[window] = True
        return np.round(found, DECIMALS), known

    def nearest(self, question: Vectors, units: int, admitted: Flags | None) -> list[tuple[int, float]]:
        allowed = self.with_vectors if admitted is None else self.with_vectors & admitted
        sizes = self._sizes
        best: dict[int, float] = {}
        exact = int(sizes[allowed].sum()) <= EXACT_UP_TO
        for at, rows in enumerate(self.rows):
            first, last = int(self.shelves.first_document[at]), int(self.shelves.first_document[at + 1])
            if rows is not None and rows.neighbours is not None and not exact:
                self._approximate(at, rows, question, units, allowed[first:last], best)
                left = np.flatnonzero(allowed[first:last] & ~rows.known) + first
            else:
                left = np.flatnonzero(allowed[first:last]) + first
            self._exact(at, rows, question, left, best)
        ranked = sorted(best.items(), key=lambda found: (-found[1], self.shelves.keys[found[0]]))
        return ranked[:units]

    def _exact(
        self, at: int, rows: UnitRows | None, question: Vectors, documents: NDArray[np.int64], best: dict[int, float]
    ) -> None:
        """The best cosine of each of these documents of a shelf, by comparing every unit."""
        shelf, first = self.shelves.shelves[at], int(self.shelves.first_document[at])
        if rows is not None and rows.known.all() and 2 * len(documents) > len(shelf):
            cosines = np.append(compared(rows.codes, rows.scales, question[None, :])[:, 0], -1.0)
            greatest = np.maximum.reduceat(cosines, shelf.first_unit[:-1])
            filled = documents[np.diff(shelf.first_unit)[documents - first] > 0]
            best.update(zip(filled.tolist(), greatest[filled - first].tolist(), strict=True))
            return
        for document in documents.tolist():
            held = self._of(document)
            if held is not None and len(held[0]):
                best[document] = float(compared(*held, question[None, :]).max())

    def _approximate(
        self, at: int, rows: UnitRows, question: Vectors, units: int, allowed: Flags, best: dict[int, float]
    ) -> None:
        assert rows.neighbours is not None
        shelf, first = self.shelves.shelves[at], int(self.shelves.first_document[at])
        among = None if allowed[rows.known].all() else np.repeat(allowed, np.diff(shelf.first_unit))
        places = rows.neighbours.nearest(question, units, rows.codes, rows.scales, among)
        cosines = compared(rows.codes[places], rows.scales[places], question[None, :])[:, 0]
        owners = np.searchsorted(shelf.first_unit, places, side="right") - 1
        for owner, cosine in zip(owners.tolist(), cosines.tolist(), strict=True):
            best[owner + first] = max(cosine, best.get(owner + first, -1.0))

    @property
    def _sizes(self) -> NDArray[np.int64]:
        return np.concatenate([np.zeros(0, np.int64), *(np.diff(shelf.first_unit) for shelf in self.shelves.shelves)])

    def _of(self, document: int) -> tuple[Codes, Scales] | None:
        at = int(np.searchsorted(self.shelves.first_document, document, side="right")) - 1
        rows, local = self.rows[at], document - int(self.shelves.first_document[at])
        if rows is not None and rows.known[local]:
            first = self.shelves.shelves[at].first_unit
            window = slice(int(first[local]), int(first[local + 1]))
            return rows.codes[window], rows.scales[window]
        if document not in self._recent:
            held = self.store.vectors(self.numbers[document]) if self.with_vectors[document] else None
            if held is None:
                return None
            if sum(len(codes) for codes, _ in self._recent.values()) > MOST_RECENT:
                self._recent.clear()
            self._recent[document] = held
        return self._recent[document]


def compared(codes: Codes, scales: Scales, questions: Vectors) -> NDArray[np.float64]:
    """The cosine of every row with every question."""
    found = np.zeros((len(codes), len(questions)))
    for first in range(0, len(codes), CHUNK):
        window = slice(first, first + CHUNK)
        found[window] = (codes[window].astype(np.float32) @ questions.T) * scales[window, None]
    return found
