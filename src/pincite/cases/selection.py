"""Selection: which of the ranked cases are answers.

`Selection` is the published rule: a score above alpha, among the best beta, at least gamma times the best. Each of the
three conditions keeps a prefix of the ranking, so all three together keep the shortest of three prefixes, and the whole
grid is arithmetic on prefix lengths and on counts of relevant cases. `Outstanding` goes by the shape of the scores.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ALPHAS = tuple(round(0.1 * step, 1) for step in range(10))
BETAS = (1, *range(5, 201, 5))
GAMMAS = (*(round(0.1 * step, 1) for step in range(10)), 0.95, 0.99, 0.995, 0.999, 0.9995, 0.9999)
DEVIATIONS = tuple(round(1 + 0.25 * step, 2) for step in range(25))
MOST = (*range(1, 11), *range(12, 31, 2), 40, 50, 75, 100)


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

    def __str__(self) -> str:
        scores = "scores divided by that of the query with itself" if self.own else "raw scores"
        return f"alpha {self.alpha} (on {scores}), beta {self.beta}, gamma {self.gamma}"


@dataclass(frozen=True, slots=True)
class Outstanding:
    """The scores that stand out: by so many standard deviations above the mean of all candidates, and at most so many.
    The best one is always an answer. Neither the scale nor the zero of the scores matters, so one setting suits every
    method and collection. The defaults are the best on AILA 2019 (docs/cases.md has the cross-validated figures)."""

    deviations: float = 5.0
    most: int = 10

    def count(self, scores: NDArray[np.float64], self_score: float = 1.0) -> int:
        """How many of these scores, best first, are answers."""
        return int(_outstanding(scores, (self.deviations,), (self.most,))[0, 0])

    def __str__(self) -> str:
        return f"at least {self.deviations} standard deviations above the mean, at most {self.most}"


AnySelection = Selection | Outstanding
DEFAULT = Outstanding()
"""What `pincite cases` selects by where nothing was tuned."""


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


def measured(ranked: Sequence[Ranked], selection: AnySelection) -> MicroFigures:
    """Micro precision, recall and F1 of a selection."""
    kept = [selection.count(one.scores, one.self_score) for one in ranked]
    right = sum(int(one.right[:count].sum()) for one, count in zip(ranked, kept, strict=True))
    return micro(right, sum(kept), sum(one.relevant for one in ranked))


def tuned(ranked: Sequence[Ranked], *, own: bool = False) -> tuple[Selection, MicroFigures]:
    """The published rule with the best micro-F1 of the grid. Of equal ones it is the first, which keeps the most."""
    kept = [_prefixes(one.scores, one.self_score, ALPHAS, BETAS, GAMMAS, own=own) for one in ranked]
    (a, b, g), figures = _best(ranked, kept, (len(ALPHAS), len(BETAS), len(GAMMAS)))
    return Selection(ALPHAS[a], BETAS[b], GAMMAS[g], own), figures


def tuned_outstanding(ranked: Sequence[Ranked]) -> tuple[Outstanding, MicroFigures]:
    """The rule by the shape of the scores with the best micro-F1 of its grid."""
    kept = [_outstanding(one.scores, DEVIATIONS, MOST) for one in ranked]
    (c, m), figures = _best(ranked, kept, (len(DEVIATIONS), len(MOST)))
    return Outstanding(DEVIATIONS[c], MOST[m]), figures


def tuned_best(ranked: Sequence[Ranked]) -> tuple[AnySelection, MicroFigures]:
    """The best of both rules; of equal ones the published."""
    found: list[tuple[AnySelection, MicroFigures]] = [tuned(ranked, own=own) for own in (False, True)]
    return max([*found, tuned_outstanding(ranked)], key=lambda one: one[1].f1)


def _best(
    ranked: Sequence[Ranked], kept: Sequence[NDArray[np.int64]], shape: tuple[int, ...]
) -> tuple[tuple[int, ...], MicroFigures]:
    """The place of the best micro-F1 in a grid, and its figures. `kept` says how many each cell keeps of a query."""
    right, total = np.zeros(shape), np.zeros(shape)
    for one, counts in zip(ranked, kept, strict=True):
        total += counts
        right += np.concatenate([[0], np.cumsum(one.right)])[counts]
    relevant = sum(one.relevant for one in ranked)
    scores = np.divide(2 * right, total + relevant, out=np.zeros(shape), where=total + relevant > 0)
    place = tuple(int(at) for at in np.unravel_index(int(np.argmax(scores)), shape))
    return place, micro(float(right[place]), float(total[place]), relevant)


def _outstanding(scores: NDArray[np.float64], deviations: Sequence[float], most: Sequence[int]) -> NDArray[np.int64]:
    """How many scores each combination keeps."""
    if not len(scores):
        return np.zeros((len(deviations), len(most)), dtype=np.int64)
    bounds = scores.mean() + np.array(deviations) * scores.std()
    above = np.maximum(1, np.searchsorted(-scores, -bounds, side="right"))
    found: NDArray[np.int64] = np.minimum(above[:, None], np.array(most)[None, :])
    return found


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
