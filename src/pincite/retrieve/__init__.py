"""Retrievers: they rank the passages of a collection for a query, one kind a file."""

from pincite.retrieve.bm25 import BM25, BM25Config
from pincite.retrieve.context import ContextRetriever
from pincite.retrieve.context_scores import ContextConfig
from pincite.retrieve.contract import Retriever
from pincite.retrieve.dense import Dense
from pincite.retrieve.hybrid import Hybrid, HybridConfig
from pincite.retrieve.spans import SpanConfig
from pincite.retrieve.tfidf import Tfidf, TfidfConfig

__all__ = [
    "BM25",
    "BM25Config",
    "ContextConfig",
    "ContextRetriever",
    "Dense",
    "Hybrid",
    "HybridConfig",
    "Retriever",
    "SpanConfig",
    "Tfidf",
    "TfidfConfig",
]
