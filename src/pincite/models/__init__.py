"""Encoders at run time: from text to vectors, without torch where an ONNX model is at hand."""

from pincite.models.cache import CachedEncoder, cache_folder
from pincite.models.contract import Encoder, Progress, Vectors
from pincite.models.load import load_encoder

__all__ = ["CachedEncoder", "Encoder", "Progress", "Vectors", "cache_folder", "load_encoder"]
