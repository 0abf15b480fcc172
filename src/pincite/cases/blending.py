"""Several methods as one: standardised scores added, with how often others name a case."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.cases.authority import named_by_others
from pincite.cases.case_set import CaseSet
from pincite.cases.ranking import CaseMethod, CaseRanker, CaseRanking, CaseTexts, Progress, Reason, ordered


@dataclass(frozen=True, slots=True)
class CaseBlend:
    """Methods that count alike, and the weight of a case's authority beside each of them."""

    name: str
    parts: tuple[CaseMethod, ...]
    authority: float = 0.0


class BlendRanker:
    """The same contract as a ranker of one method; the reason comes from the first part."""

    def __init__(self, cases: CaseSet, blend: CaseBlend, read: CaseTexts | None = None) -> None:
        self.cases, self.blend = cases, blend
        texts = read or CaseTexts(cases)
        self.rankers = [CaseRanker(cases, part, texts) for part in blend.parts]
        self.authority = named_by_others(cases.candidates) if blend.authority else np.zeros(len(cases.candidates))

    def rank(self, progress: Progress | None = None) -> list[CaseRanking]:
        found = []
        for at in range(len(self.cases.queries)):
            scores = blended([ranker.scores(at) for ranker in self.rankers], self.blend.authority * self.authority)
            found.append(ordered(self.cases, at, scores, self.rankers[0].place[at], self.rankers[0].tie_order))
            if progress:
                progress(at + 1, len(self.cases.queries))
        return found

    def reason(self, query: int, case: str) -> Reason | None:
        return self.rankers[0].reason(query, case)


def blended(scores: Sequence[NDArray[np.float64]], authority: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of standardised scores, and the authority."""
    found = np.zeros(len(authority))
    for values in scores:
        spread = float(values.std())
        found += (values - values.mean()) / spread if spread > 0 else 0.0
    return np.round(found / max(1, len(scores)) + authority, 6)
