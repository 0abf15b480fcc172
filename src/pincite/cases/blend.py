"""A blend of methods: their standardised scores are averaged, and citations between the cases are added."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.cases.authority import authority, cited_by_similar
from pincite.cases.case_set import CaseSet
from pincite.cases.ranking import CaseMethod, CaseRanker, CaseRanking, CaseTexts, Reason, ordered
from pincite.cases.words import Progress


@dataclass(frozen=True, slots=True)
class CaseBlend:
    """Methods of equal weight, and the weights of citations."""

    name: str
    parts: tuple[CaseMethod, ...]
    authority: float = 0.0
    """The weight of how often a case is cited by all cases."""
    cited: float = 0.0
    """The weight of how often a case is cited by the cases most similar to the query."""
    among: int = 100
    """How many similar cases are asked for their citations."""
    named: float = 0.0
    """The weight of being cited by the query itself."""


class BlendRanker:
    """Ranks cases by a blend, with the contract of `CaseRanker`. The reason comes from the first method."""

    def __init__(self, cases: CaseSet, blend: CaseBlend, read: CaseTexts | None = None) -> None:
        self.cases, self.blend = cases, blend
        self.texts = read or CaseTexts(cases.candidates)
        self.first = CaseRanker(cases, blend.parts[0], self.texts)
        self.similarity: list[NDArray[np.float64]] = []
        """What `rank` gave the candidates of each query before citations were added."""
        if blend.authority or blend.cited or blend.named:
            self.names, self.graph = self.texts.citations()

    def rank(self, progress: Progress | None = None) -> list[CaseRanking]:
        queries, parts = len(self.cases.queries), len(self.blend.parts)
        each = []
        for at, part in enumerate(self.blend.parts):
            # One part after the other, so that only one index is in memory besides that of the first.
            ranker = CaseRanker(self.cases, part, self.texts) if at else self.first
            each.append(ranker.all_scores(_shifted(progress, at * queries, parts * queries)))
        self.similarity = [blended([scores[at] for scores in each]) for at in range(queries)]
        place, ties = self.first.place, self.first.tie_order
        return [ordered(self.cases, at, self._scores(at), place[at], ties) for at in range(queries)]

    def reason(self, query: int, case: str) -> Reason | None:
        return self.first.reason(query, case)

    def _scores(self, at: int) -> NDArray[np.float64]:
        scores, own = self.similarity[at], self.first.place[at]
        found = scores
        if self.blend.authority:
            found = found + self.blend.authority * authority(self.graph)
        if self.blend.cited:
            others = scores.copy()
            if own is not None:
                others[own] = 0.0
            found = found + self.blend.cited * cited_by_similar(self.graph, others, self.blend.among)
        if self.blend.named:
            named = np.zeros(len(scores))
            named[sorted(self.names.within(self.cases.queries[at].text))] = 1.0
            found = found + self.blend.named * named
        return np.round(found, 6)


def _shifted(progress: Progress | None, before: int, total: int) -> Progress | None:
    """The progress of a part, told as progress of the whole."""
    return None if progress is None else lambda done, _: progress(before + done, total)


def blended(scores: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """The mean of the standardised scores: each list less its mean, divided by its standard deviation."""
    found = np.zeros(len(scores[0]))
    for values in scores:
        spread = float(values.std())
        found += (values - values.mean()) / spread if spread > 0 else 0.0
    return np.round(found / len(scores), 6)
