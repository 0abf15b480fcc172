"""Selection: the ranked cases that are answers are above alpha, among the best beta, and at least gamma times the best.

Each of the three conditions keeps a prefix of the ranking, so all three together keep the shortest of three prefixes.
The whole grid is then arithmetic on prefix lengths and on counts of relevant cases.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ALPHAS = tuple(round(0.1 * step, 1) for step in range(10))
BETAS = (1, *range(5, 201, 5))
GAMMAS = (*(round(0.1 * step, 1) for step in range(10)), 0.95, 0.99, 0.995, 0.999, 0.9995, 0.9999)


@dataclass(frozen=True, slots=True)
class Selection:
    """The three thresholds. With `own`, alpha is compared with the score divided by the score of the query with itself;
    raw BM25 scores are nearly all above any alpha of the grid."""

    alpha: float = 0.0
    beta: int = 200
    gamma: float = 0.0
    own: bool = False

    def count(self, scores: NDArray[np.float64], self_score: float = 1.0) -> int:
        """How many of these scores, best first, are answers."""
        return int(_prefixes(scores, self_score, (self.alpha,), (self.beta,), (self.gamma,), own=self.own)[0, 0, 0])


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """The scores of a query, best first, which of them are relevant, the number of relevant cases, and the score of the
    query with itself."""

    scores: NDArray[np.float64]
    right: NDArray[np.bool_]
    relevant: int
    self_score: float = 1.0


@dataclass(frozen=True, slots=True)
class MicroFigures:
    """Micro-averaged figures: counts are added over all queries first."""

    precision: float
    recall: float
    f1: float


def micro(right: float, kept: float, relevant: float) -> MicroFigures:
    precision, recall = right / kept if kept else 0.0, right / relevant if relevant else 0.0
    return MicroFigures(precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0)


def measured(ranked: Sequence[Ranked], selection: Selection) -> MicroFigures:
    """Micro precision, recall and F1 of a selection."""
    kept = [selection.count(one.scores, one.self_score) for one in ranked]
    right = sum(int(one.right[:count].sum()) for one, count in zip(ranked, kept, strict=True))
    return micro(right, sum(kept), sum(one.relevant for one in ranked))


def tuned(ranked: Sequence[Ranked], *, own: bool = False) -> tuple[Selection, MicroFigures]:
    """The selection of the grid with the best micro-F1. Of equal ones it is the first, which keeps the most cases."""
    shape = (len(ALPHAS), len(BETAS), len(GAMMAS))
    right, kept = np.zeros(shape), np.zeros(shape)
    for one in ranked:
        counts = _prefixes(one.scores, one.self_score, ALPHAS, BETAS, GAMMAS, own=own)
        sums = np.concatenate([[0], np.cumsum(one.right)])
        kept += counts
        right += sums[counts]
    relevant = sum(one.relevant for one in ranked)
    total = kept + relevant
    scores = np.divide(2 * right, total, out=np.zeros(shape), where=total > 0)
    a, b, g = np.unravel_index(int(np.argmax(scores)), shape)
    best = Selection(ALPHAS[a], BETAS[b], GAMMAS[g], own)
    return best, micro(float(right[a, b, g]), float(kept[a, b, g]), relevant)


def _prefixes(
    scores: NDArray[np.float64],
    self_score: float,
    alphas: Sequence[float],
    betas: Sequence[int],
    gammas: Sequence[float],
    *,
    own: bool,
) -> NDArray[np.int64]:
    """How many scores each combination of thresholds keeps."""
    if not len(scores):
        return np.zeros((len(alphas), len(betas), len(gammas)), dtype=np.int64)
    falling = -scores
    scaled = falling / self_score if own and self_score > 0 else falling
    above = np.searchsorted(scaled, -np.array(alphas), side="left")
    near = np.searchsorted(falling, -np.array(gammas) * scores[0], side="right")
    best = np.minimum(np.array(betas), len(scores))
    found: NDArray[np.int64] = np.minimum(np.minimum(above[:, None, None], best[None, :, None]), near[None, None, :])
    return found
