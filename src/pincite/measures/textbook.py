"""The textbook measures, computed by ir-measures from exactly the judgments and runs that `pincite export trec` writes.

What is to be found are the gold spans, whatever a system retrieves: a judgment's name is `document:start-end`. A hit is
relevant if at least half of its characters are gold. It is then named after the gold span it overlaps most, the first
such hit only, so that a span is found once. Every other hit has its own place as its name. No figure exceeds 1.
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

import numpy as np

from pincite.errors import UsageError
from pincite.measures.contract import hits_of
from pincite.measures.example import Example, Span, shared

IR_MEASURES = "textbook; computed by ir-measures (MacAvaney, Macdonald and Ounis, ECIR 2022)"


def library() -> Any:
    """ir-measures, or an error that says how to install it (the extra `evaluate`)."""
    try:
        import ir_measures
    except ImportError:
        raise UsageError("the TREC measures need ir-measures: pip install 'pincite[evaluate]'") from None
    return ir_measures


def span_name(span: Span) -> str:
    """The name of a span in TREC's files, which separate columns by blanks.

    >>> span_name(Span("contracts/our lease.txt", 10, 25))
    'contracts/our%20lease.txt:10-25'
    """
    return f"{trec_name(span.document)}:{span.start}-{span.end}"


def trec_name(name: str) -> str:
    """A name in TREC's files, in which a blank ends it.

    >>> trec_name("our lease.txt")
    'our%20lease.txt'
    """
    return "".join(quote(c) if c.isspace() or c == "%" else c for c in name)


def judgments(example: Example) -> dict[str, int]:
    """What there is to find: the gold spans, and nothing of what was retrieved."""
    return {span_name(span): 1 for span in example.gold if span.length > 0}


def retrieved(example: Example) -> dict[str, float]:
    """The hits under the names that judgments know, best first, with their scores."""
    hits = hits_of(example)
    names: dict[str, None] = {}
    gold = {span_name(span): span for span in example.gold if span.length > 0}
    for rank, hit in enumerate(hits, start=1):
        own = span_name(hit)
        name = _gold_name(hit, gold) or own
        if name in names:
            name = own if own not in names and own not in gold else f"{own}#{rank}"
        names[name] = None
    scores = example.scores or (0.0,) * len(hits)
    return dict(zip(names, falling(scores), strict=True))


def _gold_name(hit: Span, gold: dict[str, Span]) -> str | None:
    """The gold span that a relevant hit overlaps most; of several alike the shortest, then the first."""
    if not hit.length or 2 * shared([hit], gold.values()) < hit.length:
        return None
    return min(gold, key=lambda name: (-shared([hit], [gold[name]]), gold[name].length))


def falling(scores: Sequence[float]) -> list[float]:
    """The scores in single precision, as trec_eval reads them, so that they fall from rank to rank.

    A score that does not lie below the one before it, as in a tie, is lowered to the next smaller number: the tools
    sort by score, and each breaks ties in its own way.

    >>> falling([2.5, 2.5, 1.0])
    [2.5, 2.499999761581421, 1.0]
    """
    result: list[float] = []
    for score in np.asarray(scores, dtype=np.float32):
        if result:
            last = np.float32(result[-1])
            # Beside 0 the next number is so small that some tools take it for 0.
            score = min(score, np.nextafter(last, np.float32(-np.inf)), last - np.float32(1e-30))
        result.append(float(score))
    return result


def calculate(measure: Any, examples: Sequence[Example]) -> list[float]:
    """The figure of a measure of ir-measures for each example."""
    qrels = {str(at): judged for at, example in enumerate(examples) if (judged := judgments(example))}
    run = {str(at): retrieved(example) for at, example in enumerate(examples)}
    values = {metric.query_id: float(metric.value) for metric in library().iter_calc([measure], qrels, run)}
    return [values.get(str(at), 0.0) for at in range(len(examples))]
