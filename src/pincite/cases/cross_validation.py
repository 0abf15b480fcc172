"""Nested cross-validation: a method is chosen on some queries and measured on others."""

from collections.abc import Mapping, Sequence
from hashlib import sha256

FOLDS = 5


def fold_of(query: str) -> int:
    """The fold of a query, by the hash of its id."""
    return int(sha256(query.encode()).hexdigest(), 16) % FOLDS


def cross_validated(queries: Sequence[str], each: Mapping[str, Sequence[float]]) -> tuple[list[float], dict[int, str]]:
    """The value of each query under the method that was best on the other folds, and that method for each fold.

    `each` has a value for every query by the name of a method; of equal ones the first wins.
    """
    folds = [fold_of(query) for query in queries]
    chosen = {}
    for fold in sorted(set(folds)):
        others = [at for at, own in enumerate(folds) if own != fold]
        means = {name: sum(values[at] for at in others) / max(1, len(others)) for name, values in each.items()}
        chosen[fold] = max(means, key=lambda name: means[name])
    return [each[chosen[fold]][at] for at, fold in enumerate(folds)], chosen
