"""ndcg@k as the seeds compute it: the ideal ranks the relevant passages that were retrieved, not the gold ones."""

from dataclasses import dataclass
from math import log2
from typing import ClassVar

from pincite.measures.contract import MeasureAt
from pincite.measures.example import Example
from pincite.measures.seed_match import SEEDS, folded, is_match


@dataclass(frozen=True, slots=True)
class Ndcg(MeasureAt):
    label: ClassVar[str] = "ndcg"
    formula: ClassVar[str] = (
        "Σ rel(i) / log2(i + 1) over the first k, divided by the same sum with the retrieved relevant ones first"
    )
    citation: ClassVar[str] = SEEDS
    gaming: ClassVar[str] = (
        "Return little: a single relevant hit at rank 1 gives 1.0, however much gold is missing. Tiny passages, as in recall@k."
    )

    def of(self, example: Example) -> float:
        answers = [folded(answer) for answer in example.gold_texts]
        relevant = [any(is_match(folded(text), answer) for answer in answers) for text in example.texts[: self.k]]
        gained = sum(1 / log2(rank + 1) for rank, hit in enumerate(relevant, start=1) if hit)
        ideal = sum(1 / log2(rank + 1) for rank in range(1, sum(relevant) + 1))
        return gained / ideal if ideal else 0.0
