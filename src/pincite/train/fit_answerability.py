"""Fits answerability on the sets that have questions without an answer, cross-validated over documents."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.errors import DataError
from pincite.evaluate.dev_sets import CONTRACTNLI, FOREIGN, OWN, WRITTEN
from pincite.evaluate.likelihoods import likelihood_figures
from pincite.search.answerability import best_scores, nearness
from pincite.search.rerank import DENSE, PART
from pincite.train.held_out import FOLDS, Read
from pincite.train.logistic import logistic

PER_QUESTION = 5


def fit_answerability(
    read: Sequence[Read], tell: Callable[[str], None] = print
) -> tuple[dict[str, Any], dict[str, dict[str, float]]]:
    """The parameters, and the cross-validated area under the ROC curve and calibration error.

    A question to a collection mostly has an answer there: that curve is fitted on written questions, and on some of
    another world. A question that is asked of one document after another often has none: the curve of comparisons is
    fitted on ContractNLI's, and on the other questions that have none."""
    written = _of_both_kinds([one for one in read if one.set in (WRITTEN, OWN, FOREIGN)])
    labelled = _of_both_kinds([one for one in read if one.set == CONTRACTNLI])
    silent = [one for one in written if not one.question.gold]
    kinds = {"question": written or labelled, "compared": [*labelled, *silent] if labelled else written}
    if not written and not labelled:
        raise DataError(
            "answerability needs contractnli/dev.json or questions/train.jsonl: some of their questions have no answer"
        )
    curves, figures = {}, {}
    for kind, asked in kinds.items():
        curves[kind], figures[kind] = _curve(asked)
        tell(f"{kind}: " + "  ".join(f"{name} {value:.4f}" for name, value in figures[kind].items()))
    near = np.mean([_nearness(one) for one in kinds["question"]], axis=0).round(5).tolist()
    unit = _unit(kinds["question"])
    return {**curves["question"], "unit": unit, "near": near, "compared": curves["compared"]}, figures


def _nearness(one: Read) -> NDArray[np.float64]:
    return nearness(one.scored.parts[PART], one.scored.parts[DENSE])


def _of_both_kinds(asked: list[Read]) -> list[Read]:
    """The questions, if some have an answer and some have none."""
    return asked if len({bool(one.question.gold) for one in asked}) == 2 else []


def _curve(asked: Sequence[Read]) -> tuple[dict[str, Any], dict[str, float]]:
    """The weights and offset of a logistic curve over the best scores, and its cross-validated figures."""
    rows = np.array([[1.0, *best_scores(one.scored.parts[PART]), *_nearness(one)] for one in asked])
    labels = np.array([bool(one.question.gold) for one in asked], dtype=np.float64)
    folds = np.array([one.fold for one in asked])
    guessed = np.zeros(len(asked))
    for fold in range(FOLDS):
        weights = logistic(rows[folds != fold], labels[folds != fold])
        guessed[folds == fold] = 1 / (1 + np.exp(-rows[folds == fold] @ weights))
    figures = likelihood_figures(guessed, labels)
    offset, *weights = np.round(logistic(rows, labels), 5).tolist()
    return {"weights": weights, "offset": offset}, figures


def _unit(asked: Sequence[Read]) -> list[float]:
    """The slope and offset for a single passage, fitted on the best few passages of each question."""
    scores, right = [], []
    for one in asked:
        part = one.scored.parts[PART][one.best]
        for at in np.argsort(-part)[:PER_QUESTION].tolist():
            scores.append(part[at])
            right.append(one.right()[at] if one.question.gold else False)
    offset, slope = logistic(np.array([[1.0, score] for score in scores]), np.array(right, dtype=np.float64))
    return [round(float(slope), 5), round(float(offset), 5)]
