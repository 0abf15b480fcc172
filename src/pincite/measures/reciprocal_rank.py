"""mrr: the reciprocal rank of the first relevant hit."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pincite.measures.contract import Measure
from pincite.measures.example import Example
from pincite.measures.textbook import IR_MEASURES, calculate, library


@dataclass(frozen=True, slots=True)
class ReciprocalRankOfFirst(Measure):
    label: ClassVar[str] = "mrr"
    formula: ClassVar[str] = "1 / rank of the first relevant hit, 0 without one"
    citation: ClassVar[str] = IR_MEASURES
    gaming: ClassVar[str] = "One safe fragment first; nothing after it matters."
    needs_hits: ClassVar[bool] = True

    def of(self, example: Example) -> float:
        return self.of_all([example])[0]

    def of_all(self, examples: Sequence[Example]) -> list[float]:
        return calculate(library().RR, examples)
