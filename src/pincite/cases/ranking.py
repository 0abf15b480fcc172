"""Ranks the candidates of each query case by a method, and names the pair of segments that is the reason."""

from collections.abc import Callable
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
from pincite.cases.segments import Sentences, Vocabulary, Windows
from pincite.cases.sparse import sparse
from pincite.cases.suppressed_citations import suppressed
from pincite.cases.term_selection import TermChoice
from pincite.text import Passage
from pincite.text.order import best_first

Progress = Callable[[int, int], None]


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
    """The sentences of the cases of a set, analysed once for all methods with the same settings."""

    def __init__(self, cases: CaseSet) -> None:
        self.cases = cases
        self._held: dict[tuple[Analysis, bool, bool], tuple[Sentences, Sentences]] = {}
        self._citations: tuple[PartyNames, Any] | None = None

    def citations(self) -> tuple[PartyNames, Any]:
        """The candidates by the names of their parties, and the citation graph between them."""
        if self._citations is None:
            names = PartyNames(self.cases.candidates)
            self._citations = names, citing(self.cases.candidates, names)
        return self._citations

    def sentences(self, method: CaseMethod) -> tuple[Sentences, Sentences]:
        """The sentences of the candidates and of the queries, with one vocabulary."""
        key = (method.analysis, method.drop_french, method.drop_citations)
        if key not in self._held:
            vocabulary = Vocabulary()
            both = (
                Sentences(cases, method.analysis, vocabulary, drop_french=key[1], drop_citations=key[2])
                for cases in (self.cases.candidates, self.cases.queries)
            )
            self._held[key] = (next(both), next(both))
        return self._held[key]


class CaseRanker:
    """Ranks the cases of a set by one method."""

    def __init__(self, cases: CaseSet, method: CaseMethod, read: "CaseTexts | None" = None) -> None:
        self.cases, self.method = cases, method
        held, asked = (read or CaseTexts(cases)).sentences(method)
        self.vocabulary = held.vocabulary
        own = {case.id: at for at, case in enumerate(cases.candidates)}
        self.place = [own.get(query.id) for query in cases.queries]
        self.segments = held.windows(method.windows)
        self.asked = asked.windows(method.query_windows or method.windows)
        whole, whole_asked = held.windows(Windows(size=0)), asked.windows(Windows(size=0))
        if method.common < 1:
            found = np.asarray((whole.counts > 0).sum(axis=0)).ravel()
            common = found > method.common * len(cases.candidates)
            self.segments, whole = self.segments.without(common), whole.without(common)
        self.index = SegmentIndex(self.segments, method.bm25)
        self.chosen = method.choice.kept(whole_asked, whole, self.index.idf)
        self.whole_index = SegmentIndex(whole, method.bm25) if method.whole else None
        self.whole_asked = whole_asked
        self.tie_order = np.argsort(np.argsort([case.sha256 for case in cases.candidates]))
        self.decided = [decided(case.text) for case in cases.candidates] if method.dates else []

    def rank(self, progress: Progress | None = None) -> list[CaseRanking]:
        """A ranking of all candidates for each query, without the query itself."""
        found = []
        for at in range(len(self.cases.queries)):
            found.append(self._ranking(at))
            if progress:
                progress(at + 1, len(self.cases.queries))
        return found

    def _ranking(self, at: int) -> CaseRanking:
        return ordered(self.cases, at, self.scores(at), self.place[at], self.tie_order)

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
        place = next(at for at, entry in enumerate(self.cases.candidates) if entry.id == case)
        rows = self._rows(query)
        best = self.index.best(rows)[:, place]
        if not len(best) or not np.isfinite(best).any() or best.max() == 0:
            return None
        row = int(np.argmax(best))
        segment = self.index.best_segment(rows[row], place)
        mine = self.asked.edges[self._counting(query)[row]].tolist()
        its = self.segments.edges[segment].tolist()
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
    if terms is None:
        return rows
    keep = np.isin(rows.indices, terms)
    counts = np.concatenate([[0], np.cumsum(keep)])[rows.indptr]
    return sparse.csr_matrix((rows.data[keep], rows.indices[keep], counts), shape=rows.shape)


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
