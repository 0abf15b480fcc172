"""Several methods as one: standardised scores added, with what the citations between the cases say."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.cases.authority import authority, cited_by_similar
from pincite.cases.case_set import CaseSet
from pincite.cases.ranking import CaseMethod, CaseRanker, CaseRanking, CaseTexts, Progress, Reason, ordered


@dataclass(frozen=True, slots=True)
class CaseBlend:
    """Methods that count alike, and the weights of citations beside them."""

    name: str
    parts: tuple[CaseMethod, ...]
    authority: float = 0.0
    """Of how often a case is named at all."""
    cited: float = 0.0
    """Of how often those name it that are most like the query."""
    among: int = 100
    """So many of them."""
    named: float = 0.0
    """Of being named by the query itself."""


class BlendRanker:
    """The same contract as a ranker of one method; the reason comes from the first part."""

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
    """The mean of standardised scores."""
    found = np.zeros(len(scores[0]))
    for values in scores:
        spread = float(values.std())
        found += (values - values.mean()) / spread if spread > 0 else 0.0
    return np.round(found / len(scores), 6)
