"""Do likelihoods mean what they say? Area under the ROC curve, calibration error, and what a threshold would hide."""

import numpy as np
from numpy.typing import NDArray

from pincite.search.answer import LIKELY

Array = NDArray[np.float64]
BINS = 10


def likelihood_figures(likely: Array, labels: Array) -> dict[str, float]:
    """`auroc`, `calibration_error`, and `hidden`: the share of questions with an answer (label 1) whose likelihood is
    below the threshold; nothing where all labels are the same."""
    if labels.all() or not labels.any():
        return {}
    return {
        "auroc": auroc(likely, labels),
        "calibration_error": calibration_error(likely, labels),
        "hidden": float((likely[labels == 1] < LIKELY).mean()),
    }


def auroc(likely: Array, labels: Array) -> float:
    """The area under the ROC curve: how often an answered question scores above one that is not; a tie counts half.

    >>> auroc(np.array([0.9, 0.4, 0.5]), np.array([1.0, 0.0, 1.0]))
    1.0
    """
    right, wrong = likely[labels == 1], likely[labels == 0]
    above = (right[:, None] > wrong).mean() + 0.5 * (right[:, None] == wrong).mean()
    return float(above)


def calibration_error(likely: Array, labels: Array) -> float:
    """The expected calibration error: the mean distance between likelihood and frequency in ten bins of equal size.

    >>> calibration_error(np.array([0.5] * 20), np.array([1.0, 0.0] * 10))
    0.0
    """
    return float(sum(count * abs(said - seen) for said, seen, count in reliability(likely, labels)) / len(likely))


def reliability(likely: Array, labels: Array) -> list[tuple[float, float, int]]:
    """For each bin of equal size: the mean likelihood, the share that has an answer, and how many questions."""
    order = np.argsort(likely, kind="stable")
    bins = [at for at in np.array_split(order, BINS) if len(at)]
    return [(float(likely[at].mean()), float(labels[at].mean()), len(at)) for at in bins]
