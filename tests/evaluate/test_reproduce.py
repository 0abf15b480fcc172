"""The seeds' tables come out again, from their own data."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.evaluate import reproduce as module
from pincite.evaluate.reproduce import COPIED, ReproductionRow, reproduce
from pincite.models import load_encoder

Rows = dict[tuple[str, int], ReproductionRow]


@pytest.fixture(scope="module")
def work() -> Counter[str]:
    """How often each step was taken for the rows."""
    return Counter()


@pytest.fixture(scope="module")
def rows(data: Path, work: Counter[str]) -> Rows:
    def counted(name: str) -> Callable[..., object]:
        step = getattr(module, name)

        def count(*arguments: object, **options: object) -> object:
            work[name] += 1
            return step(*arguments, **options)

        return count

    with pytest.MonkeyPatch.context() as patch:
        for name in ("read_corpus", "WordWindows", "build_plain", "answer_benchmark"):
            patch.setattr(module, name, counted(name))
        return {(row.system, row.queries): row for row in reproduce(data / "legalbench-rag")}


@pytest.mark.data
def test_the_first_100_queries_equal_the_seeds_to_four_decimals(rows: Rows) -> None:
    for system, figures in (("tfidf", ("recall@10", "ndcg@10")), ("bm25", ("recall@10", "ndcg@10"))):
        row = rows[system, 100]
        assert row.passages == 563
        for figure in figures:
            assert round(row.measured[figure], 4) == row.seed[figure]


@pytest.mark.data
@pytest.mark.parametrize("system", ["tfidf", "bm25"])
@pytest.mark.parametrize("queries", [100, 977])
def test_every_lexical_figure_is_within_a_point_of_the_seeds(rows: Rows, system: str, queries: int) -> None:
    row = rows[system, queries]
    for figure in row.seed:
        assert abs(row.difference(figure) or 0) < 0.01


@pytest.mark.data
def test_no_work_is_done_twice_for_the_two_tables(rows: Rows, work: Counter[str]) -> None:
    """The corpus is read and cut once; each system indexes it once and answers all questions once."""
    assert {system for (system, _), row in rows.items() if row.measured} == {"tfidf", "bm25"}
    assert work == {"read_corpus": 1, "WordWindows": 1, "build_plain": 2, "answer_benchmark": 2}


@pytest.mark.data
def test_without_an_encoder_the_dense_rows_say_so(rows: Rows) -> None:
    assert rows["hybrid", 977].measured == {}
    assert "no encoder" in rows["hybrid", 977].note
    assert rows["hybrid", 977].difference("recall@10") is None


@pytest.mark.data
@pytest.mark.torch
def test_minilm_and_its_hybrid_are_where_they_were_measured_before(data: Path) -> None:
    encoder = load_encoder("all-MiniLM-L6-v2")
    found = {(row.system, row.queries): row for row in reproduce(data / "legalbench-rag", encoder)}
    expected = {"dense": (0.2975, 0.2365), "hybrid": (0.5336, 0.4486)}
    for system, (recall, ndcg) in expected.items():
        assert found[system, 977].measured["recall@10"] == pytest.approx(recall, abs=0.015)
        assert found[system, 977].measured["ndcg@10"] == pytest.approx(ndcg, abs=0.015)
    assert COPIED in found["dense", 977].note
    assert found["dense", 977].seed == {}
