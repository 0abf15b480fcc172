"""Fits answerability on the sets that have questions without an answer, cross-validated over documents."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.errors import DataError
from pincite.evaluate.dev_sets import CONTRACTNLI, WRITTEN
from pincite.search.answerability import best_scores
from pincite.search.rerank import PART
from pincite.train.held_out import FOLDS, Read
from pincite.train.logistic import logistic

PER_QUESTION = 5


def fit_answerability(
    read: Sequence[Read], tell: Callable[[str], None] = print
) -> tuple[dict[str, Any], dict[str, float]]:
    """The parameters, and the cross-validated area under the ROC curve and calibration error."""
    asked = [one for one in read if one.set in (CONTRACTNLI, WRITTEN)]
    if not asked or all(one.question.gold for one in asked):
        raise DataError(
            "answerability needs contractnli/dev.json or questions/train.jsonl: some of their questions have no answer"
        )
    rows = np.array([[1.0, *best_scores(one.scored.parts[PART])] for one in asked])
    labels = np.array([bool(one.question.gold) for one in asked], dtype=np.float64)
    folds = np.array([one.fold for one in asked])
    guessed = np.zeros(len(asked))
    for fold in range(FOLDS):
        weights = logistic(rows[folds != fold], labels[folds != fold])
        guessed[folds == fold] = 1 / (1 + np.exp(-rows[folds == fold] @ weights))
    figures = {"auroc": auroc(guessed, labels), "calibration_error": _calibration_error(guessed, labels)}
    tell("  ".join(f"{name} {value:.4f}" for name, value in figures.items()))
    offset, *weights = np.round(logistic(rows, labels), 5).tolist()
    return {"weights": weights, "offset": offset, "unit": _unit(asked)}, figures


def auroc(guessed: NDArray[np.float64], labels: NDArray[np.float64]) -> float:
    """The area under the ROC curve: how often an answered question scores above one that is not; a tie counts half.

    >>> auroc(np.array([0.9, 0.4, 0.5]), np.array([1.0, 0.0, 1.0]))
    1.0
    """
    right, wrong = guessed[labels == 1], guessed[labels == 0]
    above = (right[:, None] > wrong).mean() + 0.5 * (right[:, None] == wrong).mean()
    return float(above)


def _calibration_error(guessed: NDArray[np.float64], labels: NDArray[np.float64]) -> float:
    """The expected calibration error: the mean distance between likelihood and frequency in ten bins of equal size."""
    parts = np.array_split(np.argsort(guessed), 10)
    return float(sum(len(at) * abs(guessed[at].mean() - labels[at].mean()) for at in parts) / len(guessed))


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
