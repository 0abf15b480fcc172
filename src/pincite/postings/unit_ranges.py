"""Ranges of units in a fragment: a term is looked for inside them, not in the whole of its posting list."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.postings.fragment import Fragment
from pincite.postings.postings import Postings

Array = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class UnitRanges:
    """The units of some documents of one fragment: from `starts` up to `ends`; in results they begin at `firsts`."""

    fragment: Fragment
    starts: Places
    ends: Places
    firsts: Places
    documents: Places

    def count(self, term: str, own: Array, above: Array) -> None:
        """Writes how often a term occurs in each unit, and 1 where it occurs in what stands above the unit."""
        fragment = self.fragment
        number = fragment.units.terms.get(term)
        if number is not None:
            units, counts = fragment.units.of(number)
            found, shifts = _within(units, self.starts, self.ends, self.firsts)
            own[units[found] + shifts] = counts[found]
        number = fragment.frames.terms.get(term)
        if number is None:
            return
        first, last = fragment.first_frame[self.documents], fragment.first_frame[self.documents + 1]
        begins = np.cumsum(last - first) - (last - first)
        frames = fragment.frames.of(number)[0]
        found, shifts = _within(frames, first, last, begins)
        if len(found):
            marked = np.zeros(int((last - first).sum()))
            marked[frames[found] + shifts] = 1.0
            places = self._places()
            sizes = self.ends - self.starts
            above[places] = marked[fragment.frame_of[self._units()] + np.repeat(begins - first, sizes)]

    def lengths(self, found: Array) -> None:
        found[self._places()] = self.fragment.units.lengths[self._units()]

    def mark(self, postings: Postings, term: str, found: Array) -> None:
        """Writes 1 for each unit that the postings have under the term."""
        number = postings.terms.get(term)
        if number is not None:
            units = postings.of(number)[0]
            inside_ranges, shifts = _within(units, self.starts, self.ends, self.firsts)
            found[units[inside_ranges] + shifts] = 1.0

    def _units(self) -> Places:
        """The numbers of the units on the fragment."""
        return ranges(self.starts, self.ends - self.starts)

    def _places(self) -> Places:
        """Where the units stand in the results."""
        return ranges(self.firsts, self.ends - self.starts)


def ranges(starts: Places, sizes: Places) -> Places:
    """The whole numbers from each start on, as many as its size says.

    >>> ranges(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    before = np.cumsum(sizes) - sizes
    numbers: Places = np.arange(int(sizes.sum())) + np.repeat(starts - before, sizes)
    return numbers


def places_in(units: NDArray[np.int32], wanted: Places) -> Places:
    """Where numbers stand, or would, among units in order. The numbers take the units' type: the other way round numpy
    would copy the whole list of units."""
    return units.searchsorted(wanted.astype(units.dtype))


def inside(some: NDArray[np.int32], others: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Which of some numbers are among others; both are in order."""
    places = np.searchsorted(others, some)
    places[places == len(others)] = 0
    found: NDArray[np.bool_] = others[places] == some
    return found


def _within(units: NDArray[np.int32], starts: Places, ends: Places, firsts: Places) -> tuple[Places, Places]:
    """Which postings fall into the unit_ranges, and by how much their units are shifted in the results."""
    low, high = places_in(units, starts), places_in(units, ends)
    sizes = high - low
    return ranges(low, sizes), np.repeat(firsts - starts, sizes)
