"""Plain retrievers: they rank the passages of a collection in memory for a query, one kind a file."""

from pincite.retrieve.bm25 import BM25, BM25Config
from pincite.retrieve.context import ContextRetriever
from pincite.retrieve.contract import Retriever
from pincite.retrieve.dense import Dense
from pincite.retrieve.hybrid import Hybrid, HybridConfig
from pincite.retrieve.tfidf import Tfidf, TfidfConfig

__all__ = [
    "BM25",
    "BM25Config",
    "ContextRetriever",
    "Dense",
    "Hybrid",
    "HybridConfig",
    "Retriever",
    "Tfidf",
    "TfidfConfig",
]
