"""BM25 between every segment of a query case and every segment of every candidate, all at once.

A sparse matrix of terms by segments holds the BM25 weight of each term in each segment. For one query case, the rows of
its terms are multiplied by the matrix that says which query segment holds which term. The result is that of one BM25
query for each segment, in a fraction of the time; a test compares it with the plain definition.
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


@dataclass(frozen=True, slots=True)
class SegmentBm25:
    """The form of BM25, and its settings k1 and b. Each term of a query counts once."""

    form: str = "lucene"
    k1: float = 0.9
    b: float = 0.4

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise one_of("form of BM25", self.form, list(FORMS))
        if self.k1 < 0 or not 0 <= self.b <= 1:
            raise UsageError(f"BM25 needs k1 of at least 0 and b from 0 to 1, not k1={self.k1}, b={self.b}")


class SegmentIndex:
    """The BM25 weight of each term in each segment of the candidates."""

    def __init__(self, segments: Segmented, bm25: SegmentBm25) -> None:
        self.segments = segments
        self.cases = len(segments.firsts) - 1
        counts = segments.counts.tocsc()
        found = np.diff(counts.indptr).astype(np.int64)
        lengths = np.asarray(segments.counts.sum(axis=1), dtype=np.float64).ravel()
        mean = float(lengths.mean()) if len(lengths) else 1.0
        norm = 1 - bm25.b + bm25.b * lengths / (mean or 1.0)
        form = FORMS[bm25.form]
        self.idf = np.where(found > 0, form.idf(np.maximum(found, 1), max(1, counts.shape[0])), 0.0)
        part = form.length_part(norm, bm25.k1)[counts.indices]
        worth = form.gain(counts.data, part, bm25.k1) * np.repeat(self.idf, found)
        self.worth = sparse.csr_matrix((worth, counts.indices, counts.indptr), shape=counts.shape[::-1])
        """Terms by segments."""

    def pairs(self, query: Any) -> Array:
        """A score for each segment of a query (a row of counts) and each segment of the candidates."""
        terms = np.unique(query.indices)
        if not len(terms):
            return np.zeros((query.shape[0], self.worth.shape[1]), dtype=np.float64)
        present = query[:, terms] > 0
        found: Array = np.ascontiguousarray((self.worth[terms].T @ present.T.toarray()).T)
        return found

    def best(self, query: Any) -> Array:
        """For each query segment and each case, the best score over the segments of the case."""
        firsts = self.segments.firsts
        filled = np.flatnonzero(np.diff(firsts))
        best = np.full((query.shape[0], self.cases), NOTHING, dtype=np.float64)
        if len(filled) and query.shape[0]:
            best[:, filled] = np.maximum.reduceat(self.pairs(query), firsts[filled], axis=1)
        return best

    def best_segment(self, query_row: Any, case: int) -> int:
        """The segment of a case with the best score for one query segment; the first of equal ones."""
        own = self.segments.of_case(case)
        terms = np.unique(query_row.indices)
        scores = np.asarray(self.worth[terms][:, own].sum(axis=0)).ravel()
        return int(own.start) + int(np.argmax(scores))
