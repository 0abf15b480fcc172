"""BM25 equals the reference implementations, form by form, and its settings are free at query time."""

import math

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from pincite.errors import UsageError
from pincite.postings.postings import Postings
from pincite.retrieve import BM25, BM25Config
from pincite.retrieve.bm25 import Weigher
from pincite.retrieve.bm25_forms import FORMS
from pincite.segment import SentenceWindows
from pincite.text import Collection, Document

CORPUS = [
    ["rent", "rent", "due", "monthly"],
    ["tenant", "shall", "pay", "rent"],
    ["no", "pets", "no", "smoking"],
    ["landlord", "shall", "insure", "building", "against", "fire", "and", "flood", "and", "storm"],
    ["shall", "shall", "shall"],
    ["pets"],
]
QUERIES = ["rent", "shall pay rent rent", "pets smoking fire", "unknown", "unknown rent", ""]


def scores(form: str, corpus: list[list[str]], query: list[str], k1: float = 1.5, b: float = 0.75) -> np.ndarray:
    return Weigher(Postings.build(corpus), BM25Config(k1, b, form)).score(query)[0]


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize(("k1", "b"), [(1.5, 0.75), (0.9, 0.4), (2.0, 0.0)])
def test_okapi_equals_rank_bm25(query: str, k1: float, b: float) -> None:
    expected = BM25Okapi(CORPUS, k1=k1, b=b).get_scores(query.split())
    assert scores("okapi", CORPUS, query.split(), k1, b) == pytest.approx(expected, abs=1e-6)


@given(
    st.lists(st.lists(st.sampled_from("abcdefghij"), min_size=1, max_size=12), min_size=2, max_size=30),
    st.lists(st.sampled_from("abcdefghijxyz"), max_size=6),
)
@settings(max_examples=80, deadline=None)
def test_okapi_equals_rank_bm25_on_any_corpus(corpus: list[list[str]], query: list[str]) -> None:
    assert scores("okapi", corpus, query) == pytest.approx(BM25Okapi(corpus).get_scores(query), abs=1e-6)


@pytest.mark.parametrize("form", ["robertson", "lucene", "atire", "bm25+", "bm25l"])
@pytest.mark.parametrize("query", [query for query in QUERIES if set(query.split()) - {"unknown", "shall"}])
@pytest.mark.parametrize(("k1", "b"), [(1.5, 0.75), (0.9, 0.4)])
def test_every_other_form_equals_bm25s(form: str, query: str, k1: float, b: float) -> None:
    known = [token for token in query.split() if token != "unknown"]
    reference = bm25s.BM25(k1=k1, b=b, method=form, dtype="float64")
    reference.index(CORPUS, show_progress=False)
    assert scores(form, CORPUS, query.split(), k1, b) == pytest.approx(reference.get_scores(known), abs=1e-6)


def test_robertson_lets_a_frequent_term_count_against_a_passage() -> None:
    corpus = [["shall", "rent"], ["shall"], ["shall", "pets"]]
    idf = math.log((3 - 3 + 0.5) / (3 + 0.5))
    assert idf < 0
    found, matched = Weigher(Postings.build(corpus), BM25Config(form="robertson", b=0.0)).score(["shall"])
    assert found.tolist() == pytest.approx([idf / (1 + 1.5)] * 3)
    assert matched.all()


def lease_index() -> BM25:
    text = (
        "The rent is due monthly.\nThe tenant shall pay the rent.\nNo pets are allowed here.\nThe landlord insures it."
    )
    bm25 = BM25()
    bm25.index(Collection.build([Document("lease.txt", text)], SentenceWindows()))
    return bm25


def test_only_passages_that_share_a_term_come_back() -> None:
    hits = lease_index().search("Who pays rent?", k=50)
    assert [hit.text for hit in hits] == ["The rent is due monthly.", "The tenant shall pay the rent."]
    assert [hit.rank for hit in hits] == [1, 2]


@pytest.mark.parametrize("query", ["", "   ", "?!", "the of and", "xylophone"])
def test_a_query_without_a_known_word_finds_nothing_and_is_no_error(query: str) -> None:
    assert lease_index().search(query) == []


def test_negative_scores_are_still_matches() -> None:
    bm25 = lease_index().with_config(BM25Config(form="robertson"))
    everywhere = Collection.build([Document("a", "rent here now\nrent there then\nrent where when")], SentenceWindows())
    bm25.index(everywhere)
    hits = bm25.search("rent")
    assert len(hits) == 3
    assert all(hit.score < 0 for hit in hits)


def test_k1_b_and_form_change_without_indexing_again() -> None:
    bm25 = lease_index()
    for form in FORMS:
        other = bm25.with_config(BM25Config(k1=0.9, b=0.4, form=form))
        assert other.weigher is not None
        assert bm25.weigher is not None
        assert other.weigher.postings is bm25.weigher.postings
        assert other.search("rent", k=1)[0].text == "The rent is due monthly."


def test_search_many_equals_search() -> None:
    bm25 = lease_index()
    queries = ["rent", "pets", "", "landlord rent"]
    assert bm25.search_many(queries, 3) == [bm25.search(query, 3) for query in queries]


def test_equal_scores_are_ordered_by_content_whatever_the_files_are_called() -> None:
    texts = [f"clause {number} pets" for number in range(20)]

    def order(names: list[str]) -> list[str]:
        bm25 = BM25()
        documents = [Document(name, text) for name, text in zip(names, texts, strict=True)]
        bm25.index(Collection.build(sorted(documents, key=lambda d: d.id), SentenceWindows()))
        return [hit.text for hit in bm25.search("pets", k=7)]

    names = [f"{number:02}.txt" for number in range(20)]
    assert order(names) == order(names[::-1])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: BM25Config(form="bm52"), "okapi, robertson, lucene, atire"),
        (lambda: BM25Config(k1=-1), "k1 of at least 0"),
        (lambda: BM25Config(b=1.5), "b from 0 to 1"),
    ],
)
def test_settings_outside_their_range_are_refused(make: object, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        make()  # type: ignore[operator]
