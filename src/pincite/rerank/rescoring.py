"""The best units of a question, read again by a re-ranker; the others keep their order behind them."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pincite.fuse.parts import PartFusion
from pincite.models import Reranker
from pincite.rerank.question import question_features
from pincite.retrieve.asked import bare_question
from pincite.retrieve.context_scores import Scored
from pincite.retrieve.shelves import Shelves
from pincite.retrieve.unit_vectors import context_texts

PART, FIRST = "rerank", "first"
DEPTH = 40


@dataclass(frozen=True, slots=True, eq=False)
class Rescoring:
    """Adds the part `rerank` to scored units, and fuses all parts anew.

    `first` stands for the score before the second reading, beside the parts it is made of.
    """

    reranker: Reranker
    fusion: PartFusion
    depth: int = DEPTH

    def __call__(self, shelves: Shelves, scored: Scored) -> Scored:
        """The same units with new scores: the best `depth` by all parts, the rest behind them in their order."""
        best = best_units(shelves, scored, self.depth)
        if not len(best):
            return scored
        part = np.full(len(scored.scores), np.nan)
        part[best] = self.reranker.scores(bare_question(scored.understood.question), texts_of(shelves, scored, best))
        return fused(self.fusion, shelves, replace(scored, parts={**scored.parts, PART: part}), best)


def fused(fusion: PartFusion, shelves: Shelves, scored: Scored, best: NDArray[np.int64]) -> Scored:
    """New scores out of the parts for units that were read; the rest behind them in their order."""
    parts = {name: values[best] for name, values in scored.parts.items()} | {FIRST: scored.scores[best]}
    scores = scored.scores.copy()
    scores[best] = fusion(parts, question_features(shelves, scored.understood))
    rest = np.ones(len(scores), dtype=np.bool_)
    rest[best] = False
    if rest.any():
        scores[rest] += min(0.0, float(scores[best].min() - scores[rest].max())) - 1e-6
    return replace(scored, scores=np.round(scores, 6))


def best_units(shelves: Shelves, scored: Scored, depth: int) -> NDArray[np.int64]:
    """The places of the best units by their first score."""
    ties = shelves.tie_places(scored.looked)
    places = np.arange(len(scored.scores))
    return np.lexsort((places, ties, -scored.scores))[:depth]


def texts_of(shelves: Shelves, scored: Scored, places: NDArray[np.int64]) -> list[str]:
    """The units as models read them: each behind its last heading and its lead-in."""
    found = [scored.looked.place(at) for at in places.tolist()]
    of_document = {document: context_texts(shelves.load(document)) for document, _ in found}
    return [of_document[document][unit] for document, unit in found]
