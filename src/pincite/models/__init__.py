"""Models at run time: encoders and re-rankers. ONNX models run without torch."""

from pincite.models.cache import CachedEncoder, CachedReranker, cache_folder
from pincite.models.contract import Encoder, Progress, Vectors
from pincite.models.load import load_encoder, load_reranker
from pincite.models.reranker import Reranker

__all__ = [
    "CachedEncoder",
    "CachedReranker",
    "Encoder",
    "Progress",
    "Reranker",
    "Vectors",
    "cache_folder",
    "load_encoder",
    "load_reranker",
]
