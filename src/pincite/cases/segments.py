"""Segments: cases are cut into windows of sentences, and the terms of each window are counted."""

from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.cases.analysis import Analysis
from pincite.cases.sparse import sparse
from pincite.cases.words import CaseWords, WordNumbers
from pincite.errors import UsageError

STOP, UNKNOWN = -2, -1
"""The columns of stop words, and of terms of queries that no candidate has."""


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
        return replace(self, counts=only_where(self.counts, ~terms[self.counts.indices]))

    def of_case(self, at: int) -> slice:
        return slice(int(self.firsts[at]), int(self.firsts[at + 1]))


class TermCounts:
    """The terms of cases by one analysis. Which terms there are is settled by the candidates: what only a query has,
    matches nothing."""

    def __init__(self, analysis: Analysis, numbers: WordNumbers, candidates: CaseWords) -> None:
        self._analysis, self._numbers = analysis, numbers
        self.vocabulary: dict[str, int] = {}
        """The terms of single words and their columns. Pairs of terms follow them."""
        columns = [
            self.vocabulary.setdefault(term, len(self.vocabulary)) if (term := analysis.term(word)) else STOP
            for word in numbers
        ]
        self._of_word = np.array(columns, dtype=np.int32)
        terms, sentences = self._terms(candidates)
        self._pairs: NDArray[np.int64] | None = None
        if analysis.bigrams:
            codes, within = self._paired(terms, sentences)
            self._pairs, place = np.unique(codes, return_inverse=True)
            del codes
            terms = np.concatenate([terms, (place + len(self.vocabulary)).astype(np.int32)])
            del place
            sentences = np.concatenate([sentences, within])
        self.size = len(self.vocabulary) + (0 if self._pairs is None else len(self._pairs))
        self._candidates = candidates
        self._counts = self._counted(terms, sentences, candidates)

    def windows(self, words: CaseWords, windows: Windows) -> Segmented:
        """The term counts of the windows of cases: the sums over their sentences."""
        starts, ends, firsts = [], [], [0]
        for first, behind in zip(words.firsts[:-1].tolist(), words.firsts[1:].tolist(), strict=True):
            for start, end in windows.of(behind - first):
                starts.append(first + start)
                ends.append(first + end)
            firsts.append(len(starts))
        begin, behind_last = np.array(starts, dtype=np.int64), np.array(ends, dtype=np.int64)
        lengths = behind_last - begin
        within = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        columns = np.repeat(begin, lengths) + within
        choose = sparse.csr_matrix(
            (np.ones(len(columns), dtype=np.float32), columns, np.concatenate([[0], np.cumsum(lengths)])),
            shape=(len(begin), len(words.spans)),
        )
        edges = np.stack([words.spans[begin, 0], words.spans[behind_last - 1, 1]], axis=1)
        return Segmented(choose @ self._sentences(words), edges, np.array(firsts, dtype=np.int64))

    def _sentences(self, words: CaseWords) -> Any:
        """Sentences by terms. A term that a sentence repeats has several entries, which sums add."""
        if words is self._candidates:
            return self._counts
        terms, sentences = self._terms(words)
        if self._pairs is not None and len(self._pairs):
            codes, within = self._paired(terms, sentences)
            place = np.minimum(np.searchsorted(self._pairs, codes), len(self._pairs) - 1)
            known = self._pairs[place] == codes
            terms = np.concatenate([terms, (place[known] + len(self.vocabulary)).astype(np.int32)])
            sentences = np.concatenate([sentences, within[known]])
        known = terms != UNKNOWN
        return self._counted(terms[known], sentences[known], words)

    def _counted(self, terms: NDArray[np.int32], sentences: NDArray[np.int32], words: CaseWords) -> Any:
        cells = (np.ones(len(terms), dtype=np.float32), (sentences, terms))
        return sparse.csr_matrix(cells, shape=(len(words.spans), self.size))

    def _terms(self, words: CaseWords) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The terms of the words that are no stop words, and the sentence of each. An unknown term keeps its place: it
        parts its neighbours."""
        new = list(islice(self._numbers, len(self._of_word), None))
        if new:
            terms = (self._analysis.term(word) for word in new)
            more = [self.vocabulary.get(term, UNKNOWN) if term else STOP for term in terms]
            self._of_word = np.concatenate([self._of_word, np.array(more, dtype=np.int32)])
        found = self._of_word[words.words]
        kept = found != STOP
        sentences = np.repeat(np.arange(len(words.spans), dtype=np.int32), np.diff(words.ends))
        return found[kept], sentences[kept]

    def _paired(
        self, terms: NDArray[np.int32], sentences: NDArray[np.int32]
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """A number for each two neighbours in a sentence, and that sentence."""
        one, two = terms[:-1], terms[1:]
        paired = (sentences[:-1] == sentences[1:]) & (one != UNKNOWN) & (two != UNKNOWN)
        codes = one[paired].astype(np.int64) * len(self.vocabulary) + two[paired]
        return codes, sentences[:-1][paired]


def only_where(rows: Any, keep: NDArray[np.bool_]) -> Any:
    """The entries of a sparse matrix that are flagged."""
    ends = np.concatenate([[0], np.cumsum(keep)])[rows.indptr]
    return sparse.csr_matrix((rows.data[keep], rows.indices[keep], ends), shape=rows.shape)
