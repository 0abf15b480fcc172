"""Fusion of the parts of a score: five ways from what each part says of a passage to one number.

`fixed` adds the parts with weights that were found on held-out documents. `rrf` adds reciprocals of their ranks.
`learned` is linear in the parts' values and ranks, `mlp` a small neural network over the same, and in `query` features
of the question choose the weights. All parameters are numbers in a JSON file that a person can read.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pincite.errors import ModelError, one_of

Array = NDArray[np.float64]

PARTS = ("unit", "near", "dense", "around", "definition", "drafted", "document", "rerank")
SMOOTHING = 10.0
"""A rank r counts 10 / (10 + r) as a feature."""
FUSIONS = ("fixed", "rrf", "learned", "mlp", "query")
"""Every fusion by name: the one vocabulary."""


class PartFusion(Protocol):
    """Scores for passages, from what the parts say of them and what the question is like."""

    def __call__(self, parts: Mapping[str, Array], question: Array) -> Array: ...


@dataclass(frozen=True, slots=True)
class FixedWeights:
    """The sum of the parts' values, each times its weight."""

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
    """One weight for each feature (`features` says which)."""

    weights: Array

    def __call__(self, parts: Mapping[str, Array], question: Array) -> Array:
        scores: Array = features(parts) @ self.weights
        return scores


@dataclass(frozen=True, slots=True)
class Network:
    """One hidden layer, tanh, beside a straight way through."""

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
    """The weights of the features are linear in the features of the question (`QUESTION` names those)."""

    weights: Array

    def __call__(self, parts: Mapping[str, Array], question: Array) -> Array:
        scores: Array = features(parts) @ (question @ self.weights)
        return scores


def part_fusion(way: str, parameters: Mapping[str, Any]) -> PartFusion:
    """The fusion of that name with its parameters out of a JSON file."""
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
        raise ModelError(f"the parameters of the fusion {way!r} cannot be read ({error!r})") from None


def features(parts: Mapping[str, Array]) -> Array:
    """For each passage and each of PARTS: its value, and how near to the top it is; 0 where the part did not speak."""
    count = _count(parts)
    columns: list[Array] = []
    for name in PARTS:
        values = parts.get(name)
        columns += [np.zeros(count)] * 2 if values is None else [values, SMOOTHING / (SMOOTHING + ranks(values))]
    return np.stack(columns, axis=1)


def ranks(values: Array) -> Array:
    """From 1; equal values have the same rank."""
    ordered = np.sort(-values)
    found: Array = np.searchsorted(ordered, -values).astype(np.float64) + 1
    return found


def _count(parts: Mapping[str, Array]) -> int:
    return len(next(iter(parts.values())))
