"""Where the characters of a text stand on the pages of its source: a box each, packed small."""

import zlib
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

PER_POINT = 16
"""Edges are kept to a sixteenth of a point, 1/72 of an inch each."""

SAME_LINE = 0.5
"""Two characters stand on one line if they share this part of the lower one's height."""


class Box(NamedTuple):
    """A rectangle on a page (counted from 1), in points from the lower left corner, as PDF counts."""

    page: int
    left: float
    bottom: float
    right: float
    top: float


@dataclass(frozen=True, slots=True)
class Boxes:
    """A box for every character of a text, in order; all zero where a character stands nowhere, as a joining space.

    >>> boxes = Boxes.pack(np.array([[10, 700, 16, 712], [0, 0, 0, 0], [18, 700, 24, 712]]))
    >>> boxes.lines(0, 3, page=2)
    [Box(page=2, left=10.0, bottom=700.0, right=24.0, top=712.0)]
    """

    packed: bytes
    """Four columns of 32-bit differences, compressed: two bytes a character or so."""

    @classmethod
    def pack(cls, edges: NDArray[np.floating | np.integer]) -> "Boxes":
        """`edges` has a row (left, bottom, right, top) in points for every character."""
        whole = np.rint(np.asarray(edges, dtype=np.float64).reshape(-1, 4) * PER_POINT).astype(np.int32)
        steps = np.diff(whole, axis=0, prepend=np.zeros((1, 4), dtype=np.int32))
        return cls(zlib.compress(np.ascontiguousarray(steps.T).astype("<i4").tobytes(), 6))

    def edges(self) -> NDArray[np.float64]:
        """The rows (left, bottom, right, top) of all characters."""
        steps = np.frombuffer(zlib.decompress(self.packed), dtype="<i4").reshape(4, -1).T
        return np.cumsum(steps, axis=0) / PER_POINT

    def lines(self, start: int, end: int, page: int) -> list[Box]:
        """The characters from `start` to `end`, all on one page, as a box for each line they stand on."""
        found: list[Box] = []
        for left, bottom, right, top in self.edges()[start:end].tolist():
            if right <= left and top <= bottom:
                continue
            last = found[-1] if found else None
            if last and _shared(last, bottom, top) and left >= last.left - 1:
                found[-1] = Box(page, last.left, min(bottom, last.bottom), max(right, last.right), max(top, last.top))
            else:
                found.append(Box(page, left, bottom, right, top))
        return found


def _shared(line: Box, bottom: float, top: float) -> bool:
    height = min(line.top - line.bottom, top - bottom)
    return min(line.top, top) - max(line.bottom, bottom) >= SAME_LINE * height
