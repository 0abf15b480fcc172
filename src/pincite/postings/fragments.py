"""Several fragments searched as one, with the statistics of all of them, and without the documents that are gone."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pincite.postings.fragment import Flags, Fragment
from pincite.postings.postings import Places, Postings
from pincite.postings.unit_ranges import UnitRanges, inside, places_in
from pincite.text.document import DocumentKey
from pincite.text.language import Language

Array = NDArray[np.float64]

LIGHT = 0.1
"""The lightest terms, up to this share of all weight, are left out when likely documents are looked for."""

MOST_REMEMBERED = 50_000
"""Terms remembered with their numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class UnitLayout:
    """The units of some documents, one after the other.

    `documents` are places among all documents, in order; `owners` says for each unit which of `documents` holds it.
    """

    documents: Places
    sizes: Places
    owners: Places
    firsts: Places
    """Where the units of each document begin."""

    def __len__(self) -> int:
        """The number of units."""
        return len(self.owners)


class Fragments:
    """Documents are numbered through all fragments. `gone` flags those that are removed or must not be seen: no
    statistic counts them."""

    def __init__(
        self,
        fragments: Sequence[Fragment],
        keys: Sequence[DocumentKey],
        language: Language,
        gone: Flags | None = None,
    ) -> None:
        self.fragments = tuple(fragments)
        self.keys = keys
        self.language = language
        self.first_document = np.cumsum([0, *(len(fragment) for fragment in self.fragments)])
        self.alive = np.ones(len(self), dtype=np.bool_) if gone is None else ~gone
        self._any_gone = bool(not self.alive.all())
        self._numbers: dict[str, tuple[int | None, ...]] = {}
        self._norms: dict[tuple[int, float, float], NDArray[np.float32]] = {}

    def __len__(self) -> int:
        """The number of documents, with those that are gone."""
        return int(self.first_document[-1])

    @cached_property
    def document_count(self) -> int:
        return int(np.count_nonzero(self.alive))

    @cached_property
    def unit_count(self) -> int:
        return int(
            sum(np.diff(fragment.first_unit)[self._alive(at)].sum() for at, fragment in enumerate(self.fragments))
        )

    @cached_property
    def mean_length(self) -> float:
        total = sum(
            int(fragment.units.lengths.sum())
            - sum(int(fragment.units.lengths[a:b].sum()) for a, b in self._gone(at, fragment.first_unit))
            for at, fragment in enumerate(self.fragments)
        )
        return max(1.0, total / max(1, self.unit_count))

    def _alive(self, fragment: int) -> Flags:
        return self.alive[self.first_document[fragment] : self.first_document[fragment + 1]]

    def _gone(self, fragment: int, first: NDArray[np.int64]) -> NDArray[np.int64]:
        """The ranges of units (or frames) of a fragment whose documents are gone; `first` says where each begins."""
        if not self._any_gone:
            return np.zeros((0, 2), dtype=np.int64)
        gone = np.flatnonzero(~self._alive(fragment))
        return np.stack((first[gone], first[gone + 1]), axis=1)

    def numbers(self, term: str) -> tuple[int | None, ...]:
        """For every fragment, the number of a term among the terms of its units."""
        numbers = self._numbers.get(term)
        if numbers is None:
            if len(self._numbers) > MOST_REMEMBERED:
                self._numbers.clear()
            numbers = tuple(fragment.units.terms.get(term) for fragment in self.fragments)
            self._numbers[term] = numbers
        return numbers

    def frequency(self, term: str) -> int:
        """In how many units a term occurs."""
        return self._counted(term)[0]

    def idf(self, term: str) -> float:
        found = self.frequency(term)
        return float(np.log1p((self.unit_count - found + 0.5) / (found + 0.5)))

    def knows(self, term: str) -> bool:
        """Whether a term occurs in any unit, or in what stands above any."""
        return self.frequency(term) > 0 or any(
            self._occurs_above(at, fragment, term) for at, fragment in enumerate(self.fragments)
        )

    def share_with(self, word: str) -> float:
        """In what share of the documents a word stands."""
        found = 0
        for stem in self.language.stems(word):
            found = self._counted(stem)[1]
        return found / max(1, self.document_count)

    def _counted(self, term: str) -> tuple[int, int]:
        """In how many units, and in how many documents, a term occurs; without those that are gone."""
        units = documents = 0
        for at, (fragment, number) in enumerate(zip(self.fragments, self.numbers(term), strict=True)):
            if number is None:
                continue
            units += int(fragment.units.first[number + 1] - fragment.units.first[number])
            documents += int(fragment.documents_with[number])
            gone = self._gone(at, fragment.first_unit)
            if len(gone):
                places = places_in(fragment.units.of(number)[0], gone)
                lost = places[:, 1] - places[:, 0]
                units -= int(lost.sum())
                documents -= int(np.count_nonzero(lost))
        return units, documents

    def _occurs_above(self, at: int, fragment: Fragment, term: str) -> bool:
        number = fragment.frames.terms.get(term)
        if number is None:
            return False
        frames = fragment.frames.of(number)[0]
        places = places_in(frames, self._gone(at, fragment.first_frame))
        return len(frames) > int((places[:, 1] - places[:, 0]).sum())

    def size(self, document: int) -> int:
        """The number of units of a document."""
        at = int(np.searchsorted(self.first_document, document, side="right")) - 1
        local = document - int(self.first_document[at])
        first = self.fragments[at].first_unit
        return int(first[local + 1] - first[local])

    def layout(self, documents: Sequence[int]) -> UnitLayout:
        """The units of these documents; documents that are gone are left out."""
        chosen = np.array(sorted(documents), dtype=np.int64)
        chosen = chosen[self.alive[chosen]]
        edges = [
            (fragment.first_unit[local + 1] - fragment.first_unit[local])
            for fragment, local, _ in self._by_fragment(chosen)
        ]
        sizes = np.concatenate([np.zeros(0, np.int64), *edges])
        firsts = np.cumsum(sizes) - sizes
        return UnitLayout(chosen, sizes, np.repeat(np.arange(len(chosen)), sizes), firsts)

    def _by_fragment(self, documents: NDArray[np.int64]) -> list[tuple[Fragment, NDArray[np.int64], slice]]:
        """Each fragment with the documents (numbered in it) that it holds of these, and which of these they are."""
        cuts = np.searchsorted(documents, self.first_document)
        return [
            (fragment, documents[low:high] - self.first_document[at], slice(int(low), int(high)))
            for at, (fragment, low, high) in enumerate(zip(self.fragments, cuts[:-1], cuts[1:], strict=True))
            if high > low
        ]

    def unit_ranges(self, layout: UnitLayout) -> list[UnitRanges]:
        """Where the units that are looked at stand on each fragment."""
        found = []
        for fragment, local, window in self._by_fragment(layout.documents):
            first = layout.firsts[window]
            found.append(UnitRanges(fragment, fragment.first_unit[local], fragment.first_unit[local + 1], first, local))
        return found

    def documents_holding(self, terms: Sequence[str]) -> NDArray[np.int64]:
        """The places of the documents in which some unit holds all of these terms."""
        found = []
        for at, fragment in enumerate(self.fragments):
            numbers = [fragment.units.terms.get(term) for term in terms]
            if not numbers or None in numbers:
                continue
            lists = sorted((fragment.units.of(number)[0] for number in numbers if number is not None), key=len)
            both = lists[0]
            for other in lists[1:]:
                both = both[inside(both, other)]
            owners = np.unique(np.searchsorted(fragment.first_unit, both, side="right") - 1)
            found.append(owners + self.first_document[at])
        documents: NDArray[np.int64] = np.concatenate([np.zeros(0, np.int64), *found])
        return np.compress(self.alive[documents], documents)

    def likely(
        self, tokens: Sequence[str], k1: float, b: float, units: int, admitted: Flags | None
    ) -> list[tuple[int, float]]:
        """The documents of the units that BM25 ranks first, each with its best score, best first."""
        known = [term for term in dict.fromkeys(tokens) if self.frequency(term)]
        weights = weighty({term: tokens.count(term) * self.idf(term) for term in known})
        allowed = self.alive if admitted is None else self.alive & admitted
        best: list[tuple[int, float]] = []
        for at, fragment in enumerate(self.fragments):
            scores = self._bm25(at, weights, k1, b)
            kept = allowed[self.first_document[at] : self.first_document[at + 1]]
            if not kept.all():
                scores[np.repeat(~kept, np.diff(fragment.first_unit))] = 0
            places = _greatest(scores, units)
            if len(places):
                owners = np.searchsorted(fragment.first_unit, places, side="right") - 1 + self.first_document[at]
                firsts = np.flatnonzero(np.append(True, owners[1:] != owners[:-1]))
                top = np.maximum.reduceat(scores[places], firsts)
                best += zip(owners[firsts].tolist(), top.tolist(), strict=True)
        return sorted(best, key=lambda found: (-found[1], self.keys[found[0]]))

    def _bm25(self, at: int, weights: dict[str, float], k1: float, b: float) -> NDArray[np.float32]:
        postings = self.fragments[at].units
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
        norm = self._norms.get(key)
        if norm is None:
            norm = (k1 * (1 - b + b * postings.lengths / self.mean_length)).astype(np.float32)
            others = {other: kept for other, kept in self._norms.items() if other[1:] == key[1:]}
            self._norms = {**others, key: norm}
        return norm


def weighty(weights: dict[str, float]) -> dict[str, float]:
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
