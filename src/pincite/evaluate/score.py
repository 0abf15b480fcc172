"""Scores predictions as the seeds' `score.py` does, and prints like it."""

from collections.abc import Mapping
from pathlib import Path

from pincite.evaluate.benchmark import read_benchmark
from pincite.evaluate.predictions import match, read_predictions
from pincite.measures import mean_figures, seed_measures, standard_measures
from pincite.text.order import check_k

RULE = "=" * 50
COUNT = "num_examples"


def score(
    predictions: Path, gold: Path, *, k: int = 10, standard: bool = False, limit: int | None = None
) -> dict[str, float]:
    """The seeds' five figures; with `standard`, every other measure that the predictions allow."""
    seeds = seed_measures(check_k(k))
    examples = match(read_benchmark(gold).first(limit), read_predictions(predictions)[:limit])
    figures = {**mean_figures(seeds, examples), COUNT: len(examples)}
    if standard:
        figures.update(mean_figures(standard_measures(k), examples))
    return figures


def as_printed(figures: Mapping[str, float]) -> str:
    """The figures as the seeds' script prints them; those beyond the seeds' five in a block of their own.

    >>> print(as_printed({"exact_match": 0.5, "num_examples": 2}))
    Evaluation Results:
    ==================================================
    exact_match: 0.5000
    num_examples: 2
    ==================================================
    """
    lines = [f"{name}: {value}" if name == COUNT else f"{name}: {value:.4f}" for name, value in figures.items()]
    split = list(figures).index(COUNT) + 1
    more = [*lines[split:], RULE] if lines[split:] else []
    return "\n".join(["Evaluation Results:", RULE, *lines[:split], RULE, *more])
