"""BM25 on whole cases and on segments beside bm25s and rank-bm25: the same tokens and settings, score for score."""

import random
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from pincite.cases import CaseMethod, CaseRanker, CaseSet
from pincite.cases.analysis import Analysis
from pincite.cases.methods import case_method
from pincite.cases.scoring import BLOCK, DENSE, ROWS, SegmentBm25
from pincite.cases.segments import Windows
from pincite.text import Document

Scores = Callable[[list[str]], NDArray[np.float64]]
WORDS_ONLY = Analysis("none", "none")
SETTINGS = [(0.9, 0.4), (1.2, 0.75), (1.5, 0.75), (3.0, 0.75)]
QUERY_WORDS = 4000


@pytest.fixture(scope="module")
def judgments() -> CaseSet:
    """Long cases: words by Zipf's law, so that some stand in every case and many in one."""
    chance = random.Random(11)
    words = [f"w{at}" for at in range(3000)]
    weights = [1 / (at + 2) for at in range(3000)]

    def judgment(name: str, count: int) -> Document:
        drawn = chance.choices(words, weights, k=count)
        return Document(name, " ".join(f"{word}." if at % 20 == 19 else word for at, word in enumerate(drawn)))

    candidates = tuple(judgment(f"c{at}", chance.randint(30, 1500)) for at in range(40))
    queries = (judgment("long", QUERY_WORDS), judgment("short", 12), candidates[3], Document("none", "nothing known."))
    return CaseSet(candidates, queries).checked()


def of_bm25s(form: str, k1: float, b: float, corpus: list[list[str]]) -> Scores:
    bm25s = pytest.importorskip("bm25s")
    index = bm25s.BM25(method=form, k1=k1, b=b, dtype="float64")
    index.index(corpus, show_progress=False)

    def scores(query: list[str]) -> NDArray[np.float64]:
        known = [word for word in query if word in index.vocab_dict]
        found: NDArray[np.float64] = index.get_scores(known) if known else np.zeros(len(corpus))
        return found

    return scores


def of_rank_bm25(k1: float, b: float, corpus: list[list[str]]) -> Scores:
    rank_bm25 = pytest.importorskip("rank_bm25")
    scores: Scores = rank_bm25.BM25Okapi(corpus, k1=k1, b=b).get_scores
    return scores


def tokens(text: str) -> list[str]:
    return text.lower().replace(".", "").split()


def compare(judgments: CaseSet, bm25: SegmentBm25, theirs: Scores) -> None:
    ranker = CaseRanker(judgments, CaseMethod("document", WORDS_ONLY, Windows(size=0), bm25=bm25))
    for at, query in enumerate(judgments.queries):
        np.testing.assert_allclose(ranker.index.best(ranker._rows(at))[0], theirs(tokens(query.text)), rtol=1e-9)


@pytest.mark.parametrize(("k1", "b"), SETTINGS)
@pytest.mark.parametrize("form", ["lucene", "robertson", "atire"])
def test_whole_cases_score_as_with_bm25s(judgments: CaseSet, form: str, k1: float, b: float) -> None:
    corpus = [tokens(case.text) for case in judgments.candidates]
    compare(judgments, SegmentBm25(form, k1, b, floor=True), of_bm25s(form, k1, b, corpus))


@pytest.mark.parametrize(("k1", "b"), SETTINGS)
def test_whole_cases_score_as_with_rank_bm25(judgments: CaseSet, k1: float, b: float) -> None:
    corpus = [tokens(case.text) for case in judgments.candidates]
    compare(judgments, SegmentBm25("okapi", k1, b), of_rank_bm25(k1, b, corpus))


def test_a_word_that_a_long_query_repeats_counts_as_often(judgments: CaseSet) -> None:
    """Queries were once reduced to their set of words: on whole judgments that loses two thirds of the MAP."""
    corpus = [tokens(case.text) for case in judgments.candidates]
    theirs = of_bm25s("lucene", 1.5, 0.75, corpus)
    words = tokens(judgments.queries[0].text)
    assert not np.allclose(theirs(words), theirs(list(dict.fromkeys(words))))
    settings = SegmentBm25("lucene", 1.5, 0.75, once=True)
    ranker = CaseRanker(judgments, CaseMethod("once", WORDS_ONLY, Windows(size=0), bm25=settings))
    np.testing.assert_allclose(ranker.index.best(ranker._rows(0))[0], theirs(list(dict.fromkeys(words))), rtol=1e-9)


def test_the_method_document_is_bm25_of_its_terms_to_the_printed_digit(judgments: CaseSet) -> None:
    method = case_method("document")
    assert isinstance(method, CaseMethod)
    ranker = CaseRanker(judgments, method)

    def terms(text: str) -> list[str]:
        return [term for word in tokens(text) if (term := method.analysis.term(word))]

    theirs = of_bm25s(
        method.bm25.form, method.bm25.k1, method.bm25.b, [terms(case.text) for case in judgments.candidates]
    )
    for ranking, query in zip(ranker.rank(), judgments.queries, strict=True):
        scores = dict(zip((case.id for case in judgments.candidates), theirs(terms(query.text)).tolist(), strict=True))
        for name, score in zip(ranking.cases, ranking.scores.tolist(), strict=True):
            assert score == pytest.approx(scores[name], abs=1e-6)


@pytest.mark.parametrize("method", ["paper-10-10-5", "paper-25-10-10", "paper-all-10-5"])
def test_the_published_method_is_one_query_of_each_segment(judgments: CaseSet, method: str) -> None:
    """Rosa and others: each segment of the query searches all segments; a case has its best segment's best score."""
    chosen = case_method(method)
    assert isinstance(chosen, CaseMethod)
    assert chosen.query_windows is not None

    def segments(text: str, windows: Windows) -> list[list[str]]:
        sentences = [f"{part}." for part in text.removesuffix(".").split(". ")]
        return [
            [term for word in tokens(" ".join(sentences[start:end])) if (term := chosen.analysis.term(word))]
            for start, end in windows.of(len(sentences))
        ]

    held = [(case.id, terms) for case in judgments.candidates for terms in segments(case.text, chosen.windows)]
    theirs = of_bm25s(chosen.bm25.form, chosen.bm25.k1, chosen.bm25.b, [terms for _, terms in held])
    for ranking, query in zip(CaseRanker(judgments, chosen).rank(), judgments.queries, strict=True):
        best: dict[str, float] = {}
        for terms in segments(query.text, chosen.query_windows):
            for (name, _), score in zip(held, theirs(terms).tolist(), strict=True):
                best[name] = max(best.get(name, 0.0), score)
        for name, score in zip(ranking.cases, ranking.scores.tolist(), strict=True):
            assert score == pytest.approx(best[name], abs=1e-6)


def test_blocks_rows_and_dense_terms_move_no_score(judgments: CaseSet, monkeypatch: pytest.MonkeyPatch) -> None:
    method = case_method("segments")
    assert isinstance(method, CaseMethod)
    plain = CaseRanker(judgments, method).rank()
    for name, value in (("BLOCK", 3), ("ROWS", 1), ("DENSE", 2.0), ("DENSE", 0.0)):
        monkeypatch.setattr(f"pincite.cases.scoring.{name}", value)
        for one, two in zip(plain, CaseRanker(judgments, method).rank(), strict=True):
            assert one.cases == two.cases
            np.testing.assert_allclose(one.scores, two.scores, atol=1e-6)
    assert (BLOCK, ROWS, DENSE) != (3, 1, 0.0)
