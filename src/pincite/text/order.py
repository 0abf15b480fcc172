"""The order of results: by score, and between equal scores by what the documents say, never by their names."""

import numpy as np
from numpy.typing import NDArray

from pincite.errors import UsageError


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
    positions = np.flatnonzero(among) if among is not None else None
    pool = scores if positions is None else scores[positions]
    if k < len(pool):
        threshold = np.partition(pool, len(pool) - k)[len(pool) - k]
        chosen = np.flatnonzero(pool >= threshold)
        positions = chosen if positions is None else positions[chosen]
    elif positions is None:
        positions = np.arange(len(pool))
    order = np.lexsort((tie_order[positions], -scores[positions]))
    return positions[order[:k]].astype(np.int64)
