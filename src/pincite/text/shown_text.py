"""What is shown of a text: the text without its hidden edges, with a map back to the offsets of the whole."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pincite.text.passage import Edges


def pieces_between(hidden: Sequence[Edges], start: int, end: int) -> list[Edges]:
    """The slices of `[start, end)` between the hidden edges, which are sorted and disjoint.

    >>> pieces_between([(4, 6), (9, 20)], 2, 12)
    [(2, 4), (6, 9)]
    """
    pieces: list[Edges] = []
    for at in range(max(0, bisect_right(hidden, (start, start)) - 1), len(hidden)):
        left, right = hidden[at]
        if left >= end:
            break
        if left > start:
            pieces.append((start, left))
        start = max(start, right)
    if start < end:
        pieces.append((start, end))
    return pieces


@dataclass(frozen=True, slots=True)
class ShownText:
    """The shown pieces of a text joined, and where each stands in the whole.

    >>> shown = ShownText.of("one ##two", [(4, 6)])
    >>> shown.text, shown.edges(4, 7), shown.inside(6)
    ('one two', (6, 9), 4)
    """

    text: str
    starts: tuple[int, ...]
    """Where each piece starts in the shown text."""
    offsets: tuple[int, ...]
    """Where each piece starts in the whole text."""

    @classmethod
    def of(cls, text: str, hidden: Sequence[Edges]) -> "ShownText":
        pieces = pieces_between(hidden, 0, len(text)) or [(0, 0)]
        return cls("".join(text[start:end] for start, end in pieces), *_places(pieces))

    def at(self, offset: int) -> int:
        """The offset in the whole text of a character of the shown text."""
        piece = bisect_right(self.starts, offset) - 1
        return self.offsets[piece] + offset - self.starts[piece]

    def edges(self, start: int, end: int) -> Edges:
        """The slice of the whole text from the first shown character of a slice to its last."""
        return (self.at(start), self.at(end - 1) + 1) if start < end else (self.at(start), self.at(start))

    def inside(self, offset: int) -> int:
        """Where a character of the whole text stands in the shown text; a hidden one, where the next shown one does."""
        piece = bisect_right(self.offsets, offset) - 1
        if piece < 0:
            return 0
        end = self.starts[piece + 1] if piece + 1 < len(self.starts) else len(self.text)
        return min(self.starts[piece] + offset - self.offsets[piece], end)


def _places(pieces: Iterable[Edges]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    starts, offsets, length = [], [], 0
    for start, end in pieces:
        starts.append(length)
        offsets.append(start)
        length += end - start
    return tuple(starts), tuple(offsets)
