"""precision@k: the share of the characters of the hits that are gold."""

from dataclasses import dataclass
from typing import ClassVar

from pincite.measures.contract import MeasureAt, hits_of
from pincite.measures.example import Example, merged, shared, size

LEGALBENCH_RAG = (
    "LegalBench-RAG: Pipitone and Houir Alami, arXiv 2408.10343; overlapping hits are merged first, "
    "which its own code does not do"
)


@dataclass(frozen=True, slots=True)
class PrecisionChars(MeasureAt):
    label: ClassVar[str] = "precision"
    formula: ClassVar[str] = "gold characters in the first k hits / characters in the first k hits; 0 without hits"
    citation: ClassVar[str] = LEGALBENCH_RAG
    gaming: ClassVar[str] = "Return one short, safe fragment of the answer; read it together with recall."
    needs_hits: ClassVar[bool] = True

    def of(self, example: Example) -> float:
        shown = merged(hits_of(example)[: self.k])
        return shared(shown, example.gold) / size(shown) if shown else 0.0
