"""Whether a question is answered: out of scores, calibrated."""

import numpy as np
import pytest

from pincite.pipeline.rerank_stage import RerankChoice
from pincite.search.answerability import Answerability, best_scores


def test_the_best_scores_are_in_order_and_filled_up() -> None:
    assert best_scores(np.array([1.0, np.nan, 3.0])).tolist() == pytest.approx([3, 1, 1, 1, 1, 7 / 5])
    assert best_scores(np.array([np.nan])).tolist() == [-10.0] * 6


def test_a_better_score_is_a_greater_likelihood() -> None:
    judged = Answerability((1.0, 0.0, 0.0, 0.0, 0.0, 0.0), -1.0, (2.0, 0.0))
    assert judged.question(np.array([1.0, -5.0])) == pytest.approx(0.5)
    assert judged.question(np.array([3.0])) > judged.question(np.array([2.0]))
    single = judged.passages(np.array([0.0, 1.0, np.nan]))
    assert single[0] == 0.5
    assert single[1] == pytest.approx(1 / (1 + np.exp(-2)), abs=1e-4)
    assert np.isnan(single[2])


def test_a_comparison_has_a_curve_of_its_own() -> None:
    given = {"weights": [1.0] + 5 * [0.0], "offset": 0.0, "unit": [1.0, 0.0]}
    alone = Answerability.of(given)
    assert alone.for_comparisons() == alone
    stricter = Answerability.of({**given, "compared": {"weights": [1.0] + 5 * [0.0], "offset": -3.0}})
    scores = np.array([1.0])
    assert stricter.for_comparisons().question(scores) < stricter.question(scores) == alone.question(scores)


@pytest.mark.parametrize("zero_shot", [False, True])
def test_the_shipped_one_tells_good_scores_from_bad_ones(zero_shot: bool) -> None:
    judged = RerankChoice(zero_shot=zero_shot).load().answerability
    assert judged is not None
    assert judged.question(np.full(40, -9.0)) < 0.3
    assert judged.question(np.array([6.0, 2.0, -3.0, -6.0, -7.0])) > 0.7
