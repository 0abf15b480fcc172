"""The retrievers that come with Pincite keep the contract."""

import pytest

from pincite.retrieve import BM25, ContextRetriever, Dense, Hybrid, Retriever, Tfidf
from pincite.testing.engine_suite import RandomVectors
from pincite.testing.retriever_suite import RetrieverSuite


class TestBM25(RetrieverSuite):
    lexical = True

    @pytest.fixture
    def retriever(self) -> Retriever:
        pytest.importorskip("nltk")
        return BM25()


class TestTfidf(RetrieverSuite):
    lexical = True

    @pytest.fixture
    def retriever(self) -> Retriever:
        return Tfidf()


class TestDense(RetrieverSuite):
    @pytest.fixture
    def retriever(self) -> Retriever:
        return Dense(RandomVectors())


class TestHybrid(RetrieverSuite):
    @pytest.fixture
    def retriever(self) -> Retriever:
        pytest.importorskip("nltk")
        return Hybrid([BM25(), Dense(RandomVectors())])


class TestContext(RetrieverSuite):
    @pytest.fixture
    def retriever(self) -> Retriever:
        return ContextRetriever()
