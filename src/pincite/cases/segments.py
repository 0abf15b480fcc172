"""Segments: cases are cut into windows of sentences, and the terms of each window are counted."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.cases.analysis import Analysis
from pincite.cases.citations import without_citations
from pincite.cases.sparse import sparse
from pincite.cases.suppressed_citations import masked
from pincite.errors import UsageError
from pincite.text import Document
from pincite.text.sentences import sentence_spans


@dataclass(frozen=True, slots=True)
class Windows:
    """Windows of `size` sentences; one begins every `stride` sentences, and a case has at most `most`. With size 0 the
    whole case is one window."""

    size: int = 10
    stride: int = 5
    most: int | None = None

    def __post_init__(self) -> None:
        if self.size and not 1 <= self.stride <= self.size:
            raise UsageError(
                f"windows of {self.size} sentences: the stride must be from 1 to {self.size}, not {self.stride}"
            )

    def of(self, sentences: int) -> list[tuple[int, int]]:
        """The first sentence of each window, and the sentence behind its last.

        >>> Windows(10, 5).of(17)
        [(0, 10), (5, 15), (10, 17)]
        """
        if not sentences:
            return []
        if not self.size:
            return [(0, sentences)]
        starts = range(0, max(1, sentences - self.size + self.stride), self.stride)
        found = [(start, min(start + self.size, sentences)) for start in starts]
        return found[: self.most]


@dataclass(frozen=True, slots=True, eq=False)
class Segmented:
    """The segments of several cases: their term counts, their offsets, and where the segments of each case begin."""

    counts: Any
    """A sparse matrix of segments by terms."""
    edges: NDArray[np.int64]
    firsts: NDArray[np.int64]
    """The first segment of each case, followed by the number of all segments."""

    def without(self, terms: NDArray[np.bool_]) -> "Segmented":
        """The same segments without the flagged terms."""
        counts = (self.counts @ sparse.diags((~terms).astype(np.float32))).tocsr()
        counts.eliminate_zeros()
        return replace(self, counts=counts)

    def of_case(self, at: int) -> slice:
        return slice(int(self.firsts[at]), int(self.firsts[at + 1]))


class Vocabulary(dict[str, int]):
    """Terms and their numbers. A new term gets the next number."""

    def __missing__(self, term: str) -> int:
        self[term] = len(self)
        return self[term]


class Sentences:
    """The sentences of cases with their terms, analysed once for windows of any size."""

    def __init__(
        self,
        cases: Sequence[Document],
        analysis: Analysis,
        vocabulary: Vocabulary,
        *,
        drop_french: bool = False,
        drop_citations: bool = False,
    ) -> None:
        self.vocabulary = vocabulary
        spans: list[tuple[int, int]] = []
        terms: list[int] = []
        ends = [0]
        self.firsts = [0]
        for case in cases:
            text = masked(case.text, drop_french=drop_french)
            text = without_citations(text) if drop_citations else text
            for start, end in sentence_spans(text):
                spans.append((start, end))
                terms += [vocabulary[term] for term in analysis.terms(text[start:end])]
                ends.append(len(terms))
            self.firsts.append(len(spans))
        self.spans = np.array(spans, dtype=np.int64).reshape(-1, 2)
        data = np.ones(len(terms), dtype=np.float32)
        columns = np.array(terms, dtype=np.int32)
        self.counts = sparse.csr_matrix((data, columns, np.array(ends)), shape=(len(spans), len(vocabulary)))

    def windows(self, windows: Windows) -> Segmented:
        """The term counts of windows: the sums over their sentences."""
        rows: list[int] = []
        columns: list[int] = []
        edges: list[tuple[int, int]] = []
        firsts = [0]
        for case in range(len(self.firsts) - 1):
            first = self.firsts[case]
            for start, end in windows.of(self.firsts[case + 1] - first):
                rows += [len(edges)] * (end - start)
                columns += range(first + start, first + end)
                edges.append((int(self.spans[first + start][0]), int(self.spans[first + end - 1][1])))
            firsts.append(len(edges))
        data = np.ones(len(rows), dtype=np.float32)
        choose = sparse.csr_matrix((data, (rows, columns)), shape=(len(edges), self.counts.shape[0]))
        summed = choose @ self._wide()
        return Segmented(summed, np.array(edges, dtype=np.int64).reshape(-1, 2), np.array(firsts, dtype=np.int64))

    def _wide(self) -> Any:
        """The counts with a column for each term of the vocabulary, which may have grown since."""
        held = self.counts
        return sparse.csr_matrix((held.data, held.indices, held.indptr), shape=(held.shape[0], len(self.vocabulary)))
