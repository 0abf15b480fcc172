"""Search: candidates are scored, re-ranked, cut to spans and made into an answer, the same on every engine."""

from pincite.search.answer import Answer
from pincite.search.request import SearchRequest
from pincite.search.rerank import RerankStage
from pincite.search.run import Question, search
from pincite.search.scoring import ContextConfig
from pincite.search.spans import SpanConfig

__all__ = ["Answer", "ContextConfig", "Question", "RerankStage", "SearchRequest", "SpanConfig", "search"]
