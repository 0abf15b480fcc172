"""Fusion arithmetic, written out."""

import numpy as np
import pytest

from pincite.errors import UsageError
from pincite.fuse import Fusion, Ranking, ReciprocalRank, Weighted


def ranking(name: str, scores: list[float], depth: int = 10, among: list[bool] | None = None) -> Ranking:
    mask = None if among is None else np.array(among)
    return Ranking.of(name, np.array(scores), depth, np.arange(len(scores)), among=mask, admitted=mask)


def test_weighted_scales_each_side_over_all_passages() -> None:
    bm25, dense = ranking("bm25", [0.0, 5.0, 10.0, 2.0]), ranking("dense", [0.8, 0.2, 0.4, 0.2])
    fused = Weighted((0.55, 0.45))([bm25, dense], depth=4)
    expected = [
        0.55 * 0.0 + 0.45 * 1.0,
        0.55 * 0.5 + 0.45 * 0.0,
        0.55 * 1.0 + 0.45 * (0.4 - 0.2) / (0.8 - 0.2),
        0.55 * 0.2 + 0.45 * 0.0,
    ]
    assert fused.scores.tolist() == pytest.approx(expected)
    assert fused.order.tolist() == [2, 0, 1, 3]


def test_only_the_union_of_the_best_is_fused() -> None:
    fused = Weighted()([ranking("a", [3, 2, 1, 0], depth=1), ranking("b", [0, 1, 2, 3], depth=1)], depth=10)
    assert fused.order.tolist() == [0, 3]


def test_reciprocal_rank_adds_one_over_k_plus_rank() -> None:
    first, second = ranking("a", [3, 2, 1]), ranking("b", [1, 3, 2])
    fused = ReciprocalRank(k=60)([first, second], depth=3)
    assert fused.scores.tolist() == pytest.approx(
        [1 / (60 + 1) + 1 / (60 + 3), 1 / (60 + 2) + 1 / (60 + 1), 1 / (60 + 3) + 1 / (60 + 2)]
    )


def test_a_ranking_that_did_not_return_a_passage_adds_nothing_to_it() -> None:
    fused = ReciprocalRank()([ranking("a", [3, 2], depth=1), ranking("b", [1, 2], depth=1)], depth=2)
    assert fused.scores.tolist() == pytest.approx([1 / 61, 1 / 61])


def test_weights_count_in_reciprocal_rank_too() -> None:
    fused = ReciprocalRank(weights=(2.0, 1.0))([ranking("a", [3, 2], depth=1), ranking("b", [1, 2], depth=1)], depth=2)
    assert fused.scores.tolist() == pytest.approx([2 / 61, 1 / 61])


@pytest.mark.parametrize("fusion", [Weighted(), ReciprocalRank()])
def test_any_number_of_rankings_can_be_fused_and_each_stays_visible(fusion: Fusion) -> None:
    rankings = [ranking(name, [1.0, 2.0, 3.0]) for name in "abcde"]
    fused = fusion(rankings, depth=2)
    assert fused.order.tolist() == [2, 1]
    assert [part.name for part in fused.parts] == list("abcde")
    assert fusion([rankings[0]], depth=1).order.tolist() == [2]


@pytest.mark.parametrize("fusion", [Weighted((0.5, 0.5, 0.5)), ReciprocalRank(weights=(1.0,))])
def test_weights_must_be_as_many_as_rankings(fusion: Fusion) -> None:
    with pytest.raises(UsageError, match=r"for 2 rankings \(a, b\)"):
        fusion([ranking("a", [1.0]), ranking("b", [1.0])], depth=1)


def test_equal_scores_scale_to_zero() -> None:
    assert ranking("a", [0.3, 0.3]).scaled().tolist() == [0.0, 0.0]


def test_a_filter_limits_what_is_scaled() -> None:
    assert ranking("a", [100.0, 1.0, 3.0], among=[False, True, True]).scaled()[1:].tolist() == [0.0, 1.0]


def test_a_part_knows_the_exact_rank_beyond_its_depth() -> None:
    one = ranking("a", [1.0, 4.0, 1.0, 3.0], depth=1)
    assert [one.part(position).rank for position in range(4)] == [3, 1, 4, 2]
    limited = ranking("a", [1.0, 4.0, 1.0, 3.0], depth=1, among=[True, False, True, True])
    assert [limited.part(position).rank for position in range(4)] == [2, None, 3, 1]
