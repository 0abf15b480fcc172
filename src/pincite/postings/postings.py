"""Postings: for every term, the units it occurs in and how often. No weight is stored: weights belong to the query."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from pincite.postings.terms import Strings, Terms

BATCH = 4096
"""Units counted in one batch."""

Counts = NDArray[np.unsignedinteger]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """Term-major arrays: the postings of term t are `units[first[t]:first[t + 1]]`, in order of the units.

    Terms are numbered in the order of their letters.

    >>> postings = Postings.build([["rent", "due", "rent"], ["due"]])
    >>> units, counts = postings.of(postings.terms["rent"])
    >>> units.tolist(), counts.tolist()
    ([0], [2])
    """

    terms: Mapping[str, int]
    first: NDArray[np.int64]
    units: NDArray[np.int32]
    counts: Counts
    lengths: NDArray[np.int32]
    """The number of tokens of every unit."""

    @classmethod
    def build(cls, tokens: Iterable[Sequence[str]]) -> "Postings":
        """Counts the tokens of every unit."""
        counter = PostingsBuilder()
        for unit in tokens:
            counter.add(unit)
        return counter.finish()

    def __len__(self) -> int:
        """The number of units."""
        return len(self.lengths)

    def of(self, term: int) -> tuple[NDArray[np.int32], Counts]:
        """The units that a term occurs in, and how often."""
        window = slice(self.first[term], self.first[term + 1])
        return self.units[window], self.counts[window]

    @property
    def document_frequencies(self) -> NDArray[np.int64]:
        """For every term, in how many units it occurs."""
        return np.diff(self.first)

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Everything as arrays, to be kept on disk."""
        terms = self.terms if isinstance(self.terms, Terms) else Terms.of(self.terms)
        return {
            "letters": terms.strings.letters,
            "terms": terms.strings.first,
            "hashes": terms.hashes,
            "numbers": terms.numbers,
            "first": self.first,
            "units": self.units,
            "counts": self.counts,
            "lengths": self.lengths,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> "Postings":
        """What `arrays` gave, perhaps memory-mapped."""
        given: dict[str, NDArray[np.generic]] = dict(arrays)
        strings = Strings(given["letters"], given["terms"])  # type: ignore[arg-type]
        terms = Terms(strings, given["hashes"], given["numbers"])  # type: ignore[arg-type]
        return cls(terms, given["first"], given["units"], given["counts"], given["lengths"])  # type: ignore[arg-type]


class PostingsBuilder:
    """Counts tokens unit by unit."""

    def __init__(self) -> None:
        self._terms: defaultdict[str, int] = defaultdict()
        self._terms.default_factory = self._terms.__len__
        self._waiting: list[Sequence[str]] = []
        self._numbers: list[NDArray[np.int32]] = []
        self._lengths: list[int] = []

    def __len__(self) -> int:
        """The number of units so far."""
        return len(self._lengths) + len(self._waiting)

    def add(self, tokens: Sequence[str]) -> None:
        """The tokens of the next unit."""
        self._waiting.append(tokens)
        if len(self._waiting) == BATCH:
            self._count()

    def _count(self) -> None:
        flat = chain.from_iterable(self._waiting)
        self._numbers.append(np.fromiter(map(self._terms.__getitem__, flat), dtype=np.int32))
        self._lengths.extend(map(len, self._waiting))
        self._waiting = []

    def finish(self) -> Postings:
        self._count()
        terms = {term: number for number, term in enumerate(sorted(self._terms))}
        rank = np.fromiter(map(terms.__getitem__, self._terms), dtype=np.int64, count=len(terms))
        lengths = np.array(self._lengths, dtype=np.int32)
        units = max(1, len(lengths))
        keys = rank[np.concatenate(self._numbers)] * units
        self._numbers = []
        keys += np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
        keys.sort()
        starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1]))) if len(keys) else np.zeros(0, np.int64)
        counts = np.diff(np.append(starts, len(keys)))
        term_of, unit_of = np.divmod(keys[starts], units)
        first = np.searchsorted(term_of, np.arange(len(terms) + 1))
        return Postings(terms, first.astype(np.int64), unit_of.astype(np.int32), _small(counts), lengths)


def merged(parts: Sequence[tuple[Postings, Places]], units: int) -> Postings:
    """One of several. Beside each part stands the new number of each of its units, -1 for a unit that is left out.

    New numbers rise within a part and from part to part.

    >>> one, other = Postings.build([["rent"], ["due"]]), Postings.build([["rent"]])
    >>> both = merged([(one, np.array([0, -1])), (other, np.array([1]))], units=2)
    >>> dict(both.terms), both.units.tolist()
    ({'rent': 0}, [0, 1])
    """
    alphabet = sorted({term for postings, _ in parts for term in postings.terms})
    number_of = {term: number for number, term in enumerate(alphabet)}
    terms, places, counts = [], [], []
    lengths = np.zeros(units, dtype=np.int32)
    for postings, place in parts:
        numbers = np.fromiter(map(number_of.__getitem__, postings.terms), np.int32, len(postings.terms))
        term_of = np.repeat(numbers, np.diff(postings.first))
        new = place[postings.units]
        kept = new >= 0
        terms.append(term_of[kept])
        places.append(new[kept].astype(np.int32))
        counts.append(postings.counts[kept])
        lengths[place[place >= 0]] = postings.lengths[place >= 0]
    term_of = np.concatenate([np.zeros(0, np.int32), *terms])
    order = np.argsort(term_of, kind="stable")
    found = np.bincount(term_of, minlength=len(alphabet))
    present = np.flatnonzero(found)
    return Postings(
        {alphabet[old]: new for new, old in enumerate(present.tolist())},
        np.concatenate((np.zeros(1, np.int64), np.cumsum(found[present]))).astype(np.int64),
        np.concatenate([np.zeros(0, np.int32), *places])[order],
        _small(np.concatenate([np.zeros(0, np.uint8), *counts])[order]),
        lengths,
    )


def _small(counts: NDArray[np.integer]) -> Counts:
    """The counts in as few bytes as hold the greatest."""
    return counts.astype(np.min_scalar_type(int(counts.max()) if len(counts) else 0))
