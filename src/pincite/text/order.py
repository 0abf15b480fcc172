"""The order of results: by score, and between equal scores by what the documents say, never by their names."""

import numpy as np
from numpy.typing import NDArray

from pincite.errors import UsageError

BLOCK = 64
"""Scores are looked through in blocks of this size; the result does not depend on it."""


def check_k(k: int) -> int:
    """`k` itself, if one can ask for that many."""
    if k < 1:
        raise UsageError(f"k must be at least 1, not {k}")
    return k


def best_first(
    scores: NDArray[np.float64], k: int, tie_order: NDArray[np.int64], among: NDArray[np.bool_] | None = None
) -> NDArray[np.int64]:
    """The positions of the `k` best scores (all there are, if fewer), best first, ties by `tie_order`.

    >>> best_first(np.array([0.5, 0.9, 0.5]), 2, tie_order=np.array([2, 1, 0])).tolist()
    [1, 2]
    """
    pool = scores if among is None else np.where(among, scores, -np.inf)
    positions = np.flatnonzero(pool >= _bound(pool, k))
    if among is not None:
        positions = positions[among[positions]]
    order = np.lexsort((tie_order[positions], -scores[positions]))
    return positions[order[:k]]


def _bound(pool: NDArray[np.float64], k: int) -> float:
    """A value that at least `k` entries reach: the k-th largest of the blocks' maxima, which is quick to find."""
    blocks = len(pool) // BLOCK
    if blocks <= k:
        return -np.inf
    greatest = pool[: blocks * BLOCK].reshape(blocks, BLOCK).max(axis=1)
    return float(np.partition(greatest, blocks - k)[blocks - k])
