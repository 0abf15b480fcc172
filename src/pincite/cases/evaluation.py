"""Measures of ranked cases: the task's micro-F1, and MAP, P@10, R@100 and nDCG@10 with intervals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2

import numpy as np
from numpy.typing import NDArray

from pincite.cases.case_set import CaseSet
from pincite.cases.ranking import CaseRanking
from pincite.cases.selection import AnySelection, MicroFigures, Ranked, measured

MEASURES = ("map", "p@10", "r@100", "ndcg@10")


@dataclass(frozen=True, slots=True)
class CaseFigures:
    """Each measure for each labelled query, and the micro figures of a selection."""

    queries: tuple[str, ...]
    each: Mapping[str, list[float]]
    micro: MicroFigures


def evaluated(cases: CaseSet, rankings: Sequence[CaseRanking], selection: AnySelection) -> CaseFigures:
    """The measures over the queries that have a relevant case. The others cannot be ranked better or worse."""
    judged = [ranking for ranking in rankings if cases.relevant.get(ranking.query)]
    rows = [(right_of(ranking, cases), len(cases.relevant[ranking.query])) for ranking in judged]
    each = {
        "map": [average_precision(right, count) for right, count in rows],
        "p@10": [float(right[:10].sum()) / 10 for right, _ in rows],
        "r@100": [float(right[:100].sum()) / count for right, count in rows],
        "ndcg@10": [_ndcg(right, count) for right, count in rows],
    }
    return CaseFigures(tuple(r.query for r in judged), each, measured(as_ranked(cases, rankings), selection))


def as_ranked(cases: CaseSet, rankings: Sequence[CaseRanking]) -> list[Ranked]:
    """The labelled rankings in the form that selections are tuned on."""
    return [
        Ranked(ranking.scores, right_of(ranking, cases), len(cases.relevant[ranking.query]), ranking.self_score)
        for ranking in rankings
        if ranking.query in cases.relevant
    ]


def right_of(ranking: CaseRanking, cases: CaseSet) -> NDArray[np.bool_]:
    wanted = cases.relevant[ranking.query]
    return np.array([name in wanted for name in ranking.cases], dtype=np.bool_)


def average_precision(right: NDArray[np.bool_], relevant: int) -> float:
    """The mean over the relevant cases of the precision at their ranks; a case that is not ranked counts 0.

    >>> average_precision(np.array([True, False, True]), 2)
    0.8333333333333333
    """
    places = np.flatnonzero(right)
    return float(((np.arange(len(places)) + 1) / (places + 1)).sum() / relevant) if relevant else 0.0


def _ndcg(right: NDArray[np.bool_], relevant: int) -> float:
    gained = sum(1 / log2(at + 2) for at in np.flatnonzero(right[:10]).tolist())
    return gained / sum(1 / log2(at + 2) for at in range(min(10, relevant)))
