"""The contract of a fusion: several rankings of the same passages in, one ranking out."""

from collections.abc import Sequence
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from pincite.errors import UsageError
from pincite.fuse.ranking import Ranking


class Fusion(Protocol):
    """A frozen dataclass whose fields are its settings. `weights` has one entry for each ranking; empty means equal."""

    name: ClassVar[str]

    def __call__(self, rankings: Sequence[Ranking], depth: int) -> Ranking: ...


def candidates(rankings: Sequence[Ranking]) -> NDArray[np.bool_]:
    """The passages that at least one of the rankings returned."""
    found = np.zeros(len(rankings[0].scores), dtype=np.bool_)
    for ranking in rankings:
        found[ranking.order] = True
    return found


def weights_for(weights: tuple[float, ...], rankings: Sequence[Ranking]) -> tuple[float, ...]:
    """One weight for each ranking; equal weights where none are given."""
    if not weights:
        return (1.0,) * len(rankings)
    if len(weights) != len(rankings):
        names = ", ".join(ranking.name for ranking in rankings)
        raise UsageError(f"{len(weights)} weights for {len(rankings)} rankings ({names}); give one weight for each")
    return weights
