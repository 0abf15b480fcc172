"""Models are loaded once for all tests of the command line."""

from collections.abc import Callable
from functools import cache

import pytest

from pincite.models import load_encoder, load_reranker
from pincite.pipeline import model_cache, rerank_stage


@pytest.fixture(scope="session")
def loaders() -> tuple[Callable[..., object], Callable[..., object]]:
    return cache(load_encoder), cache(load_reranker)


@pytest.fixture(autouse=True)
def _loaded_once(loaders: tuple[Callable[..., object], Callable[..., object]], monkeypatch: pytest.MonkeyPatch) -> None:
    encoder, reranker = loaders
    monkeypatch.setattr(model_cache, "load_encoder", encoder)
    monkeypatch.setattr(model_cache, "load_reranker", reranker)
    monkeypatch.setattr(rerank_stage, "load_reranker", reranker)
