"""Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pincite.fuse.contract import candidates, weights_for
from pincite.fuse.ranking import Ranking


@dataclass(frozen=True, slots=True)
class ReciprocalRank:
    """Adds weight / (k + rank) over the rankings. A ranking that did not return a passage adds nothing."""

    k: float = 60.0
    weights: tuple[float, ...] = ()
    name: ClassVar[str] = "rrf"

    def __call__(self, rankings: Sequence[Ranking], depth: int) -> Ranking:
        fused = np.zeros(len(rankings[0].scores))
        for weight, ranking in zip(weights_for(self.weights, rankings), rankings, strict=True):
            fused[ranking.order] += weight / (self.k + np.arange(1, len(ranking.order) + 1))
        among = candidates(rankings)
        return Ranking.of(self.name, fused, depth, rankings[0].tie_order, among=among, parts=tuple(rankings))
