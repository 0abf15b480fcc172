"""Fusion: one ranking out of several, whatever they are and however many."""

from pincite.fuse.contract import Fusion
from pincite.fuse.ranking import Ranking
from pincite.fuse.reciprocal_rank import ReciprocalRank
from pincite.fuse.weighted import Weighted

FUSIONS: dict[str, type[Weighted] | type[ReciprocalRank]] = {"weighted": Weighted, "rrf": ReciprocalRank}

__all__ = ["FUSIONS", "Fusion", "Ranking", "ReciprocalRank", "Weighted"]
