"""Postings: for every term, the units it occurs in and how often. No weight is stored: weights belong to the query."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """Term-major arrays: the postings of term t are `units[first[t]:first[t + 1]]`, in order of the units.

    >>> postings = Postings.build([["rent", "due", "rent"], ["due"]])
    >>> units, counts = postings.of(postings.terms["rent"])
    >>> units.tolist(), counts.tolist()
    ([0], [2])
    """

    terms: dict[str, int]
    first: NDArray[np.int64]
    units: NDArray[np.int32]
    counts: NDArray[np.int32]
    lengths: NDArray[np.int64]
    """The number of tokens of every unit."""

    @classmethod
    def build(cls, tokens: Iterable[Sequence[str]]) -> "Postings":
        """Counts the tokens of every unit; the numbers of the terms follow their first occurrence."""
        terms: defaultdict[str, int] = defaultdict()
        terms.default_factory = terms.__len__
        numbers: list[NDArray[np.int32]] = []
        lengths: list[int] = []
        for batch in _batches(tokens):
            lengths.extend(map(len, batch))
            flat = chain.from_iterable(batch)
            numbers.append(np.fromiter(map(terms.__getitem__, flat), dtype=np.int32, count=-1))
        length_array = np.array(lengths, dtype=np.int64)
        term_of = np.concatenate(numbers) if numbers else np.zeros(0, dtype=np.int32)
        unit_of = np.repeat(np.arange(len(length_array), dtype=np.int64), length_array)
        units = max(1, len(length_array))
        keys = term_of.astype(np.int64) * units + unit_of
        keys.sort()
        starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1]))) if len(keys) else np.zeros(0, np.int64)
        counts = np.diff(np.append(starts, len(keys))).astype(np.int32)
        term_of_posting, unit_of_posting = np.divmod(keys[starts], units)
        first = np.searchsorted(term_of_posting, np.arange(len(terms) + 1))
        return cls(dict(terms), first.astype(np.int64), unit_of_posting.astype(np.int32), counts, length_array)

    def __len__(self) -> int:
        """The number of units."""
        return len(self.lengths)

    def of(self, term: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The units that a term occurs in, and how often."""
        window = slice(self.first[term], self.first[term + 1])
        return self.units[window], self.counts[window]

    @property
    def document_frequencies(self) -> NDArray[np.int64]:
        """For every term, in how many units it occurs."""
        return np.diff(self.first)


def _batches(tokens: Iterable[Sequence[str]], size: int = 4096) -> Iterable[list[Sequence[str]]]:
    batch: list[Sequence[str]] = []
    for unit in tokens:
        batch.append(unit)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
