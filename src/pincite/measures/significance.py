"""Significance: paired randomisation tests with Holm's correction, and bootstrap intervals."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

ROUNDS = 10_000
SEED = 17


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two methods on the same questions: the mean difference, its 95 % interval and its p-value."""

    measure: str
    first: str
    second: str
    difference: float
    interval: tuple[float, float]
    p: float
    p_corrected: float

    def to_dict(self) -> dict[str, object]:
        return asdict(self)


def bootstrap(values: Sequence[float], rounds: int = ROUNDS) -> tuple[float, float]:
    """The 95 % bootstrap interval of a mean: questions are drawn with replacement, with a fixed seed.

    >>> bootstrap([1.0] * 20)
    (1.0, 1.0)
    """
    drawn = np.asarray(values, dtype=np.float64)
    if not len(drawn):
        return 0.0, 0.0
    rng = np.random.default_rng(SEED)
    means = np.concatenate(
        [drawn[rng.integers(0, len(drawn), (500, len(drawn)))].mean(axis=1) for _ in range(max(1, rounds // 500))]
    )
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)


def randomisation_p(first: Sequence[float], second: Sequence[float], rounds: int = ROUNDS) -> float:
    """The p-value of a paired randomisation test, two-sided: how often random swaps of the two values of each question
    give a difference as large."""
    differences = np.asarray(first) - np.asarray(second)
    differences = differences[differences != 0]
    if not len(differences):
        return 1.0
    rng = np.random.default_rng(SEED)
    observed = abs(differences.sum()) - 1e-12
    extreme = 0
    for _ in range(max(1, rounds // 500)):
        signs = rng.choice((-1.0, 1.0), (500, len(differences)))
        extreme += int(np.count_nonzero(np.abs(signs @ differences) >= observed))
    return (extreme + 1) / (max(1, rounds // 500) * 500 + 1)


def holm(values: Sequence[float]) -> list[float]:
    """Holm's correction of several p-values.

    >>> holm([0.01, 0.04])
    [0.02, 0.04]
    """
    order = sorted(range(len(values)), key=lambda at: values[at])
    corrected = [0.0] * len(values)
    running = 0.0
    for place, at in enumerate(order):
        running = max(running, min(1.0, values[at] * (len(values) - place)))
        corrected[at] = running
    return corrected


def compare(figures: Mapping[str, Mapping[str, Sequence[float]]], measures: Sequence[str]) -> list[Comparison]:
    """Compares each method with the last one, for each measure. `figures` is {method: {measure: value of each question}}."""
    *others, last = figures
    pairs = [(measure, other) for measure in measures for other in others]
    found = [randomisation_p(figures[last][measure], figures[other][measure]) for measure, other in pairs]
    result = []
    for (measure, other), p, corrected in zip(pairs, found, holm(found), strict=True):
        differences = np.asarray(figures[last][measure]) - np.asarray(figures[other][measure])
        interval = bootstrap(differences.tolist())
        result.append(Comparison(measure, last, other, float(differences.mean()), interval, p, corrected))
    return result
