"""Which cases of a collection name which others by their parties: what is often cited, and what similar cases cite."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pincite.text import Document

_WORD = re.compile(r"[a-z0-9]+")
_AGAINST = frozenset(("v", "vs", "versus"))
_LEFT_OUT = frozenset(
    _WORD.findall(
        "a alias and another anr by case co company dead dr etc in its limited lr lrs ltd m mr mrs of ors other others "
        "p private pvt s shri smt sri the through"
    )
)
"""Words in the names of parties that are written in one place and left out in another."""
SIDE = 2
"""So many words of each side of the "v" are compared."""


class PartyNames:
    """The cases of a collection by the names of their parties; a name that two cases share is nobody's."""

    def __init__(self, cases: Sequence[Document]) -> None:
        held: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
        for at, case in enumerate(cases):
            words = _words(case.text.lstrip("\ufeff \n").split("\n", 1)[0])
            place = next((place for place, word in enumerate(words) if word in _AGAINST), 0)
            for name in _names(words, place):
                if len(name[0].split()) == min(SIDE, place):
                    held[name].add(at)
        self.known = {name: next(iter(places)) for name, places in held.items() if len(places) == 1}

    def within(self, text: str) -> set[int]:
        """The places of the cases that a text names; the longest form of a name that is known counts."""
        words = _words(text)
        found = (
            next((self.known[name] for name in _names(words, place) if name in self.known), None)
            for place, word in enumerate(words)
            if word in _AGAINST
        )
        return {place for place in found if place is not None}


def citing(cases: Sequence[Document], names: PartyNames) -> Any:
    """A sparse matrix with a one where the case of the row names the case of the column."""
    pairs = [(at, named) for at, case in enumerate(cases) for named in sorted(names.within(case.text)) if named != at]
    rows, columns = [row for row, _ in pairs], [column for _, column in pairs]
    return sparse.csr_matrix((np.ones(len(pairs)), (rows, columns)), shape=(len(cases), len(cases)))


def authority(graph: Any) -> NDArray[np.float64]:
    """For each case how many others name it, as the logarithm of one more."""
    return np.asarray(np.log1p(np.asarray(graph.sum(axis=0)).ravel()), dtype=np.float64)


def cited_by_similar(graph: Any, likeness: NDArray[np.float64], among: int) -> NDArray[np.float64]:
    """The same, where only the `among` cases most like the query (and those that are as like) count, each by its
    likeness; nothing below 0."""
    least = float(np.sort(likeness)[-among:][0]) if len(likeness) else 0.0
    similar = np.where(likeness >= least, np.maximum(likeness, 0.0), 0.0)
    return np.asarray(np.log1p(graph.T @ similar), dtype=np.float64)


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.lower()) if word not in _LEFT_OUT]


def _names(words: Sequence[str], place: int) -> Iterator[tuple[str, str]]:
    """How the parties around the "v" at a place may be called, from long to short."""
    before, behind = words[max(0, place - SIDE) : place], words[place + 1 : place + 1 + SIDE]
    for left in range(len(before), 0, -1):
        for right in range(len(behind), 0, -1):
            yield " ".join(before[-left:]), " ".join(behind[:right])
