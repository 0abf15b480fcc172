"""success@k: is one of the first k hits relevant?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pincite.measures.contract import MeasureAt
from pincite.measures.example import Example
from pincite.measures.textbook import IR_MEASURES, calculate, library


@dataclass(frozen=True, slots=True)
class Success(MeasureAt):
    label: ClassVar[str] = "success"
    formula: ClassVar[str] = "1 if one of the first k hits is relevant, else 0"
    citation: ClassVar[str] = IR_MEASURES
    gaming: ClassVar[str] = "Diverse short hits; nothing after the first relevant one matters."
    needs_hits: ClassVar[bool] = True

    def of(self, example: Example) -> float:
        return self.of_all([example])[0]

    def of_all(self, examples: Sequence[Example]) -> list[float]:
        return calculate(library().Success @ self.k, examples)
