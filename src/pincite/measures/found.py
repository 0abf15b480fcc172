"""found@k: the share of gold spans that are at least half covered by hits that are at least a quarter gold."""

from dataclasses import dataclass
from typing import ClassVar

from pincite.measures.contract import MeasureAt, hits_of
from pincite.measures.example import Example, shared


@dataclass(frozen=True, slots=True)
class FoundAt(MeasureAt):
    label: ClassVar[str] = "found"
    formula: ClassVar[str] = (
        "|{gold spans at least half covered by those of the first k hits of which at least a quarter is gold}| / |gold spans|"
    )
    citation: ClassVar[str] = "ours: the main target"
    gaming: ClassVar[str] = "Hardly: whole pages fail the quarter, fragments fail the half."
    needs_hits: ClassVar[bool] = True

    def of(self, example: Example) -> float:
        pointed = [hit for hit in hits_of(example)[: self.k] if 4 * shared([hit], example.gold) >= hit.length > 0]
        spans = [span for span in example.gold if span.length]
        found = sum(2 * shared(pointed, [span]) >= span.length for span in spans)
        return found / len(spans) if spans else 0.0
