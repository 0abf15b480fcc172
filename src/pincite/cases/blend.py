"""A blend of methods: their standardised scores are averaged, and citations between the cases are added."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.cases.authority import authority, cited_by_similar
from pincite.cases.case_set import CaseSet
from pincite.cases.ranking import CaseMethod, CaseRanker, CaseRanking, CaseTexts, Progress, Reason, ordered


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
        texts = read or CaseTexts(cases)
        self.rankers = [CaseRanker(cases, part, texts) for part in blend.parts]
        if blend.authority or blend.cited or blend.named:
            self.names, self.graph = texts.citations()

    def rank(self, progress: Progress | None = None) -> list[CaseRanking]:
        found = []
        for at in range(len(self.cases.queries)):
            found.append(
                ordered(self.cases, at, self._scores(at), self.rankers[0].place[at], self.rankers[0].tie_order)
            )
            if progress:
                progress(at + 1, len(self.cases.queries))
        return found

    def reason(self, query: int, case: str) -> Reason | None:
        return self.rankers[0].reason(query, case)

    def _scores(self, at: int) -> NDArray[np.float64]:
        scores = blended([ranker.scores(at) for ranker in self.rankers])
        found, own = scores, self.rankers[0].place[at]
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


def blended(scores: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """The mean of the standardised scores: each list less its mean, divided by its standard deviation."""
    found = np.zeros(len(scores[0]))
    for values in scores:
        spread = float(values.std())
        found += (values - values.mean()) / spread if spread > 0 else 0.0
    return np.round(found / len(scores), 6)
