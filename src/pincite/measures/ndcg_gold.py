"""ndcg_gold@k: discounted gain, compared with the ideal ranking of the gold."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pincite.measures.contract import MeasureAt
from pincite.measures.example import Example
from pincite.measures.textbook import IR_MEASURES, calculate, library


@dataclass(frozen=True, slots=True)
class NdcgGold(MeasureAt):
    label: ClassVar[str] = "ndcg_gold"
    formula: ClassVar[str] = "Σ rel(i) / log2(i + 1) over the first k / the same sum for the best ranking possible"
    citation: ClassVar[str] = IR_MEASURES
    gaming: ClassVar[str] = (
        "A hit that holds several gold spans finds only one of them: return each in a hit of its own."
    )
    needs_hits: ClassVar[bool] = True

    def of(self, example: Example) -> float:
        return self.of_all([example])[0]

    def of_all(self, examples: Sequence[Example]) -> list[float]:
        return calculate(library().nDCG @ self.k, examples)
