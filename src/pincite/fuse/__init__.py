"""Fusion: one ranking out of several, whatever they are and however many."""

from pincite.fuse.contract import Fusion
from pincite.fuse.parts import FUSIONS
from pincite.fuse.ranking import Ranking
from pincite.fuse.reciprocal_rank import ReciprocalRank
from pincite.fuse.weighted import Weighted

RANKING_FUSIONS: dict[str, type[Weighted] | type[ReciprocalRank]] = {"fixed": Weighted, "rrf": ReciprocalRank}
"""The fusions of whole rankings, by the names that fusions of parts have, too."""

__all__ = ["FUSIONS", "RANKING_FUSIONS", "Fusion", "Ranking", "ReciprocalRank", "Weighted"]
