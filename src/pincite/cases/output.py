"""Rankings as files: a TREC run of all ranked cases, a COLIEE submission of the selected ones."""

from collections.abc import Sequence
from pathlib import Path

from pincite.cases.ranking import CaseRanking
from pincite.cases.selection import AnySelection

DEPTH = 1000


def trec_run(rankings: Sequence[CaseRanking], tag: str = "pincite") -> str:
    """Lines of `query Q0 case rank score tag` for the best thousand cases of each query."""
    lines = []
    for ranking in rankings:
        pairs = zip(ranking.cases[:DEPTH], ranking.scores[:DEPTH].tolist(), strict=True)
        lines += [
            f"{_word(ranking.query)} Q0 {_word(case)} {rank} {score:.6f} {tag}\n"
            for rank, (case, score) in enumerate(pairs, start=1)
        ]
    return "".join(lines)


def submission(rankings: Sequence[CaseRanking], selection: AnySelection, tag: str = "pincite") -> str:
    """COLIEE's format: `query case tag`, a line for each answer."""
    lines = []
    for ranking in rankings:
        kept = ranking.cases[: selection.count(ranking.scores, ranking.self_score)]
        lines += [f"{Path(ranking.query).stem} {Path(case).stem} {tag}\n" for case in kept]
    return "".join(lines)


def _word(name: str) -> str:
    return name.replace(" ", "_")
