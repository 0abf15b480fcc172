"""Pipelines: the methods by name, put together from parts."""

from pincite.pipeline.methods import METHODS, Method, method, methods_with
from pincite.pipeline.model_cache import ModelCache
from pincite.pipeline.plain import PLAIN, RetrieverOptions, build_plain

__all__ = ["METHODS", "PLAIN", "Method", "ModelCache", "RetrieverOptions", "build_plain", "method", "methods_with"]
