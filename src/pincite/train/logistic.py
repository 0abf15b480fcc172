"""Logistic regression by Newton's method, with a small ridge penalty on all columns but the first."""

import numpy as np
from numpy.typing import NDArray

RIDGE, ROUNDS = 1.0, 30


def logistic(rows: NDArray[np.float64], labels: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weights of the columns. The first column must be 1.

    >>> weights = logistic(np.array([[1.0, -1.0], [1.0, 0.0], [1.0, 2.0]] * 9), np.array([0.0, 0.0, 1.0] * 9))
    >>> bool(weights[1] > 0.5)
    True
    """
    weights: NDArray[np.float64] = np.zeros(rows.shape[1])
    ridge = RIDGE * np.eye(rows.shape[1])
    ridge[0, 0] = 1e-6
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (labels - chance) - ridge @ weights
        curve = (rows * (chance * (1 - chance) + 1e-9)[:, None]).T @ rows + ridge
        weights = weights + np.linalg.solve(curve, slope)
    return weights
