"""recall_chars@k: the share of the gold characters that are in the first k hits."""

from dataclasses import dataclass
from typing import ClassVar

from pincite.measures.contract import MeasureAt, hits_of
from pincite.measures.example import Example, merged, shared, size
from pincite.measures.precision_chars import LEGALBENCH_RAG


@dataclass(frozen=True, slots=True)
class RecallChars(MeasureAt):
    label: ClassVar[str] = "recall_chars"
    formula: ClassVar[str] = "gold characters in the first k hits / gold characters"
    citation: ClassVar[str] = LEGALBENCH_RAG
    gaming: ClassVar[str] = (
        "Long hits: 64 blocks of 5,000 characters hold nearly any contract. Read it together with mean_chars@k."
    )
    needs_hits: ClassVar[bool] = True

    def of(self, example: Example) -> float:
        gold = size(merged(example.gold))
        return shared(hits_of(example)[: self.k], example.gold) / gold if gold else 0.0
