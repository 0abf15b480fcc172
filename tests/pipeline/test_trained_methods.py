"""The methods with the project's own models, on the sample contracts: exact, the same every time, and better."""

from itertools import pairwise

import pytest

from pincite.documents import read_folder
from pincite.errors import UsageError
from pincite.evaluate.legalbench_rag import pool_of, run_method
from pincite.models import CachedEncoder, load_encoder
from pincite.pipeline import METHODS, method, methods_with
from pincite.pipeline.methods import DEFAULT
from pincite.retrieve import ContextRetriever
from pincite.text import Collection
from tests.conftest import SAMPLES

TRAINED = [name for name in METHODS if name.startswith("context+")]


@pytest.fixture(scope="module")
def collection() -> Collection:
    return Collection.build(read_folder(SAMPLES / "corpus").documents, METHODS[DEFAULT].segmenter)


def built(name: str, collection: Collection) -> ContextRetriever:
    chosen = method(name)
    retriever = chosen.build(CachedEncoder(load_encoder(chosen.encoder)))
    assert isinstance(retriever, ContextRetriever)
    retriever.index(collection)
    return retriever


@pytest.mark.parametrize("name", TRAINED)
def test_every_method_gives_exact_passages_and_the_same_every_time(name: str, collection: Collection) -> None:
    retriever = built(name, collection)
    question = "Under the Garnet Quay lease, may the tenant underlet the premises?"
    hits = retriever.search(question, 10)
    assert hits == retriever.search(question, 10)
    assert "underlet" in hits[0].text.lower()
    for hit in hits:
        assert hit.text == hit.document.text[hit.start : hit.end]
        assert ("rerank" in hit.parts) == ("rerank" in name) or hit.rank > 1
    edges = {
        document.id: {*units.starts.tolist(), *units.ends.tolist()}
        for document, units in zip(collection.documents, collection.units, strict=True)
    }
    assert all({hit.start, hit.end} <= edges[hit.document.id] for hit in hits)
    taken = sorted((hit.document.id, hit.start, hit.end) for hit in hits)
    assert all(a[0] != b[0] or a[2] <= b[1] for a, b in pairwise(taken))


def test_a_question_that_nothing_answers_is_told_from_one_that_is_answered(collection: Collection) -> None:
    retriever = built("default", collection)
    known = retriever.answer("Under the Garnet Quay lease, may the tenant underlet the premises?")
    unknown = retriever.answer("Under the Garnet Quay lease, who owns the patents on the vaccine?")
    assert known.answered is not None
    assert unknown.answered is not None
    assert known.answered > 0.5 > unknown.answered
    assert any("probably nothing" in note for note in unknown.notes)
    assert not any("probably nothing" in note for note in known.notes)


def test_the_first_answer_is_better_on_questions_nobody_trained_on() -> None:
    pool = pool_of(SAMPLES, "contracts", "test", limit=40)
    found = {}
    for name in ("context+encoder", DEFAULT):
        figures = run_method(METHODS[name], pool, "keep", load_encoder("legal-encoder")).means()["all"]
        found[name] = (figures["precision@1"], figures["exact_match"])
    assert all(ours > other for ours, other in zip(found[DEFAULT], found["context+encoder"], strict=True))


def test_fusions_go_with_methods_that_fuse() -> None:
    assert [m.fusion for m in methods_with(["bm25", "hybrid", DEFAULT], ["fixed", "rrf", "query"])] == [
        "",
        "fixed",
        "rrf",
        "fixed",
        "rrf",
        "query",
    ]
    assert [m.name for m in methods_with(["bm25"], ["mlp"])] == ["bm25"]
    with pytest.raises(UsageError, match="goes with a method that re-ranks"):
        method("context", "learned")
    with pytest.raises(UsageError, match="unknown fusion"):
        methods_with(["bm25"], ["magic"])
