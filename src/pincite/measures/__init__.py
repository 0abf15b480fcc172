"""Measures: one a file, each saying its formula, its source and how it could be gamed."""

from collections.abc import Sequence

from pincite.measures.average_precision import AveragePrecision
from pincite.measures.contract import Measure
from pincite.measures.document_first import DocumentFirst
from pincite.measures.exact_match import ExactMatch
from pincite.measures.example import Example, Span
from pincite.measures.found import Found
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

DEPTHS = (1, 2, 4, 8, 16, 32, 64)
BUDGETS = (1000, 4000, 16000)


def seed_measures(k: int = 10) -> list[Measure]:
    """The seeds' four figures."""
    return [ExactMatch(), SpanF1(), Recall(k), Ndcg(k)]


def standard_measures(k: int = 10) -> list[Measure]:
    """Every other measure of docs/contracts.md."""
    at_depths = [measure(depth) for measure in (PrecisionChars, RecallChars, MeanChars) for depth in DEPTHS]
    budgets = [RecallBudget(n) for n in BUDGETS]
    textbook = [NdcgGold(k), AveragePrecision(), ReciprocalRankOfFirst(), Success(k)]
    return [Found(k), *budgets, DocumentFirst(), *at_depths, *textbook]


def mean_figures(measures: Sequence[Measure], examples: Sequence[Example]) -> dict[str, float]:
    """The mean of each measure over the examples, by name; measures that need offsets only where all have them."""
    with_hits = all(example.hits is not None for example in examples)
    return {
        measure.name: sum(measure.of_all(examples)) / len(examples) if examples else 0.0
        for measure in measures
        if with_hits or not measure.needs_hits
    }


__all__ = ["BUDGETS", "DEPTHS", "Example", "Measure", "Span", "mean_figures", "seed_measures", "standard_measures"]
