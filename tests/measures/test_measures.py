"""Every measure on examples small enough to work out by hand."""

from dataclasses import replace
from math import log2

import ir_measures
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.measures import Example, Measure, Span, each_figure, mean_figures, seed_measures, standard_measures
from pincite.measures.average_precision import AveragePrecision
from pincite.measures.document_first import DocumentFirst
from pincite.measures.exact_match import ExactMatch
from pincite.measures.example import merged, shared
from pincite.measures.found import FoundAt
from pincite.measures.mean_chars import MeanChars
from pincite.measures.ndcg import Ndcg
from pincite.measures.ndcg_gold import NdcgGold
from pincite.measures.precision_chars import PrecisionChars
from pincite.measures.recall import Recall
from pincite.measures.recall_budget import RecallBudget
from pincite.measures.recall_chars import RecallChars
from pincite.measures.reciprocal_rank import ReciprocalRankOfFirst
from pincite.measures.span_f1 import SpanF1
from pincite.measures.success import Success
from pincite.measures.whole import WholeFirst


def texts(answers: list[str], passages: list[str]) -> Example:
    return Example("q", (), tuple(answers), tuple(passages), None)


def spans(gold: list[tuple[int, int]], hits: list[tuple[int, int]], other: bool = False) -> Example:
    """Gold in document "d"; hits in it too, or in another one."""
    found = tuple(Span("e" if other else "d", *hit) for hit in hits)
    return Example("q", tuple(Span("d", *span) for span in gold), ("",) * len(gold), ("",) * len(hits), found)


@pytest.mark.parametrize(
    ("answers", "passages", "exact", "f1"),
    [
        (["The rent is due."], ["the RENT  is due"], 1.0, 1.0),
        (["rent is due", "other words"], ["other words"], 1.0, 1.0),
        (["rent due"], ["rent due monthly here"], 0.0, 2 * (2 / 4) * 1 / (2 / 4 + 1)),
        (["rent"], ["pets"], 0.0, 0.0),
        (["rent"], [], 0.0, 0.0),
        (["..."], ["..."], 0.0, 0.0),  # no letters on either side: nothing matched
    ],
)
def test_exact_match_and_f1_look_at_the_first_passage(
    answers: list[str], passages: list[str], exact: float, f1: float
) -> None:
    assert ExactMatch().of(texts(answers, passages)) == exact
    assert SpanF1().of(texts(answers, passages)) == pytest.approx(f1)


@pytest.mark.parametrize(
    ("answers", "passages", "k", "recall", "ndcg"),
    [
        (["the rent"], ["x", "pay the  RENT now"], 10, 1.0, (1 / log2(3)) / 1),
        (["the rent is due"], ["rent is"], 10, 1.0, 1.0),  # contained in the answer counts too
        (["a b", "c d"], ["a b"], 10, 0.5, 1.0),  # the ideal is made of what was retrieved
        (["a b", "c d"], ["z", "a b", "z", "c d"], 10, 1.0, (1 / log2(3) + 1 / log2(5)) / (1 + 1 / log2(3))),
        (["a b"], ["z", "a b"], 1, 0.0, 0.0),
        (["a b"], [], 10, 0.0, 0.0),
        (["a b"], [""], 10, 0.0, 0.0),
    ],
)
def test_the_seeds_recall_and_ndcg(answers: list[str], passages: list[str], k: int, recall: float, ndcg: float) -> None:
    assert Recall(k).of(texts(answers, passages)) == pytest.approx(recall)
    assert Ndcg(k).of(texts(answers, passages)) == pytest.approx(ndcg)


