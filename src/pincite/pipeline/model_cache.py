"""Encoders and re-rank stages by name, each loaded once."""

from threading import Lock

from pincite.models import Encoder, load_encoder, load_reranker
from pincite.pipeline.methods import Method
from pincite.search import RerankStage


class ModelCache:
    """Models that several threads share. `threads` is how many threads an ONNX model uses, 0 for all cores."""

    def __init__(self, threads: int = 0) -> None:
        self.threads = threads
        self._lock = Lock()
        self._encoders: dict[str, Encoder] = {}
        self._stages: dict[tuple[str, str, str], RerankStage] = {}

    def encoder(self, name: str) -> Encoder:
        with self._lock:
            if name not in self._encoders:
                self._encoders[name] = self._load_encoder(name)
            return self._encoders[name]

    def rerank(self, method: Method, reranker: str = "") -> RerankStage | None:
        """The re-rank stage of a method, with another re-ranker where one is named."""
        if method.rerank is None:
            return None
        key = (method.name, method.fusion, reranker)
        with self._lock:
            if key not in self._stages:
                self._stages[key] = self._load_stage(method, reranker)
            return self._stages[key]

    def _load_encoder(self, name: str) -> Encoder:
        return load_encoder(name, self.threads)

    def _load_stage(self, method: Method, reranker: str) -> RerankStage:
        assert method.rerank is not None
        given = load_reranker(reranker, self.threads) if reranker else None
        return method.rerank.load(given, self.threads)
