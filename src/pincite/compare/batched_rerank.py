"""Re-ranking of several documents at once: their passages are collected first, and then scored together.

The model reads passages of similar length at once. Those of one document are few and of all lengths; those of several
fill its batches, and a passage that several documents share is read once.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pincite.models.reranker import Reranker


class CollectedPassages(Reranker):
    """In place of a re-ranker: notes what it would read. No passage is scored."""

    def __init__(self, reranker: Reranker) -> None:
        self.reranker = reranker
        self.name, self.sha256 = reranker.name, reranker.sha256
        self.passages: dict[str, dict[str, None]] = {}
        """The passages of each question, in the order in which they came."""

    def scores(self, question: str, passages: Sequence[str]) -> NDArray[np.float64]:
        self.passages.setdefault(question, {}).update(dict.fromkeys(passages))
        return np.zeros(len(passages))

    def scored(self) -> "ScoredPassages":
        """A re-ranker that has read all of it."""
        known: dict[tuple[str, str], float] = {}
        for question, passages in self.passages.items():
            scores = self.reranker.scores(question, list(passages))
            known |= {(question, passage): float(score) for passage, score in zip(passages, scores, strict=True)}
        return ScoredPassages(self.reranker, known)


class ScoredPassages(Reranker):
    """A re-ranker that has read passages already; others are read when they come."""

    def __init__(self, reranker: Reranker, known: dict[tuple[str, str], float]) -> None:
        self.reranker = reranker
        self.name, self.sha256 = reranker.name, reranker.sha256
        self.known = known

    def scores(self, question: str, passages: Sequence[str]) -> NDArray[np.float64]:
        if any((question, passage) not in self.known for passage in passages):
            return self.reranker.scores(question, passages)
        return np.array([self.known[question, passage] for passage in passages], dtype=np.float64)
