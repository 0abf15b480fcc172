"""Measures, one in each file, with its formula, its source and how it could be gamed."""

from collections.abc import Mapping, Sequence

from pincite.measures.average_precision import AveragePrecision
from pincite.measures.contract import Measure
from pincite.measures.document_first import DocumentFirst
from pincite.measures.exact_match import ExactMatch
from pincite.measures.example import Example, Span
from pincite.measures.found import FoundAt
from pincite.measures.mean_chars import MeanChars
from pincite.measures.ndcg import Ndcg
from pincite.measures.ndcg_gold import NdcgGold
from pincite.measures.precision_chars import PrecisionChars
from pincite.measures.recall import Recall
from pincite.measures.recall_budget import RecallBudget
from pincite.measures.recall_chars import RecallChars
from pincite.measures.reciprocal_rank import ReciprocalRankOfFirst
from pincite.measures.span_f1 import SpanF1
from pincite.measures.success import Success
from pincite.measures.whole import WholeFirst

DEPTHS = (1, 2, 4, 8, 16, 32, 64)
"""The k of precision, recall_chars and mean_chars."""
BUDGETS = (1000, 4000, 16000)
"""The n of recall_budget."""


def seed_measures(k: int = 10) -> list[Measure]:
    """The four measures of the seeds."""
    return [ExactMatch(), SpanF1(), Recall(k), Ndcg(k)]


def standard_measures(k: int = 10) -> list[Measure]:
    """All other measures of docs/measures.md."""
    at_depths = [measure(depth) for measure in (PrecisionChars, RecallChars, MeanChars) for depth in DEPTHS]
    budgets = [RecallBudget(n) for n in BUDGETS]
    textbook = [NdcgGold(k), AveragePrecision(), ReciprocalRankOfFirst(), Success(k)]
    return [FoundAt(k), *budgets, DocumentFirst(), WholeFirst(), *at_depths, *textbook]


def each_figure(measures: Sequence[Measure], examples: Sequence[Example]) -> dict[str, list[float]]:
    """Each measure of each example, by name. Measures that need offsets are left out unless all examples have them."""
    with_hits = all(example.hits is not None for example in examples)
    return {measure.name: measure.of_all(examples) for measure in measures if with_hits or not measure.needs_hits}


def mean_figures(measures: Sequence[Measure], examples: Sequence[Example]) -> dict[str, float]:
    """The mean of each measure over the examples, by name."""
    return means(each_figure(measures, examples))


def means(figures: Mapping[str, Sequence[float]]) -> dict[str, float]:
    return {name: sum(values) / len(values) if values else 0.0 for name, values in figures.items()}


__all__ = [
    "BUDGETS",
    "DEPTHS",
    "Example",
    "Measure",
    "Span",
    "each_figure",
    "mean_figures",
    "means",
    "seed_measures",
    "standard_measures",
]
