"""Fusion of the parts of a score: five ways to turn the values of the parts into one score.

`fixed` adds the parts with weights fitted on held-out documents. `rrf` adds the reciprocals of their ranks. `learned`
is linear in the values and ranks of the parts. `mlp` is a small neural network over the same features. In `query`,
features of the question choose the weights. All parameters are numbers in a JSON file that a person can read.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pincite.errors import ModelError, one_of

Array = NDArray[np.float64]

PARTS = ("unit", "near", "dense", "around", "definition", "drafted", "document", "rerank", "value")
"""The parts, in the order of their features."""
SMOOTHING = 10.0
"""The constant s in the feature s / (s + rank)."""
FUSIONS = ("fixed", "rrf", "learned", "mlp", "query")
"""The names of all fusions."""


class PartFusion(Protocol):
    """Scores passages from the values of the parts and the features of the question."""

    def __call__(self, parts: Mapping[str, Array], question: Array) -> Array: ...


@dataclass(frozen=True, slots=True)
class FixedWeights:
    """The weighted sum of the values of the parts."""

    weights: dict[str, float]

    def __call__(self, parts: Mapping[str, Array], question: Array) -> Array:
        total = np.zeros(_count(parts))
        for name, weight in self.weights.items():
            if name in parts:
                total += weight * parts[name]
        return total


@dataclass(frozen=True, slots=True)
class RankWeights:
    """The sum over the parts of weight / (k + rank)."""

    k: float
    weights: dict[str, float]

    def __call__(self, parts: Mapping[str, Array], question: Array) -> Array:
        total = np.zeros(_count(parts))
        for name, weight in self.weights.items():
            if name in parts:
                total += weight / (self.k + ranks(parts[name]))
        return total


@dataclass(frozen=True, slots=True)
class Linear:
    """One weight for each of the `features`."""

    weights: Array

    def __call__(self, parts: Mapping[str, Array], question: Array) -> Array:
        scores: Array = features(parts) @ self.weights
        return scores


@dataclass(frozen=True, slots=True)
class Network:
    """A hidden layer with tanh, added to a linear function of the features."""

    inner: Array
    bias: Array
    outer: Array
    straight: Array

    def __call__(self, parts: Mapping[str, Array], question: Array) -> Array:
        given = features(parts)
        scores: Array = np.tanh(given @ self.inner + self.bias) @ self.outer + given @ self.straight
        return scores


@dataclass(frozen=True, slots=True)
class ByQuestion:
    """The weights of the features are linear in the features of the question (`search.question_features`)."""

    weights: Array

    def __call__(self, parts: Mapping[str, Array], question: Array) -> Array:
        scores: Array = features(parts) @ (question @ self.weights)
        return scores


def part_fusion(way: str, parameters: Mapping[str, Any]) -> PartFusion:
    """The fusion of that name, with its parameters from a JSON file."""
    if way not in FUSIONS:
        raise one_of("fusion", way, FUSIONS)
    try:
        given = parameters[way]
        match way:
            case "fixed":
                return FixedWeights(dict(given))
            case "rrf":
                return RankWeights(float(given["k"]), dict(given["weights"]))
            case "learned":
                return Linear(np.array(given, dtype=np.float64))
            case "mlp":
                return Network(*(np.array(given[name]) for name in ("inner", "bias", "outer", "straight")))
        return ByQuestion(np.array(given, dtype=np.float64))
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(
            f"the parameters of the fusion {way!r} cannot be read ({error!r}); fit them again: pincite train fusion"
        ) from None


def features(parts: Mapping[str, Array]) -> Array:
    """Two features for each passage and each of PARTS: its value, and how near the top it ranks; 0 without the part."""
    count = _count(parts)
    columns: list[Array] = []
    for name in PARTS:
        values = parts.get(name)
        columns += [np.zeros(count)] * 2 if values is None else [values, SMOOTHING / (SMOOTHING + ranks(values))]
    return np.stack(columns, axis=1)


def ranks(values: Array) -> Array:
    """Ranks from 1, the greatest value first. Equal values have the same rank."""
    ordered = np.sort(-values)
    found: Array = np.searchsorted(ordered, -values).astype(np.float64) + 1
    return found


def _count(parts: Mapping[str, Array]) -> int:
    return len(next(iter(parts.values())))
