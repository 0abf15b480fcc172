"""Pipelines: the methods by name, from parts."""

from pincite.pipeline.methods import METHODS, Method, method, methods_with
from pincite.pipeline.retrievers import RETRIEVERS, RetrieverOptions, build_retriever

__all__ = ["METHODS", "RETRIEVERS", "Method", "RetrieverOptions", "build_retriever", "method", "methods_with"]
