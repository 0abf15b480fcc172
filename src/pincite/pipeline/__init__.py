"""Pipelines: the methods by name, from parts."""

from pincite.pipeline.retrievers import RETRIEVERS, RetrieverOptions, build_retriever

__all__ = ["RETRIEVERS", "RetrieverOptions", "build_retriever"]
