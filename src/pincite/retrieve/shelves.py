"""Several shelves searched as one, with the statistics of all of them, and without the documents that are gone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pincite.retrieve.postings import Postings
from pincite.retrieve.shelf import Entry, Flags, Shelf
from pincite.retrieve.stretches import Stretches, inside, places_in
from pincite.text import Collection, Document
from pincite.text.stems import stems
from pincite.text.units import Units

Array = NDArray[np.float64]
Key = tuple[str, str]

LIGHT = 0.1
"""The lightest terms, up to this share of all weight, are left out when likely documents are looked for."""

MOST_REMEMBERED = 50_000
"""So many terms are remembered with their numbers."""


class Held(NamedTuple):
    """A document with its units, brought from wherever the documents are kept."""

    document: Document
    units: Units


@dataclass(frozen=True, slots=True, eq=False)
class Looked:
    """The documents that are looked into, and their units, one after the other.

    `documents` are places among all documents, in order; `owners` says for each unit which of `documents` holds it.
    """

    documents: NDArray[np.int64]
    sizes: NDArray[np.int64]
    owners: NDArray[np.int64]
    firsts: NDArray[np.int64]
    """Where the units of each document begin among the units looked at."""

    def __len__(self) -> int:
        """The number of units."""
        return len(self.owners)

    def place(self, at: int) -> tuple[int, int]:
        """The document of a unit, and the unit's number in it."""
        owner = int(self.owners[at])
        return int(self.documents[owner]), at - int(self.firsts[owner])


