"""Re-ranking: the best units read again together with the question."""

from pincite.rerank.answerable import Answerability
from pincite.rerank.rescoring import Rescoring

__all__ = ["Answerability", "Rescoring"]
