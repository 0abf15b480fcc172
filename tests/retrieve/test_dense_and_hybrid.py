"""Dense and hybrid retrieval with a real, small ONNX encoder."""

from pathlib import Path

import numpy as np
import pytest

from pincite.documents import read_folder
from pincite.errors import PinciteError, UsageError
from pincite.fuse import ReciprocalRank
from pincite.models import load_encoder
from pincite.pipeline import RetrieverOptions, build_plain
from pincite.retrieve import BM25, Dense, Hybrid, HybridConfig, Retriever
from pincite.segment import WordWindows
from pincite.text import Collection, Document, Filter
from tests.conftest import SAMPLES


@pytest.fixture(scope="module")
def collection() -> Collection:
    return Collection.build(read_folder(SAMPLES / "corpus").documents, WordWindows(60, 30))


@pytest.fixture(scope="module")
def hybrid(collection: Collection, tiny_encoder: Path) -> Hybrid:
    retriever = Hybrid([BM25(), Dense(load_encoder(str(tiny_encoder)))])
    retriever.index(collection)
    return retriever


QUESTION = "Who bears the cost of a product recall?"


def test_dense_is_the_cosine_of_every_passage(collection: Collection, tiny_encoder: Path) -> None:
    encoder = load_encoder(str(tiny_encoder))
    dense = Dense(encoder)
    dense.index(collection)
    vectors, query = encoder.encode_passages(list(collection.texts())), encoder.encode_queries([QUESTION])[0]
    expected = vectors @ query
    hits = dense.search(QUESTION, k=5)
    assert [hit.score for hit in hits] == pytest.approx(sorted(expected, reverse=True)[:5], abs=1e-5)
    assert len(dense.search(QUESTION, k=10**6)) == len(collection)
    assert dense.search("  ") == []


def test_a_passage_finds_itself_first(collection: Collection, tiny_encoder: Path) -> None:
    dense = Dense(load_encoder(str(tiny_encoder)))
    dense.index(collection)
    for position in range(0, len(collection), 97):
        assert dense.search(collection.text(position), k=1)[0].score == pytest.approx(1.0, abs=1e-5)


def test_a_hybrid_hit_keeps_the_score_and_rank_of_every_part(hybrid: Hybrid) -> None:
    bm25, dense = hybrid.parts
    all_bm25 = {hit.passage: hit for hit in bm25.search(QUESTION, k=10**6)}
    all_dense = {hit.passage: hit for hit in dense.search(QUESTION, k=10**6)}
    for hit in hybrid.search(QUESTION, k=50):
        assert set(hit.parts) == {"bm25", "dense"}
        lexical = all_bm25.get(hit.passage)
        assert hit.parts["bm25"].rank == (lexical.rank if lexical else None)
        assert hit.parts["bm25"].score == (lexical.score if lexical else 0.0)
        assert hit.parts["dense"].rank == all_dense[hit.passage].rank


def test_the_hybrid_score_is_the_weighted_sum_of_scaled_parts(hybrid: Hybrid, collection: Collection) -> None:
    bm25, dense = (part.rank(QUESTION, 100).scores for part in hybrid.parts)
    scaled = 0.55 * (bm25 - bm25.min()) / np.ptp(bm25) + 0.45 * (dense - dense.min()) / np.ptp(dense)
    best = hybrid.search(QUESTION, k=1)[0]
    assert best.score == pytest.approx(scaled.max())


def test_a_question_of_unknown_words_is_answered_by_the_dense_side_alone(hybrid: Hybrid) -> None:
    hits = hybrid.search("xylophone", k=3)
    assert len(hits) == 3
    assert all(hit.parts["bm25"].rank is None for hit in hits)


def test_search_many_equals_search_in_any_company(hybrid: Hybrid) -> None:
    questions = [QUESTION, "", "May the tenant assign the lease?", "xylophone"]
    assert hybrid.search_many(questions, 5) == [hybrid.search(question, 5) for question in questions]


def test_a_filter_is_applied_before_ranking(hybrid: Hybrid, collection: Collection) -> None:
    lease = "contracts/lease-14-garnet-quay-2019.txt"
    hits = hybrid.search(QUESTION, k=20, where=Filter(documents=(lease,)))
    assert len(hits) == 20
    assert {hit.passage.document_id for hit in hits} == {lease}
    assert hybrid.search(QUESTION, where=Filter(documents=("nowhere.txt",))) == []


@pytest.mark.parametrize("name", ["tfidf", "bm25", "dense", "hybrid"])
def test_the_contract_holds_for_every_retriever(name: str, collection: Collection, tiny_encoder: Path) -> None:
    retriever = build_plain(name, RetrieverOptions(encoder=str(tiny_encoder)))
    assert isinstance(retriever, Retriever)
    with pytest.raises(PinciteError, match="index"):
        retriever.search("rent")
    retriever.index(collection)
    hits = retriever.search(QUESTION, k=7)
    assert [hit.rank for hit in hits] == list(range(1, 8))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    for hit in hits:
        assert hit.document.text[hit.start : hit.end] == hit.text
    with pytest.raises(UsageError, match="k must be at least 1"):
        retriever.search(QUESTION, k=0)
    assert retriever.search(QUESTION, k=3) == hits[:3]
    retriever.index(Collection.build([Document("a", "")], WordWindows()))
    assert retriever.search(QUESTION) == []


def test_reciprocal_rank_fusion_works_by_name(collection: Collection, tiny_encoder: Path) -> None:
    named = build_plain("hybrid", RetrieverOptions(fusion="rrf", encoder=str(tiny_encoder)))
    direct = Hybrid([BM25(), Dense(load_encoder(str(tiny_encoder)))], HybridConfig(ReciprocalRank(k=60)))
    for retriever in (named, direct):
        retriever.index(collection)
    assert named.search(QUESTION) == direct.search(QUESTION)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: build_plain("bm52"), "tfidf, bm25, dense, hybrid"),
        (lambda: RetrieverOptions(fusion="sum"), "fixed, rrf"),
        (lambda: RetrieverOptions(bm25_weight=1.2), "from 0 to 1"),
        (lambda: HybridConfig(depth=0), "at least 1"),
        (lambda: Hybrid([BM25()]), "at least 2 parts"),
    ],
)
def test_wrong_settings_say_what_is_legal(make: object, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        make()  # type: ignore[operator]