class Shelves:
    """Documents are numbered through all shelves. `gone` flags those that are no longer there.

    `load` brings a document with its units when a hit is made of it; nothing else needs its text.
    """

    def __init__(
        self, shelves: Sequence[Shelf], keys: Sequence[Key], load: Callable[[int], Held], gone: Flags | None = None
    ) -> None:
        self.shelves = tuple(shelves)
        self.keys = keys
        self.load = load
        self.first_document = np.cumsum([0, *(len(shelf) for shelf in self.shelves)])
        self.alive = np.ones(len(self), dtype=np.bool_) if gone is None else ~gone
        self._any_gone = bool(not self.alive.all())
        self._numbers: dict[str, tuple[int | None, ...]] = {}
        self._norms: dict[tuple[int, float, float], NDArray[np.float32]] = {}

    @classmethod
    def of(cls, collection: Collection, entries: Sequence[Entry]) -> "Shelves":
        """A collection in memory on one shelf."""
        held = [Held(entry.document, entry.units) for entry in entries]
        return cls([Shelf.build(entries)], collection.keys, held.__getitem__)

    def __len__(self) -> int:
        """The number of documents, with those that are gone."""
        return int(self.first_document[-1])

    @cached_property
    def document_count(self) -> int:
        return int(np.count_nonzero(self.alive))

    @cached_property
    def unit_count(self) -> int:
        return int(sum(np.diff(shelf.first_unit)[self._alive(at)].sum() for at, shelf in enumerate(self.shelves)))

    @cached_property
    def mean_length(self) -> float:
        total = sum(
            int(shelf.units.lengths.sum())
            - sum(int(shelf.units.lengths[a:b].sum()) for a, b in self._gone(at, shelf.first_unit))
            for at, shelf in enumerate(self.shelves)
        )
        return max(1.0, total / max(1, self.unit_count))

    def _alive(self, shelf: int) -> Flags:
        return self.alive[self.first_document[shelf] : self.first_document[shelf + 1]]

    def _gone(self, shelf: int, first: NDArray[np.int64]) -> NDArray[np.int64]:
        """The stretches of units (or frames) of a shelf whose documents are gone; `first` says where each begins."""
        if not self._any_gone:
            return np.zeros((0, 2), dtype=np.int64)
        gone = np.flatnonzero(~self._alive(shelf))
        return np.stack((first[gone], first[gone + 1]), axis=1)

    def numbers(self, term: str) -> tuple[int | None, ...]:
        """For every shelf, the number of a term among the terms of its units."""
        if term not in self._numbers:
            if len(self._numbers) > MOST_REMEMBERED:
                self._numbers.clear()
            self._numbers[term] = tuple(shelf.units.terms.get(term) for shelf in self.shelves)
        return self._numbers[term]

    def frequency(self, term: str) -> int:
        """In how many units a term occurs."""
        return self._counted(term)[0]

    def idf(self, term: str) -> float:
        found = self.frequency(term)
        return float(np.log1p((self.unit_count - found + 0.5) / (found + 0.5)))

    def knows(self, term: str) -> bool:
        """Whether a term occurs in any unit, or in what stands above any."""
        return self.frequency(term) > 0 or any(
            self._occurs_above(at, shelf, term) for at, shelf in enumerate(self.shelves)
        )

    def share_with(self, word: str) -> float:
        """In what share of the documents a word stands."""
        found = 0
        for stem in stems(word):
            found = self._counted(stem)[1]
        return found / max(1, self.document_count)

    def _counted(self, term: str) -> tuple[int, int]:
        """In how many units, and in how many documents, a term occurs; without those that are gone."""
        units = documents = 0
        for at, (shelf, number) in enumerate(zip(self.shelves, self.numbers(term), strict=True)):
            if number is None:
                continue
            units += int(shelf.units.first[number + 1] - shelf.units.first[number])
            documents += int(shelf.documents_with[number])
            gone = self._gone(at, shelf.first_unit)
            if len(gone):
                places = places_in(shelf.units.of(number)[0], gone)
                lost = places[:, 1] - places[:, 0]
                units -= int(lost.sum())
                documents -= int(np.count_nonzero(lost))
        return units, documents

    def _occurs_above(self, at: int, shelf: Shelf, term: str) -> bool:
        number = shelf.frames.terms.get(term)
        if number is None:
            return False
        frames = shelf.frames.of(number)[0]
        places = places_in(frames, self._gone(at, shelf.first_frame))
        return len(frames) > int((places[:, 1] - places[:, 0]).sum())

    def size(self, document: int) -> int:
        """The number of units of a document."""
        at = int(np.searchsorted(self.first_document, document, side="right")) - 1
        local = document - int(self.first_document[at])
        first = self.shelves[at].first_unit
        return int(first[local + 1] - first[local])

    def look(self, documents: Sequence[int]) -> Looked:
        """The units of these documents; documents that are gone are left out."""
        chosen = np.array(sorted(documents), dtype=np.int64)
        chosen = chosen[self.alive[chosen]]
        edges = [(shelf.first_unit[local + 1] - shelf.first_unit[local]) for shelf, local, _ in self._by_shelf(chosen)]
        sizes = np.concatenate([np.zeros(0, np.int64), *edges])
        firsts = np.cumsum(sizes) - sizes
        return Looked(chosen, sizes, np.repeat(np.arange(len(chosen)), sizes), firsts)

    def _by_shelf(self, documents: NDArray[np.int64]) -> list[tuple[Shelf, NDArray[np.int64], slice]]:
        """Each shelf with the documents (numbered in it) that it holds of these, and which of these they are."""
        cuts = np.searchsorted(documents, self.first_document)
        return [
            (shelf, documents[low:high] - self.first_document[at], slice(int(low), int(high)))
            for at, (shelf, low, high) in enumerate(zip(self.shelves, cuts[:-1], cuts[1:], strict=True))
            if high > low
        ]

    def stretches(self, looked: Looked) -> list[Stretches]:
        """Where the units that are looked at stand on each shelf."""
        found = []
        for shelf, local, window in self._by_shelf(looked.documents):
            first = looked.firsts[window]
            found.append(Stretches(shelf, shelf.first_unit[local], shelf.first_unit[local + 1], first, local))
        return found

    def count(self, term: str, stretches: Sequence[Stretches], own: Array, above: Array) -> None:
        """Writes how often a term occurs in each unit, and 1 where it occurs in what stands above the unit."""
        for stretch in stretches:
            stretch.count(term, own, above)

    def lengths(self, looked: Looked, stretches: Sequence[Stretches]) -> Array:
        """The number of tokens of each unit."""
        found = np.zeros(len(looked))
        for stretch in stretches:
            stretch.lengths(found)
        return found

    def defining(self, term: str, looked: Looked, stretches: Sequence[Stretches]) -> Array:
        """1 for each unit that defines the term."""
        found = np.zeros(len(looked))
        for stretch in stretches:
            stretch.mark(stretch.shelf.defined, term, found)
        return found

    def units_with(self, terms: Sequence[str]) -> NDArray[np.int64]:
        """The documents in which some unit holds all of these terms."""
        found = []
        for at, shelf in enumerate(self.shelves):
            numbers = [shelf.units.terms.get(term) for term in terms]
            if not numbers or None in numbers:
                continue
            lists = sorted((shelf.units.of(number)[0] for number in numbers if number is not None), key=len)
            both = lists[0]
            for other in lists[1:]:
                both = both[inside(both, other)]
            owners = np.unique(np.searchsorted(shelf.first_unit, both, side="right") - 1)
            found.append(owners + self.first_document[at])
        documents: NDArray[np.int64] = np.concatenate([np.zeros(0, np.int64), *found])
        return np.compress(self.alive[documents], documents)

    def likely(
        self, tokens: Sequence[str], k1: float, b: float, units: int, admitted: Flags | None
    ) -> list[tuple[int, float]]:
        """The documents of the units that BM25 ranks first, each with its best score, best first."""
        known = [term for term in dict.fromkeys(tokens) if self.frequency(term)]
        weights = _weighty({term: tokens.count(term) * self.idf(term) for term in known})
        allowed = self.alive if admitted is None else self.alive & admitted
        best: list[tuple[int, float]] = []
        for at, shelf in enumerate(self.shelves):
            scores = self._bm25(at, weights, k1, b)
            kept = allowed[self.first_document[at] : self.first_document[at + 1]]
            if not kept.all():
                scores[np.repeat(~kept, np.diff(shelf.first_unit))] = 0
            places = _greatest(scores, units)
            if len(places):
                owners = np.searchsorted(shelf.first_unit, places, side="right") - 1 + self.first_document[at]
                firsts = np.flatnonzero(np.append(True, owners[1:] != owners[:-1]))
                top = np.maximum.reduceat(scores[places], firsts)
                best += zip(owners[firsts].tolist(), top.tolist(), strict=True)
        return sorted(best, key=lambda found: (-found[1], self.keys[found[0]]))

    def _bm25(self, at: int, weights: dict[str, float], k1: float, b: float) -> NDArray[np.float32]:
        postings = self.shelves[at].units
        scores = np.zeros(len(postings), dtype=np.float32)
        norms = self._length_part(at, postings, k1, b)
        for term, weight in weights.items():
            number = self.numbers(term)[at]
            if number is not None:
                units, counts = postings.of(number)
                gain = counts.astype(np.float32)
                gain /= gain + norms[units]
                gain *= np.float32(weight)
                scores[units] += gain
        return scores

    def _length_part(self, at: int, postings: Postings, k1: float, b: float) -> NDArray[np.float32]:
        key = (at, k1, b)
        if key not in self._norms:
            norm = k1 * (1 - b + b * postings.lengths / self.mean_length)
            self._norms = {other: kept for other, kept in self._norms.items() if other[1:] == key[1:]}
            self._norms[key] = norm.astype(np.float32)
        return self._norms[key]

    def tie_places(self, looked: Looked) -> NDArray[np.int64]:
        """For every unit, its document's place by what it says: what decides between equal scores, before the start."""
        documents = looked.documents.tolist()
        place = np.empty(len(documents), dtype=np.int64)
        place[sorted(range(len(documents)), key=lambda at: self.keys[documents[at]])] = np.arange(len(documents))
        return place[looked.owners]


def _weighty(weights: dict[str, float]) -> dict[str, float]:
    """The terms without the lightest ones, which together weigh a tenth of all: they have the longest lists and decide
    little about which documents are looked into."""
    spare = LIGHT * sum(weights.values())
    for term in sorted(weights, key=lambda term: (weights[term], term)):
        spare -= weights[term]
        if spare < 0:
            break
        weights = {other: weight for other, weight in weights.items() if other != term}
    return weights


def _greatest(scores: NDArray[np.float32], count: int) -> NDArray[np.int64]:
    """The places of the greatest scores above 0; more than `count` where the last ones tie."""
    if len(scores) <= count:
        return np.flatnonzero(scores > 0)
    blocks = len(scores) // 64
    bound = np.float32(0)
    if blocks > count:
        greatest = scores[: blocks * 64].reshape(blocks, 64).max(axis=1)
        bound = np.partition(greatest, blocks - count)[blocks - count]
    places = np.flatnonzero(scores >= bound) if bound > 0 else np.flatnonzero(scores > 0)
    if len(places) > count:
        bound = np.partition(scores[places], len(places) - count)[len(places) - count]
        places = places[scores[places] >= bound]
    return places
