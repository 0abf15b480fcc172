"""The best units of a question, read again by a re-ranker; the others keep their order behind them."""

from dataclasses import dataclass, replace

import numpy as np

from pincite.models.reranker import Reranker
from pincite.retrieve.asked import bare_question
from pincite.retrieve.context_scores import Scored
from pincite.retrieve.shelves import Shelves
from pincite.retrieve.unit_vectors import context_texts

PART = "rerank"


@dataclass(frozen=True, slots=True)
class RescoringConfig:
    """How many units are read again, and how much the re-ranker's score counts beside the first one."""

    depth: int = 40
    weight: float = 0.35


class Rescoring:
    """Adds the part `rerank` to scored units."""

    def __init__(self, reranker: Reranker, config: RescoringConfig | None = None) -> None:
        self.reranker = reranker
        self.config = config or RescoringConfig()

    def __call__(self, shelves: Shelves, scored: Scored) -> Scored:
        """The same units with new scores: the best `depth` by both, the rest behind them in their order."""
        count = min(self.config.depth, len(scored.scores))
        if not count:
            return scored
        ties = shelves.tie_places(scored.looked)
        places = np.arange(len(scored.scores))
        best = np.lexsort((places, ties, -scored.scores))[:count]
        question = bare_question(scored.understood.question)
        places_of = [scored.looked.place(at) for at in best.tolist()]
        of_document = {document: context_texts(shelves.load(document)) for document, _ in places_of}
        texts = [of_document[document][unit] for document, unit in places_of]
        part = np.full(len(scored.scores), np.nan)
        part[best] = self.reranker.scores(question, texts)
        scores = scored.scores.copy()
        scores[best] += self.config.weight * part[best]
        rest = np.ones(len(scores), dtype=np.bool_)
        rest[best] = False
        if rest.any():
            scores[rest] += min(0.0, float(scores[best].min() - scores[rest].max())) - 1e-6
        return replace(scored, parts={**scored.parts, PART: part}, scores=np.round(scores, 6))
