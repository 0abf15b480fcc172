"""Weighted sum of min-max scaled scores: the seeds' hybrid."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pincite.fuse.contract import candidates, weights_for
from pincite.fuse.ranking import Ranking


@dataclass(frozen=True, slots=True)
class Weighted:
    """Scales the scores of each ranking to 0..1 over all passages, and ranks the union of the best by weighted sums."""

    weights: tuple[float, ...] = ()
    name: ClassVar[str] = "weighted"

    def __call__(self, rankings: Sequence[Ranking], depth: int) -> Ranking:
        fused = np.zeros(len(rankings[0].scores))
        for weight, ranking in zip(weights_for(self.weights, rankings), rankings, strict=True):
            fused += weight * ranking.scaled()
        among = candidates(rankings)
        return Ranking.of(self.name, fused, depth, rankings[0].tie_order, among=among, parts=tuple(rankings))
