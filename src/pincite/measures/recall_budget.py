"""recall_budget@n: the share of the gold that is in the first n characters of the hits."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from pincite.measures.contract import Measure, hits_of
from pincite.measures.example import Example, Span, merged, shared, size


@dataclass(frozen=True, slots=True)
class RecallBudget(Measure):
    n: int = 4000
    label: ClassVar[str] = "recall_budget"
    formula: ClassVar[str] = (
        "gold characters in the first n characters of the hits (whole hits in rank order, the last one cut) / gold characters"
    )
    citation: ClassVar[str] = "ours: makes long and short hits comparable"
    gaming: ClassVar[str] = "Hardly: reading twice costs twice, and long hits spend the budget."
    needs_hits: ClassVar[bool] = True

    @property
    def name(self) -> str:
        return f"{self.label}@{self.n}"

    def of(self, example: Example) -> float:
        gold = size(merged(example.gold))
        return shared(self._read(hits_of(example)), example.gold) / gold if gold else 0.0

    def _read(self, hits: tuple[Span, ...]) -> Iterator[Span]:
        left = self.n
        for hit in hits:
            if left <= 0:
                return
            yield Span(hit.document, hit.start, min(hit.end, hit.start + left))
            left -= hit.length
