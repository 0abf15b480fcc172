"""BM25 between every segment of a query case and every segment of every candidate, all at once.

The weights of terms in segments are a sparse matrix. For one query case, the rows of its terms are multiplied by the
counts of its segments. Terms that stand in many segments are held apart in a dense matrix, because there the product of
dense matrices is faster; and segments are scored in blocks, whose scores stay in the processor's cache. The result is
that of one BM25 query for each segment, in a fraction of the time; tests compare it with the plain definition and with
other libraries.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.cases.segments import Segmented
from pincite.cases.sparse import sparse
from pincite.errors import UsageError, one_of
from pincite.retrieve.bm25_forms import FORMS

Array = NDArray[np.float64]
NOTHING = -np.inf
"""The score of a case that has no segment."""
BLOCK = 4096
"""How many segments are scored at a time, unless a single case has more."""
ROWS = 128
"""How many segments of a query are scored at a time."""
DENSE = 0.15
"""The share of segments from which a term is held in the dense matrix."""


@dataclass(frozen=True, slots=True)
class SegmentBm25:
    """The form of BM25, and its settings k1 and b."""

    form: str = "lucene"
    k1: float = 0.9
    b: float = 0.4
    once: bool = False
    """Each term of a query counts once, however often the query has it."""
    floor: bool = False
    """A negative idf counts as 0, as in bm25s: a term in more than half of the segments is worth nothing."""

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise one_of("form of BM25", self.form, list(FORMS))
        if self.k1 < 0 or not 0 <= self.b <= 1:
            raise UsageError(f"BM25 needs k1 of at least 0 and b from 0 to 1, not k1={self.k1}, b={self.b}")


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """The weights of neighbouring cases."""

    cases: slice
    firsts: NDArray[np.int64]
    """The first segment of each case in the block, followed by the number of its segments."""
    dense: Array
    """Segments by common terms."""
    rest: Any
    """Terms by segments, without the common terms."""


class SegmentIndex:
    """The BM25 weights of the terms of queries in the segments of the candidates."""

    def __init__(self, segments: Segmented, bm25: SegmentBm25, asked: Any) -> None:
        """`asked` has the counts of all queries that will be scored: other terms need no weights."""
        self.cases, self.once = len(segments.firsts) - 1, bm25.once
        counts = segments.counts
        form = FORMS[bm25.form]
        found = np.bincount(counts.indices, minlength=counts.shape[1]).astype(np.int64)
        known = found > 0
        self.idf = np.zeros(len(found))
        self.idf[known] = form.idf(found[known], max(1, counts.shape[0]))
        if bm25.floor:
            self.idf = np.maximum(self.idf, 0.0)
        lengths = np.asarray(counts.sum(axis=1, dtype=np.float64)).ravel()
        mean = float(lengths.mean()) if len(lengths) else 1.0
        self._length_part = form.length_part(1 - bm25.b + bm25.b * lengths / (mean or 1.0), bm25.k1)
        self._form, self._k1 = form, bm25.k1
        self._absence = form.gain_of_absence(bm25.k1) * self.idf
        """What a query term is worth to a segment without it."""
        used = np.unique(asked.indices[known[asked.indices]]) if asked.nnz else np.zeros(0, dtype=np.int64)
        is_common = found[used] > DENSE * counts.shape[0]
        self._common = np.full(len(found), -1, dtype=np.int64)
        self._common[used[is_common]] = np.arange(int(is_common.sum()))
        self._rest = np.full(len(found), -1, dtype=np.int64)
        self._rest[used[~is_common]] = np.arange(int((~is_common).sum()))
        self._sizes = int(is_common.sum()), int((~is_common).sum())
        self._blocks = [self._block(segments, first, behind) for first, behind in _blocks(segments.firsts)]

    def best(self, query: Any) -> Array:
        """For each segment of a query (a row of counts) and each case, the best score over the segments of the case."""
        best = np.full((query.shape[0], self.cases), NOTHING, dtype=np.float64)
        for first in range(0, query.shape[0], ROWS):
            prepared = self._prepared(query[first : first + ROWS])
            for block in self._blocks:
                filled = np.flatnonzero(np.diff(block.firsts))
                if len(filled):
                    scores = np.maximum.reduceat(self._scores(block, *prepared), block.firsts[filled], axis=0)
                    best[first : first + ROWS, block.cases.start + filled] = scores.T
        return best

    def pairs(self, query: Any, case: int) -> Array:
        """A score for each segment of a query and each segment of a case."""
        block = next(block for block in self._blocks if block.cases.start <= case < block.cases.stop)
        own = slice(*block.firsts[case - block.cases.start : case - block.cases.start + 2].tolist())
        found: Array = self._scores(block, *self._prepared(query))[own].T
        return found

    def _prepared(self, query: Any) -> tuple[Array, NDArray[np.int64], Array, Array]:
        """The counts of a query: of common terms (terms by segments), which others it has, their counts, and the score
        of a candidate segment that has none of its terms."""
        rows = np.repeat(np.arange(query.shape[0]), np.diff(query.indptr))
        counts = np.ones(len(query.data)) if self.once else query.data.astype(np.float64)
        absent: Array = np.bincount(
            rows, weights=counts * self._absence[query.indices], minlength=query.shape[0]
        ).astype(np.float64)
        common = np.zeros((self._sizes[0], query.shape[0]))
        places = self._common[query.indices]
        held = places >= 0
        common[places[held], rows[held]] = counts[held]
        places = self._rest[query.indices]
        held = places >= 0
        terms, at = np.unique(places[held], return_inverse=True)
        rest = np.zeros((len(terms), query.shape[0]))
        rest[at, rows[held]] = counts[held]
        return common, terms, rest, absent

    def _scores(self, block: _Block, common: Array, terms: NDArray[np.int64], rest: Array, absent: Array) -> Array:
        """The segments of a block by the segments of a query."""
        scores = block.dense @ common + absent
        scores += block.rest[terms].T @ rest
        return scores

    def _block(self, segments: Segmented, first: int, behind: int) -> _Block:
        rows = slice(int(segments.firsts[first]), int(segments.firsts[behind]))
        counts = segments.counts[rows]
        lengths = np.repeat(self._length_part[rows], np.diff(counts.indptr))
        held = np.flatnonzero((self._common[counts.indices] >= 0) | (self._rest[counts.indices] >= 0))
        terms = counts.indices[held]
        gain = self._form.gain(counts.data[held], lengths[held], self._k1)
        weights = gain * self.idf[terms] - self._absence[terms]
        of_row = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))[held]
        is_common = self._common[terms] >= 0
        dense = np.zeros((counts.shape[0], self._sizes[0]))
        dense[of_row[is_common], self._common[terms[is_common]]] = weights[is_common]
        others = ~is_common
        cells = (weights[others], (self._rest[terms[others]], of_row[others]))
        rest = sparse.csr_matrix(cells, shape=(self._sizes[1], counts.shape[0]))
        return _Block(slice(first, behind), segments.firsts[first : behind + 1] - rows.start, dense, rest)


def _blocks(firsts: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Neighbouring cases with at most `BLOCK` segments together, or one case."""
    found, first = [], 0
    cases = len(firsts) - 1
    while first < cases:
        behind = int(np.searchsorted(firsts, firsts[first] + BLOCK, side="right")) - 1
        behind = min(cases, max(behind, first + 1))
        found.append((first, behind))
        first = behind
    return found
