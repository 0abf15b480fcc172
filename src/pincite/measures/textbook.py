"""The textbook measures, computed by ir-measures over hits judged against gold.

A hit is relevant if at least half of its characters are gold. The relevant items are the relevant hits that were
retrieved, and one more for each gold span that none of them touches. So the ideal is over gold, and no figure exceeds 1.
"""

from collections.abc import Sequence
from typing import Any

from pincite.errors import UsageError
from pincite.measures.contract import hits_of
from pincite.measures.example import Example, shared

IR_MEASURES = "textbook; computed by ir-measures (MacAvaney, Macdonald and Ounis, ECIR 2022)"


def library() -> Any:
    """ir-measures, or an error that says how to install it (the extra `evaluate`)."""
    try:
        import ir_measures
    except ImportError:
        raise UsageError("the TREC measures need ir-measures: pip install 'pincite[evaluate]'") from None
    return ir_measures


def judged(example: Example) -> tuple[dict[str, int], dict[str, float]]:
    """The judgments and the run of one example, as ir-measures takes them."""
    hits = hits_of(example)
    relevant = [hit for hit in hits if 2 * shared([hit], example.gold) >= hit.length > 0]
    kept = set(relevant)
    judgments = {str(rank): 1 for rank, hit in enumerate(hits) if hit in kept}
    missed = [span for span in example.gold if not shared(relevant, [span])]
    judgments.update({f"gold {number}": 1 for number in range(len(missed))})
    return judgments, {str(rank): float(len(hits) - rank) for rank in range(len(hits))}


def calculate(measure: Any, examples: Sequence[Example]) -> list[float]:
    """The figure of a measure of ir-measures for each example."""
    pairs = [judged(example) for example in examples]
    qrels = {str(at): judgments for at, (judgments, _) in enumerate(pairs) if judgments}
    run = {str(at): retrieved for at, (_, retrieved) in enumerate(pairs)}
    values = {metric.query_id: float(metric.value) for metric in library().iter_calc([measure], qrels, run)}
    return [values.get(str(at), 0.0) for at in range(len(examples))]