@pytest.mark.parametrize(
    ("gold", "hits", "k", "precision", "recall", "chars"),
    [
        ([(0, 10)], [(0, 10)], 1, 1.0, 1.0, 10),
        ([(0, 10)], [(5, 25)], 1, 5 / 20, 5 / 10, 20),
        ([(0, 10)], [(0, 8), (4, 10)], 2, 1.0, 1.0, 10),  # overlaps are merged, so recall cannot pass 1
        ([(0, 10), (20, 30)], [(0, 10), (50, 60)], 2, 10 / 20, 10 / 20, 20),
        ([(0, 10)], [(50, 60), (0, 10)], 1, 0.0, 0.0, 10),
        ([(0, 10)], [], 4, 0.0, 0.0, 0),
    ],
)
def test_legalbench_rags_characters(
    gold: list[tuple[int, int]], hits: list[tuple[int, int]], k: int, precision: float, recall: float, chars: int
) -> None:
    example = spans(gold, hits)
    assert PrecisionChars(k).of(example) == pytest.approx(precision)
    assert RecallChars(k).of(example) == pytest.approx(recall)
    assert MeanChars(k).of(example) == chars


@pytest.mark.parametrize(
    ("hits", "n", "share"),
    [
        ([(0, 100)], 1000, 1.0),
        ([(500, 900), (0, 100)], 450, 0.5),  # 400 characters read in vain, 50 of 100 gold ones left
        ([(500, 900), (0, 100)], 400, 0.0),
        ([(0, 60), (0, 60), (60, 100)], 120, 0.6),  # reading twice costs twice
        ([], 1000, 0.0),
    ],
)
def test_the_budget_is_spent_in_rank_order(hits: list[tuple[int, int]], n: int, share: float) -> None:
    assert RecallBudget(n).of(spans([(0, 100)], hits)) == pytest.approx(share)


@pytest.mark.parametrize(
    ("gold", "hits", "share"),
    [
        ([(0, 100)], [(0, 50)], 1.0),
        ([(0, 100)], [(0, 49)], 0.0),
        ([(0, 100)], [(0, 400)], 1.0),
        ([(0, 100)], [(0, 401)], 0.0),  # less than a quarter of the hit is gold
        ([(0, 100)], [(0, 30), (70, 100)], 1.0),  # covered together
        ([(0, 100), (200, 210)], [(0, 100)], 0.5),
        ([(0, 100)], [], 0.0),
    ],
)
def test_found_needs_half_the_span_by_hits_a_quarter_gold(
    gold: list[tuple[int, int]], hits: list[tuple[int, int]], share: float
) -> None:
    assert FoundAt(10).of(spans(gold, hits)) == share


def test_found_looks_at_the_first_k_alone() -> None:
    assert FoundAt(1).of(spans([(0, 10)], [(50, 60), (0, 10)])) == 0.0


def test_the_document_of_the_first_hit() -> None:
    assert DocumentFirst().of(spans([(0, 10)], [(90, 99)])) == 1.0
    assert DocumentFirst().of(spans([(0, 10)], [(0, 10)], other=True)) == 0.0
    assert DocumentFirst().of(spans([(0, 10)], [])) == 0.0


@pytest.mark.parametrize(
    ("gold", "hits", "first", "whole"),
    [
        ([(0, 10)], [(0, 10)], [], 1.0),
        ([(0, 10)], [(0, 100)], [], 1.0),
        ([(0, 10)], [(0, 9)], [], 0.0),
        ([(0, 10)], [(1, 11)], [], 0.0),
        ([(0, 10), (20, 25)], [(20, 25)], [], 1.0),  # one whole answer is enough
        ([(0, 10)], [(50, 60), (0, 10)], [], 0.0),  # of the first hit alone
        ([(0, 5), (20, 25)], [(0, 4)], [], 0.0),
        ([(0, 10)], [(5, 10)], [(0, 5), (5, 10)], 1.0),  # its lead-in completes it
        ([(0, 10)], [(6, 10)], [(0, 5), (6, 10)], 0.0),
        ([(0, 0)], [(0, 10)], [], 0.0),  # nothing is no answer
        ([(0, 10)], [], [], 0.0),
        ([], [(0, 10)], [], 0.0),
    ],
)
def test_the_first_hit_holds_a_whole_answer(
    gold: list[tuple[int, int]], hits: list[tuple[int, int]], first: list[tuple[int, int]], whole: float
) -> None:
    example = replace(spans(gold, hits), first=tuple(Span("d", *span) for span in first))
    assert WholeFirst().of(example) == whole


def test_a_whole_answer_stands_in_the_right_document() -> None:
    assert WholeFirst().of(spans([(0, 10)], [(0, 10)], other=True)) == 0.0


