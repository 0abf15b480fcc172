"""Fusion: any number of rankings become one."""

from pincite.fuse.contract import Fusion
from pincite.fuse.parts import FUSIONS
from pincite.fuse.ranking import Ranking
from pincite.fuse.reciprocal_rank import ReciprocalRank
from pincite.fuse.weighted import Weighted

RANKING_FUSIONS: dict[str, type[Weighted] | type[ReciprocalRank]] = {"fixed": Weighted, "rrf": ReciprocalRank}
"""The fusions of whole rankings. They have the same names as the fusions of parts."""

__all__ = ["FUSIONS", "RANKING_FUSIONS", "Fusion", "Ranking", "ReciprocalRank", "Weighted"]
