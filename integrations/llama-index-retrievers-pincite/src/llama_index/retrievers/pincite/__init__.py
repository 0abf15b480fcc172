"""Pincite in LlamaIndex: `PinciteRetriever` and `PinciteReader`."""

from llama_index.retrievers.pincite.reader import PinciteReader
from llama_index.retrievers.pincite.retriever import PinciteRetriever

__all__ = ["PinciteReader", "PinciteRetriever"]