@pytest.mark.parametrize(
    ("gold", "hits", "ndcg", "ap", "rr", "success"),
    [
        ([(0, 10)], [(0, 10)], 1.0, 1.0, 1.0, 1.0),
        ([(0, 10)], [(0, 20)], 1.0, 1.0, 1.0, 1.0),  # half of it gold: relevant
        ([(0, 10)], [(0, 21)], 0.0, 0.0, 0.0, 0.0),
        ([(0, 10)], [(50, 60), (0, 10)], 1 / log2(3), 1 / 2, 1 / 2, 1.0),
        ([(0, 10), (20, 30)], [(0, 10)], 1 / (1 + 1 / log2(3)), 1 / 2, 1.0, 1.0),  # the ideal is over gold
        ([(0, 10)], [], 0.0, 0.0, 0.0, 0.0),
    ],
)
def test_the_textbook_measures(
    gold: list[tuple[int, int]], hits: list[tuple[int, int]], ndcg: float, ap: float, rr: float, success: float
) -> None:
    example = spans(gold, hits)
    assert NdcgGold(10).of(example) == pytest.approx(ndcg)
    assert AveragePrecision().of(example) == pytest.approx(ap)
    assert ReciprocalRankOfFirst().of(example) == pytest.approx(rr)
    assert Success(10).of(example) == success
    assert Success(1).of(example) == (1.0 if hits and rr == 1.0 else 0.0)


def test_no_figure_exceeds_one_when_one_answer_is_cut_into_many_hits() -> None:
    example = spans([(0, 100)], [(start, start + 10) for start in range(0, 100, 10)])
    for measure in (NdcgGold(10), AveragePrecision(), RecallChars(64), FoundAt(10)):
        assert measure.of(example) == 1.0


PAIRS = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 40)).map(lambda p: (p[0], p[0] + p[1])), max_size=6)


@given(gold=PAIRS, hits=PAIRS)
@settings(max_examples=60, deadline=None)
def test_every_measure_stays_in_its_range(gold: list[tuple[int, int]], hits: list[tuple[int, int]]) -> None:
    example = spans(gold, hits)
    for name, values in each_figure(standard_measures(), [example]).items():
        assert 0 <= values[0] <= (1 if not name.startswith("mean_chars") else 200)


@given(left=PAIRS, right=PAIRS)
def test_shared_characters_are_counted_as_sets_would(left: list[tuple[int, int]], right: list[tuple[int, int]]) -> None:
    sets = [{at for start, end in lot for at in range(start, end)} for lot in (left, right)]
    as_spans = [[Span("d", *pair) for pair in lot] for lot in (left, right)]
    assert shared(*as_spans) == len(sets[0] & sets[1])
    assert sum(span.length for span in merged(as_spans[0])) == len(sets[0])


def test_measures_that_need_offsets_are_left_out_without_them() -> None:
    names = set(mean_figures([*seed_measures(), *standard_measures()], [texts(["a"], ["a"])]))
    assert names == {"exact_match", "span_f1", "recall@10", "ndcg@10"}


def test_every_measure_of_the_contract_is_there() -> None:
    names = {measure.name for measure in [*seed_measures(), *standard_measures()]}
    depths = {f"{name}@{k}" for name in ("precision", "recall_chars", "mean_chars") for k in (1, 2, 4, 8, 16, 32, 64)}
    budgets = {f"recall_budget@{n}" for n in (1000, 4000, 16000)}
    single = {"exact_match", "span_f1", "recall@10", "ndcg@10", "found@10", "document@1", "whole@1"}
    assert names == depths | budgets | single | {"ndcg_gold@10", "map", "mrr", "success@10"}


@pytest.mark.parametrize("measure", [*seed_measures(), *standard_measures()], ids=lambda m: m.name)
def test_every_measure_describes_itself(measure: Measure) -> None:
    assert measure.formula
    assert measure.citation
    assert measure.gaming
    assert measure.range


def test_the_textbook_ones_are_ir_measures_own() -> None:
    assert ir_measures.parse_measure("nDCG@10") == ir_measures.nDCG @ 10
