"""map: average precision; its mean over the questions is MAP."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pincite.measures.contract import Measure
from pincite.measures.example import Example
from pincite.measures.textbook import IR_MEASURES, calculate, library


@dataclass(frozen=True, slots=True)
class AveragePrecision(Measure):
    label: ClassVar[str] = "map"
    formula: ClassVar[str] = (
        "mean over what there is to find of the precision at its rank, 0 where it was not retrieved"
    )
    citation: ClassVar[str] = IR_MEASURES
    gaming: ClassVar[str] = (
        "A hit that holds several gold spans finds only one of them: return each in a hit of its own."
    )
    needs_hits: ClassVar[bool] = True

    def of(self, example: Example) -> float:
        return self.of_all([example])[0]

    def of_all(self, examples: Sequence[Example]) -> list[float]:
        return calculate(library().AP, examples)
