"""Where a search finds the vectors of units: in the fragments' files, else in the database."""

from collections.abc import Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from pincite.engine.unit_vectors import DECIMALS, QuantisedVectors
from pincite.index.embedded.database import Database
from pincite.index.embedded.fragment_files import FragmentVectors
from pincite.models import Vectors
from pincite.postings.fragment import Flags
from pincite.postings.fragments import Fragments, UnitLayout

MOST_RECENT = 50_000
"""Vectors kept in memory that are in no fragment's file."""


class StoredVectors:
    """The vectors of the documents of some fragments, with what each fragment has on disk."""

    def __init__(
        self,
        fragments: Fragments,
        rows: Sequence[FragmentVectors | None],
        numbers: Sequence[int],
        database: Database,
        with_vectors: Flags,
        exact_up_to: int,
    ) -> None:
        self.fragments = fragments
        self.rows = rows
        self.numbers = numbers
        self.database = database
        self.with_vectors = with_vectors & fragments.alive
        self.exact_up_to = exact_up_to
        self._recent: dict[int, QuantisedVectors] = {}
        self._lock = Lock()

    def cosines(self, layout: UnitLayout, questions: Vectors) -> tuple[NDArray[np.float64], Flags]:
        found = np.zeros((len(layout), len(questions)))
        embedded = np.zeros(len(layout), dtype=np.bool_)
        for at, document in enumerate(layout.documents.tolist()):
            vectors = self._of(document)
            if vectors is not None:
                window = slice(int(layout.firsts[at]), int(layout.firsts[at] + layout.sizes[at]))
                found[window] = vectors.cosines(questions)
                embedded[window] = True
        return np.round(found, DECIMALS), embedded

    def nearest(
        self, question: Vectors, units: int, admitted: Flags, *, exact: bool = False
    ) -> list[tuple[int, float]]:
        allowed = self.with_vectors & admitted
        best: dict[int, float] = {}
        exact = exact or int(self._sizes[allowed].sum()) <= self.exact_up_to
        for at, rows in enumerate(self.rows):
            first, last = int(self.fragments.first_document[at]), int(self.fragments.first_document[at + 1])
            if rows is not None and rows.neighbours is not None and not exact:
                self._approximate(at, rows, question, units, allowed[first:last], best)
                left = np.flatnonzero(allowed[first:last] & ~rows.known) + first
            else:
                left = np.flatnonzero(allowed[first:last]) + first
            self._exact(at, rows, question, left, best)
        rounded = {place: round(cosine, DECIMALS) for place, cosine in best.items()}
        ranked = sorted(rounded.items(), key=lambda found: (-found[1], self.fragments.keys[found[0]]))
        return ranked[:units]

    def _exact(
        self,
        at: int,
        rows: FragmentVectors | None,
        question: Vectors,
        documents: NDArray[np.int64],
        best: dict[int, float],
    ) -> None:
        """The best cosine of each of these documents of a fragment, by comparing every unit."""
        fragment, first = self.fragments.fragments[at], int(self.fragments.first_document[at])
        if rows is not None and rows.known.all() and 2 * len(documents) > len(fragment):
            cosines = np.append(QuantisedVectors(rows.codes, rows.scales).cosines(question[None, :])[:, 0], -1.0)
            greatest = np.maximum.reduceat(cosines, fragment.first_unit[:-1])
            filled = documents[np.diff(fragment.first_unit)[documents - first] > 0]
            best.update(zip(filled.tolist(), greatest[filled - first].tolist(), strict=True))
            return
        for document in documents.tolist():
            vectors = self._of(document)
            if vectors is not None and len(vectors.codes):
                best[document] = float(vectors.cosines(question[None, :]).max())

    def _approximate(
        self, at: int, rows: FragmentVectors, question: Vectors, units: int, allowed: Flags, best: dict[int, float]
    ) -> None:
        assert rows.neighbours is not None
        fragment, first = self.fragments.fragments[at], int(self.fragments.first_document[at])
        among = None if allowed[rows.known].all() else np.repeat(allowed, np.diff(fragment.first_unit))
        places = rows.neighbours.nearest(question, units, rows.codes, rows.scales, among)
        cosines = QuantisedVectors(rows.codes[places], rows.scales[places]).cosines(question[None, :])[:, 0]
        owners = np.searchsorted(fragment.first_unit, places, side="right") - 1
        for owner, cosine in zip(owners.tolist(), cosines.tolist(), strict=True):
            best[owner + first] = max(cosine, best.get(owner + first, -1.0))

    @property
    def _sizes(self) -> NDArray[np.int64]:
        return np.concatenate(
            [np.zeros(0, np.int64), *(np.diff(fragment.first_unit) for fragment in self.fragments.fragments)]
        )

    def _of(self, document: int) -> QuantisedVectors | None:
        at = int(np.searchsorted(self.fragments.first_document, document, side="right")) - 1
        rows, local = self.rows[at], document - int(self.fragments.first_document[at])
        if rows is not None and rows.known[local]:
            first = self.fragments.fragments[at].first_unit
            window = slice(int(first[local]), int(first[local + 1]))
            return QuantisedVectors(rows.codes[window], rows.scales[window])
        recent = self._recent.get(document)
        if recent is None and self.with_vectors[document]:
            recent = self.database.vectors(self.numbers[document])
            if recent is not None:
                with self._lock:
                    if sum(len(vectors.codes) for vectors in self._recent.values()) > MOST_RECENT:
                        self._recent.clear()
                    self._recent[document] = recent
        return recent
