"""whole@1: does the first hit, with its lead-ins, hold a whole answer?"""

from dataclasses import dataclass
from typing import ClassVar

from pincite.measures.contract import Measure, hits_of
from pincite.measures.example import Example, shared


@dataclass(frozen=True, slots=True)
class WholeFirst(Measure):
    label: ClassVar[str] = "whole@1"
    formula: ClassVar[str] = "1 if the spans of hit 1, lead-ins included, cover a whole gold span, else 0"
    citation: ClassVar[str] = "ours: an answer that has to be completed by reading on is half an answer"
    gaming: ClassVar[str] = "Longer hits score higher: read it together with precision@1."
    needs_hits: ClassVar[bool] = True

    def of(self, example: Example) -> float:
        spans = example.first or hits_of(example)[:1]
        return float(any(span.length and shared(spans, [span]) == span.length for span in example.gold))
