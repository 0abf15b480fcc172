"""Re-ranking: the best units read again together with the question."""

from pincite.rerank.rescoring import Rescoring, RescoringConfig

__all__ = ["Rescoring", "RescoringConfig"]
