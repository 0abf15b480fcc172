"""Re-ranking: the best units are read together with the question; fusion, trimming and likelihoods follow from that."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pincite.engine.contract import CandidateView
from pincite.engine.unit_vectors import context_texts
from pincite.fuse.parts import PartFusion
from pincite.models import Reranker
from pincite.query.normalise import bare_question
from pincite.search.answerability import Answerability
from pincite.search.loading import Loader
from pincite.search.question_features import question_features
from pincite.search.scoring import ScoredUnits
from pincite.search.trimmer import Trimmer
from pincite.search.values import holds
from pincite.text.hit import LIKELIHOOD

PART, FIRST = "rerank", "first"
"""The part that the re-ranker gives, and the score of the first ranking as a part."""
DENSE = "dense"
"""The part that says how near a unit is in meaning; it is missing where there are no vectors."""
VALUE = "value"
"""The part that says whether a unit holds a value of the kind that is asked for."""
DEPTH = 40
"""Units read by the re-ranker."""
MOST_ASKED, OF_EACH = 20, 3
"""Where a set of documents is asked about: documents that are read, and units of each of them."""


@dataclass(frozen=True, slots=True)
class RerankStage:
    """What happens to the best units after the first ranking.

    Without a trimmer, hits grow by their scores; without answerability, nothing judges whether they answer.
    """

    reranker: Reranker
    fusion: PartFusion
    depth: int = DEPTH
    answerability: Answerability | None = None
    trimmer: Trimmer | None = None

    def rerank(self, view: CandidateView, scored: ScoredUnits, loader: Loader) -> ScoredUnits:
        """The same units with new scores: the best `depth` by all parts, the rest behind them in their order."""
        best = self._read(scored)
        if not len(best):
            return scored
        part = np.full(len(scored.scores), np.nan)
        question = bare_question(scored.parsed.read, view.language)
        texts = unit_texts(scored, best, loader)
        part[best] = self.reranker.scores(question, texts)
        parts = {**scored.parts, PART: part}
        if expected := scored.parsed.asked.expects:
            value = np.zeros(len(scored.scores))
            value[best] = [holds(text, expected) for text in texts]
            parts[VALUE] = value
        read = fused(self.fusion, view, replace(scored, parts=parts), best)
        if self.answerability is None:
            return read
        return replace(read, parts={**read.parts, LIKELIHOOD: self.answerability.passages(part)})

    def _read(self, scored: ScoredUnits) -> NDArray[np.int64]:
        """The units that are read: the best ones; of each document of a set some, too."""
        best = scored.best(self.depth)
        if not scored.parsed.asked.across or len(scored.units.documents) < 2:
            return best
        ranked = scored.best(len(scored.scores))
        owners = scored.units.owners[ranked]
        order = np.argsort(owners, kind="stable")
        firsts = np.searchsorted(owners[order], owners[order])
        rank = np.empty(len(ranked), dtype=np.int64)
        rank[order] = np.arange(len(ranked)) - firsts
        documents = owners[rank == 0][:MOST_ASKED]
        of_each = (rank < OF_EACH) & np.isin(owners, documents)
        return ranked[of_each | (np.arange(len(ranked)) < len(best))]

    def extent(self, scored: ScoredUnits, at: int, loader: Loader) -> tuple[int, int] | None:
        """How many units before and behind one belong to the same hit; None where hits grow by their scores."""
        if self.trimmer is None or PART not in scored.parts:
            return None
        key, unit = scored.units.place(at)
        loaded = loader(key)
        return self.trimmer.extent(loaded, scored.parts[PART][at - unit : at - unit + len(loaded.units)], unit)

    def answered(self, scored: ScoredUnits) -> float | None:
        """How likely it is that the units that were read answer the question at all, from 0 to 1."""
        if self.answerability is None or PART not in scored.parts:
            return None
        return round(self.answerability.question(scored.parts[PART], scored.parts.get(DENSE)), 4)


def fused(fusion: PartFusion, view: CandidateView, scored: ScoredUnits, best: NDArray[np.int64]) -> ScoredUnits:
    """New scores out of the parts for the units that were read; the rest behind them in their order."""
    parts = {name: values[best] for name, values in scored.parts.items()} | {FIRST: scored.scores[best]}
    scores = scored.scores.copy()
    scores[best] = fusion(parts, question_features(view, scored.parsed))
    rest = np.ones(len(scores), dtype=np.bool_)
    rest[best] = False
    if rest.any():
        scores[rest] += min(0.0, float(scores[best].min() - scores[rest].max())) - 1e-6
    return replace(scored, scores=np.round(scores, 6))


def unit_texts(scored: ScoredUnits, places: NDArray[np.int64], loader: Loader) -> list[str]:
    """The units as models read them: each behind its last heading and its lead-in."""
    found = [scored.units.place(at) for at in places.tolist()]
    loader.fetch([key for key, _ in found])
    of_document = {key: context_texts(loader(key)) for key in {key for key, _ in found}}
    return [of_document[key][unit] for key, unit in found]
