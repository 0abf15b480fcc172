"""Fits the trimmer, which decides whether the neighbours of a right unit belong to the same gold span."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pincite.fuse.parts import PartFusion
from pincite.measures import Span
from pincite.search.rerank import PART
from pincite.search.trimmer import Trimmer, neighbour_features
from pincite.text.units import LoadedDocument
from pincite.train.held_out import FOLDS, Read, objective
from pincite.train.logistic import logistic

SHIFTS = (-3.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0)
"""The grid of shifts of the offset, which decide how readily a hit grows; the objective chooses one."""


def fit_trimmer(
    read: Sequence[Read], fusion: PartFusion, tell: Callable[[str], None] = print
) -> tuple[list[float], dict[str, dict[str, float]]]:
    """The weights, and the cross-validated objective without and with a trimmer."""
    answered = [one for one in read if one.question.gold]
    figures = {"untrimmed": objective(answered, fusion)}
    total: dict[str, float] = {}
    names = sorted({one.set for one in answered})
    for fold in range(FOLDS):
        trimmer = _fitted([one for one in answered if one.fold != fold], fusion)
        for name in names:
            own = [one for one in answered if one.set == name]
            held = [one for one in own if one.fold == fold]
            for measure, value in (objective(held, fusion, trimmer) if held else {}).items():
                total[measure] = total.get(measure, 0.0) + value * len(held) / len(own) / len(names)
    figures["trimmed"] = total
    for name, row in figures.items():
        tell(f"{name}: " + "  ".join(f"{measure} {value:.4f}" for measure, value in row.items()))
    return [round(weight, 5) for weight in _fitted(answered, fusion).weights], figures


def _fitted(read: Sequence[Read], fusion: PartFusion) -> Trimmer:
    rows, labels = [], []
    for one in read:
        for given, label in _steps(one):
            rows.append(given)
            labels.append(label)
    weights = logistic(np.array(rows), np.array(labels, dtype=np.float64))
    plain = Trimmer(tuple(weights.tolist()))
    shifted = [replace(plain, weights=(plain.weights[0] + shift, *plain.weights[1:])) for shift in SHIFTS]
    return max(shifted, key=lambda trimmer: objective(read, fusion, trimmer)["mean"])


def _steps(read: Read) -> list[tuple[NDArray[np.float64], bool]]:
    """Steps outwards from the best unit of each gold span: each neighbour, and whether it belongs to the span."""
    found = []
    for span in read.question.gold:
        chosen = _best_inside(read, span)
        if chosen is None:
            continue
        held, rerank, unit = chosen
        first = last = unit
        for step in (1, -1):
            while 0 <= (other := last + 1 if step > 0 else first - 1) < len(held.units):
                belongs = _inside(held, other, span)
                found.append((neighbour_features(held, rerank, unit, (first, last), other), belongs))
                if not belongs:
                    break
                first, last = min(first, other), max(last, other)
    return found


def _best_inside(read: Read, span: Span) -> tuple[LoadedDocument, NDArray[np.float64], int] | None:
    scores = read.scored.parts[PART]
    for at in sorted(read.best.tolist(), key=lambda at: -scores[at]):
        key, unit = read.scored.units.place(at)
        held = read.loader(key)
        if held.document.id == span.document and _inside(held, unit, span):
            return held, scores[at - unit : at - unit + len(held.units)], unit
    return None


def _inside(held: LoadedDocument, unit: int, span: Span) -> bool:
    start, end = held.units.edges(unit)
    return 2 * (min(end, span.end) - max(start, span.start)) >= end - start
