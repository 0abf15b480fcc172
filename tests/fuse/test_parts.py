"""The five fusions of parts, written out."""

import numpy as np
import pytest

from pincite.errors import ModelError, UsageError
from pincite.fuse.parts import PARTS, features, part_fusion, ranks
from pincite.pipeline.rerank_stage import parameters
from pincite.search.question_features import QUESTION

ASKED = np.array([1.0, 0.5, 0.2, 1.0, 0.0, 0.0, 0.0, 0.0])


def said() -> dict[str, np.ndarray]:
    return {"unit": np.array([0.2, 0.8, 0.8]), "rerank": np.array([3.0, -1.0, 0.5]), "first": np.array([1.0, 2.0, 1.5])}


def test_fixed_adds_what_has_a_weight() -> None:
    fused = part_fusion("fixed", {"fixed": {"first": 1.0, "rerank": 0.1, "dense": 5.0}})(said(), ASKED)
    assert fused.tolist() == pytest.approx([1.3, 1.9, 1.55])


def test_rrf_adds_reciprocals_of_ranks() -> None:
    fused = part_fusion("rrf", {"rrf": {"k": 1, "weights": {"first": 1.0, "rerank": 2.0}}})(said(), ASKED)
    assert fused.tolist() == pytest.approx([1 / 4 + 2 / 2, 1 / 2 + 2 / 4, 1 / 3 + 2 / 3])


def test_equal_values_have_the_same_rank() -> None:
    assert ranks(np.array([0.2, 0.8, 0.8])).tolist() == [3, 1, 1]


def test_features_are_values_and_ranks_and_0_for_a_part_that_did_not_speak() -> None:
    found = features(said())
    assert found.shape == (3, 2 * len(PARTS))
    assert found[:, 0].tolist() == [0.2, 0.8, 0.8]
    assert found[:, 1].tolist() == pytest.approx([10 / 13, 10 / 11, 10 / 11])
    assert not found[:, 2:14].any()


def test_learned_is_linear_and_query_lets_the_question_choose() -> None:
    weights = [0.0] * 2 * len(PARTS)
    weights[14] = 2.0
    assert part_fusion("learned", {"learned": weights})(said(), ASKED).tolist() == [6.0, -2.0, 1.0]
    rows = [[0.0] * 2 * len(PARTS) for _ in QUESTION]
    rows[1][14] = 4.0
    assert part_fusion("query", {"query": rows})(said(), ASKED).tolist() == [6.0, -2.0, 1.0]


def test_the_network_is_its_formula() -> None:
    given = {
        "inner": [[0.1] * 2] * 2 * len(PARTS),
        "bias": [0.0, 1.0],
        "outer": [1.0, -1.0],
        "straight": [0.5] * 2 * len(PARTS),
    }
    plain = features(said())
    wanted = np.tanh(plain.sum(1) * 0.1) - np.tanh(plain.sum(1) * 0.1 + 1) + 0.5 * plain.sum(1)
    assert part_fusion("mlp", {"mlp": given})(said(), ASKED).tolist() == pytest.approx(wanted.tolist())


def test_what_is_unknown_or_broken_is_a_clear_error() -> None:
    with pytest.raises(UsageError, match="unknown fusion 'magic'"):
        part_fusion("magic", {})
    with pytest.raises(ModelError, match="'rrf' cannot be read"):
        part_fusion("rrf", {"rrf": {"weights": {}}})


@pytest.mark.parametrize("zero_shot", [False, True])
@pytest.mark.parametrize("way", ["fixed", "rrf", "learned", "mlp", "query"])
def test_the_shipped_parameters_make_fusions(way: str, zero_shot: bool) -> None:
    fused = part_fusion(way, parameters(zero_shot=zero_shot)["fusion"])(said(), ASKED)
    assert np.isfinite(fused).all()
    assert len(set(fused.tolist())) > 1
