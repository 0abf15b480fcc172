"""mean_chars@k: how many characters the first k hits have."""

from dataclasses import dataclass
from typing import ClassVar

from pincite.measures.contract import MeasureAt, hits_of
from pincite.measures.example import Example, merged, size


@dataclass(frozen=True, slots=True)
class MeanChars(MeasureAt):
    label: ClassVar[str] = "mean_chars"
    formula: ClassVar[str] = "characters in the first k hits, overlaps counted once"
    range: ClassVar[str] = "0 upwards; not a quality, but the cost of recall_chars@k"
    citation: ClassVar[str] = "ours"
    gaming: ClassVar[str] = "It shows where other measures are gamed."
    needs_hits: ClassVar[bool] = True

    def of(self, example: Example) -> float:
        return float(size(merged(hits_of(example)[: self.k])))
