"""Ranks the candidates of each query case by a method, and names the pair of segments that is the reason."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.cases.aggregation import Aggregation
from pincite.cases.analysis import Analysis
from pincite.cases.authority import PartyNames, citing
from pincite.cases.case_set import CaseSet
from pincite.cases.dates import decided
from pincite.cases.scoring import SegmentBm25, SegmentIndex
from pincite.cases.segments import Segmented, TermCounts, Windows, only_where
from pincite.cases.suppressed_citations import suppressed
from pincite.cases.term_selection import TermChoice
from pincite.cases.words import CaseWords, Cleaning, Progress, WordNumbers
from pincite.text import Document, Passage
from pincite.text.order import best_first

WHOLE_CASE = Windows(size=0)


@dataclass(frozen=True, slots=True)
class CaseMethod:
    """How cases are cut, which terms of a query count, how segments are scored, and how cases are scored from them."""

    name: str
    analysis: Analysis = field(default_factory=Analysis)
    windows: Windows = field(default_factory=Windows)
    query_windows: Windows | None = None
    """The windows of queries, where they differ from those of candidates."""
    bm25: SegmentBm25 = field(default_factory=SegmentBm25)
    choice: TermChoice = field(default_factory=TermChoice)
    aggregation: Aggregation = field(default_factory=Aggregation)
    whole: float = 0.0
    """The weight of the score of whole documents. Both scores are divided by their best."""
    common: float = 1.0
    """Terms in more than this share of the cases are left out."""
    dates: bool = False
    """Ranks candidates that were decided after the query last: a case cannot cite a later one."""
    drop_french: bool = False
    """Leaves out lines in French."""
    around_marks: bool = False
    """Counts only the windows of a query that hold a suppressed citation, where there are any."""
    drop_citations: bool = False
    """Leaves out citations by reporter (the extra `cases`)."""

    @property
    def clean(self) -> Cleaning:
        return Cleaning(self.drop_french, self.drop_citations)


@dataclass(frozen=True, slots=True)
class Reason:
    """The best pair of segments: the passage of the query, and the passage of the case."""

    query: Passage
    case: Passage


@dataclass(frozen=True, slots=True, eq=False)
class CaseRanking:
    """The candidates of one query, best first, with their scores. `self_score` is that of the query with itself."""

    query: str
    cases: tuple[str, ...]
    scores: NDArray[np.float64]
    self_score: float


class CaseTexts:
    """The candidates, read once for all methods and queries. With `keep`, their segments are also kept, for the methods
    and queries that come after."""

    def __init__(self, candidates: Sequence[Document], progress: Progress | None = None, *, keep: bool = False) -> None:
        self.candidates = tuple(candidates)
        self._keep = keep
        self._progress = progress
        self._places = {case.id: at for at, case in enumerate(self.candidates)}
        self._numbers: dict[Cleaning, WordNumbers] = {}
        self._words: dict[Cleaning, CaseWords] = {}
        self._terms: dict[tuple[Cleaning, Analysis], TermCounts] = {}
        self._segments: dict[tuple[Cleaning, Analysis, Windows], Segmented] = {}
        self._citations: tuple[PartyNames, Any] | None = None

    def citations(self) -> tuple[PartyNames, Any]:
        """The candidates by the names of their parties, and the citation graph between them."""
        if self._citations is None:
            names = PartyNames(self.candidates)
            self._citations = names, citing(self.candidates, names)
        return self._citations

    def words(self, clean: Cleaning) -> CaseWords:
        if clean not in self._words:
            self._numbers[clean] = WordNumbers()
            self._words[clean] = CaseWords.read(self.candidates, self._numbers[clean], clean, self._progress)
        return self._words[clean]

    def terms(self, method: "CaseMethod") -> TermCounts:
        key = (method.clean, method.analysis)
        if key not in self._terms:
            words = self.words(method.clean)
            self._terms[key] = TermCounts(method.analysis, self._numbers[method.clean], words)
        return self._terms[key]

    def segments(self, method: "CaseMethod", windows: Windows) -> Segmented:
        """The segments of the candidates."""
        key = (method.clean, method.analysis, windows)
        if key in self._segments:
            return self._segments[key]
        found = self.terms(method).windows(self.words(method.clean), windows)
        if self._keep:
            self._segments[key] = found
        return found

    def asked(self, queries: Sequence[Document], method: "CaseMethod", windows: Windows) -> Segmented:
        """The segments of queries. A query that is one of the candidates is not read again."""
        words = self.words(method.clean)
        own = [self._place(query) for query in queries]
        new = [query for query, place in zip(queries, own, strict=True) if place is None]
        read = CaseWords.read(new, self._numbers[method.clean], method.clean)
        both = CaseWords.joined([words.only([place for place in own if place is not None]), read])
        known, after = iter(range(len(queries))), iter(range(len(queries) - len(new), len(queries)))
        order = [next(after) if place is None else next(known) for place in own]
        return self.terms(method).windows(both.only(order), windows)

    def _place(self, query: Document) -> int | None:
        place = self._places.get(query.id)
        return place if place is not None and self.candidates[place].text == query.text else None


class CaseRanker:
    """Ranks the cases of a set by one method."""

    def __init__(self, cases: CaseSet, method: CaseMethod, read: "CaseTexts | None" = None) -> None:
        self.cases, self.method = cases, method
        texts = read or CaseTexts(cases.candidates)
        self.vocabulary = texts.terms(method).vocabulary
        self._candidates = {case.id: at for at, case in enumerate(cases.candidates)}
        self.place = [self._candidates.get(query.id) for query in cases.queries]
        self.segments = texts.segments(method, method.windows)
        self.asked = texts.asked(cases.queries, method, method.query_windows or method.windows)
        needs_whole = method.whole or method.choice.way != "all"
        whole = texts.segments(method, WHOLE_CASE) if needs_whole or method.common < 1 else self.segments
        whole_asked = texts.asked(cases.queries, method, WHOLE_CASE) if needs_whole else self.asked
        if method.common < 1:
            found = np.bincount(whole.counts.indices, minlength=whole.counts.shape[1])
            common = found > method.common * len(cases.candidates)
            self.segments, whole = self.segments.without(common), whole.without(common)
        self.index = SegmentIndex(self.segments, method.bm25, self.asked.counts)
        self.chosen = method.choice.kept(whole_asked, whole, self.index.idf)
        self.whole_index = SegmentIndex(whole, method.bm25, whole_asked.counts) if method.whole else None
        self.whole_asked = whole_asked
        self.tie_order = np.argsort(np.argsort([case.sha256 for case in cases.candidates]))
        self.decided = [decided(case.text) for case in cases.candidates] if method.dates else []

    def rank(self, progress: Progress | None = None) -> list[CaseRanking]:
        """A ranking of all candidates for each query, without the query itself."""
        scores = self.all_scores(progress)
        return [ordered(self.cases, at, row, self.place[at], self.tie_order) for at, row in enumerate(scores)]

    def all_scores(self, progress: Progress | None = None) -> list[NDArray[np.float64]]:
        """A score for each candidate, for each query. Queries are scored side by side, on all cores."""
        found = []
        with ThreadPoolExecutor(max(1, os.cpu_count() or 1)) as threads:
            for scores in threads.map(self.scores, range(len(self.cases.queries))):
                found.append(scores)
                if progress:
                    progress(len(found), len(self.cases.queries))
        return found

    def scores(self, at: int) -> NDArray[np.float64]:
        """A score for each candidate."""
        scores = self.method.aggregation(self.index.best(self._rows(at)))
        if self.whole_index is not None:
            whole = self.whole_index.best(self._whole_row(at))
            scores = _scaled(scores) + self.method.whole * _scaled(self.method.aggregation(whole))
        if self.method.dates:
            scores = self._not_later(scores, decided(self.cases.queries[at].text))
        return scores

    def reason(self, query: int, case: str) -> Reason | None:
        """Why a case was found: the best pair of segments, with offsets; None where they share no term."""
        rows = self._rows(query)
        scores = self.index.pairs(rows, self._candidates[case])
        if not scores.size or scores.max() <= 0:
            return None
        row, segment = np.unravel_index(int(np.argmax(scores)), scores.shape)
        mine = self.asked.edges[self._counting(query)[row]].tolist()
        its = self.segments.edges[self.segments.of_case(self._candidates[case])][segment].tolist()
        return Reason(Passage(self.cases.queries[query].id, *mine), Passage(case, *its))

    def _rows(self, at: int) -> Any:
        """The segments of a query that count, reduced to the terms that count."""
        return _only(self.asked.counts[self._counting(at)], self.chosen[at])

    def _counting(self, at: int) -> NDArray[np.int64]:
        own = self.asked.of_case(at)
        every = np.arange(own.start, own.stop)
        if not self.method.around_marks:
            return every
        marks = [start for start, _ in suppressed(self.cases.queries[at].text)]
        edges = self.asked.edges[own]
        marked = np.array(
            [any(start <= mark <= end for mark in marks) for start, end in edges.tolist()], dtype=np.bool_
        )
        return every[marked] if marked.any() else every

    def _whole_row(self, at: int) -> Any:
        return _only(self.whole_asked.counts[self.whole_asked.of_case(at)], self.chosen[at])

    def _not_later(self, scores: NDArray[np.float64], date: str) -> NDArray[np.float64]:
        if not date:
            return scores
        later = np.array([bool(other) and other > date for other in self.decided])
        return np.where(later, np.minimum(scores, 0.0) - 1.0, scores)


def _only(rows: Any, terms: NDArray[np.int64] | None) -> Any:
    return rows if terms is None else only_where(rows, np.isin(rows.indices, terms))


def _scaled(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    best = float(scores.max()) if len(scores) else 0.0
    return scores / best if best > 0 else scores


def ordered(
    cases: CaseSet, at: int, scores: NDArray[np.float64], own: int | None, tie_order: NDArray[np.int64]
) -> CaseRanking:
    """All candidates but the query itself, best first. Equal scores are ordered by the hash of the text."""
    among = np.ones(len(scores), dtype=np.bool_)
    if own is not None:
        among[own] = False
    pool = cases.pools.get(cases.queries[at].id)
    if pool is not None:
        among &= np.array([case.id in pool for case in cases.candidates], dtype=np.bool_)
    order = best_first(scores, len(scores), tie_order, among)
    names = tuple(cases.candidates[place].id for place in order.tolist())
    return CaseRanking(cases.queries[at].id, names, scores[order], float(scores[own]) if own is not None else 1.0)
