"""The units of one document: where they stand, and what stands above them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pincite.text.document import Document
from pincite.text.passage import Edges, Passage, Unit


class Context(NamedTuple):
    """What stands above a passage: the headings, the words that lead into its list, and the clause around it."""

    heading_path: tuple[str, ...] = ()
    lead_in: Edges | None = None
    clause: Edges | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """Passages of one document, numbered from 0. Each context is kept once; `context_of` says which is whose.

    >>> units = Units.of([Passage("a", 0, 5), Passage("a", 6, 9)])
    >>> len(units), units.context(1).heading_path
    (2, ())
    """

    starts: NDArray[np.int32]
    ends: NDArray[np.int32]
    contexts: Sequence[Context]
    context_of: NDArray[np.int32]

    @classmethod
    def of(cls, passages: Iterable[Passage]) -> "Units":
        starts: list[int] = []
        ends: list[int] = []
        contexts: dict[Context, int] = {}
        context_of: list[int] = []
        for passage in passages:
            starts.append(passage.start)
            ends.append(passage.end)
            context_of.append(contexts.setdefault(_context(passage), len(contexts)))
        return cls(_array(starts), _array(ends), tuple(contexts), _array(context_of))

    def __len__(self) -> int:
        return len(self.starts)

    def edges(self, at: int) -> Edges:
        return int(self.starts[at]), int(self.ends[at])

    def context(self, at: int) -> Context:
        return self.contexts[int(self.context_of[at])]


class LoadedDocument(NamedTuple):
    """A document with its units."""

    document: Document
    units: Units


def _context(passage: Passage) -> Context:
    return Context(passage.heading_path, passage.lead_in, passage.clause) if isinstance(passage, Unit) else Context()


def _array(values: list[int]) -> NDArray[np.int32]:
    return np.array(values, dtype=np.int32)
