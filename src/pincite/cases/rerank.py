"""Re-ranks the best cases with the project's models: the encoder or the re-ranker reads the best pair of segments."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pincite.cases.blend import BlendRanker, CaseBlend
from pincite.cases.case_set import CaseSet
from pincite.cases.ranking import CaseRanking, CaseTexts, Reason
from pincite.cases.words import Progress
from pincite.errors import one_of
from pincite.models import load_encoder, load_reranker
from pincite.models.shipped import ENCODER, RERANKER

KINDS = ("dense", "rerank")
"""What scores a pair of segments: the cosine of their vectors, or the re-ranker."""
LONGEST = 1500
"""How many characters of a segment a model is given."""


@dataclass(frozen=True, slots=True)
class CaseRerank:
    """A blend whose best `depth` cases are re-ranked. `weight` is the weight of the model's standardised scores."""

    name: str
    blend: CaseBlend
    kind: str
    depth: int = 20
    weight: float = 0.3

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise one_of("kind of re-ranking", self.kind, KINDS)


class RerankingRanker:
    """Re-ranks the best cases, with the contract of `CaseRanker`. The cases behind them keep their order."""

    def __init__(self, cases: CaseSet, method: CaseRerank, read: CaseTexts | None = None) -> None:
        self.cases, self.method = cases, method
        self.first = BlendRanker(cases, method.blend, read)
        self.scores = _cosines() if method.kind == "dense" else _reranker_scores()
        self.texts = {case.id: case.text for case in cases.candidates}

    def rank(self, progress: Progress | None = None) -> list[CaseRanking]:
        rankings = self.first.rank()
        found = []
        for at, ranking in enumerate(rankings):
            found.append(self._reranked(at, ranking))
            if progress:
                progress(at + 1, len(rankings))
        return found

    def reason(self, query: int, case: str) -> Reason | None:
        return self.first.reason(query, case)

    def _reranked(self, at: int, ranking: CaseRanking) -> CaseRanking:
        best = ranking.cases[: self.method.depth]
        pairs = []
        for case in best:
            reason = self.reason(at, case)
            mine = self.cases.queries[at].text[reason.query.start : reason.query.end] if reason else ""
            its = self.texts[case][reason.case.start : reason.case.end] if reason else ""
            pairs.append((" ".join(mine.split())[:LONGEST], " ".join(its.split())[:LONGEST]))
        values = np.array([self.scores(*pair) for pair in pairs])
        spread = float(values.std()) if len(values) else 0.0
        more = (values - values.mean()) / spread if spread > 0 else np.zeros(len(values))
        scores = ranking.scores.copy()
        scores[: len(best)] = np.round(scores[: len(best)] + self.method.weight * more, 6)
        low = float(scores[: len(best)].min()) if len(best) else 0.0
        rest = scores[len(best) :]
        if len(rest):
            scores[len(best) :] = rest + min(0.0, low - float(rest.max())) - 1e-6
        order = np.argsort(-scores, kind="stable")
        names = tuple(ranking.cases[place] for place in order.tolist())
        return CaseRanking(ranking.query, names, scores[order], ranking.self_score)


def _cosines() -> Callable[[str, str], float]:
    encoder = load_encoder(ENCODER)

    def cosine(query: str, passage: str) -> float:
        one, two = encoder.encode([query or " ", passage or " "])
        return round(float(one @ two), 6)

    return cosine


def _reranker_scores() -> Callable[[str, str], float]:
    reranker = load_reranker(RERANKER)
    return lambda query, passage: float(reranker.scores(query, [passage])[0])
