"""Citations between the cases of a collection, found by the names of parties."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.cases.sparse import sparse
from pincite.text import Document

_WORD = re.compile(r"[a-z0-9]+")
_AGAINST = frozenset(("v", "vs", "versus"))
LEFT_OUT = frozenset(
    _WORD.findall(
        "a alias and another anr by case co company dead dr etc in its limited lr lrs ltd m mr mrs of ors other others "
        "p private pvt s shri smt sri the through"
    )
)
"""Words that one citation writes in the name of a party and another leaves out."""
SIDE = 2
"""How many words on each side of the "v" are compared."""


class PartyNames:
    """Finds cases by the names of their parties. A name that two cases share finds neither."""

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
        """The positions of the cases that a text names. Of each name, the longest known form counts."""
        words = _words(text)
        found = (
            next((self.known[name] for name in _names(words, place) if name in self.known), None)
            for place, word in enumerate(words)
            if word in _AGAINST
        )
        return {place for place in found if place is not None}


def citing(cases: Sequence[Document], names: PartyNames) -> Any:
    """The citation graph as a sparse matrix: 1 where the case of the row names the case of the column."""
    pairs = [(at, named) for at, case in enumerate(cases) for named in sorted(names.within(case.text)) if named != at]
    rows, columns = [row for row, _ in pairs], [column for _, column in pairs]
    return sparse.csr_matrix((np.ones(len(pairs)), (rows, columns)), shape=(len(cases), len(cases)))


def authority(graph: Any) -> NDArray[np.float64]:
    """log(1 + n) for each case, where n is how many other cases name it."""
    return np.asarray(np.log1p(np.asarray(graph.sum(axis=0)).ravel()), dtype=np.float64)


def cited_by_similar(graph: Any, similarity: NDArray[np.float64], among: int) -> NDArray[np.float64]:
    """log(1 + s) for each case, where s adds the similarities of the cases that name it. Only the `among` cases most
    similar to the query count (ties included), and no similarity below 0."""
    least = float(np.sort(similarity)[-among:][0]) if len(similarity) else 0.0
    similar = np.where(similarity >= least, np.maximum(similarity, 0.0), 0.0)
    return np.asarray(np.log1p(graph.T @ similar), dtype=np.float64)


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.lower()) if word not in LEFT_OUT]


def _names(words: Sequence[str], place: int) -> Iterator[tuple[str, str]]:
    """The names that the parties around the "v" at a position may have, the longest first."""
    before, behind = words[max(0, place - SIDE) : place], words[place + 1 : place + 1 + SIDE]
    for left in range(len(before), 0, -1):
        for right in range(len(behind), 0, -1):
            yield " ".join(before[-left:]), " ".join(behind[:right])
