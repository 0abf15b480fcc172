"""document@1: does the first hit come from a gold document?"""

from dataclasses import dataclass
from typing import ClassVar

from pincite.measures.contract import Measure, hits_of
from pincite.measures.example import Example


@dataclass(frozen=True, slots=True)
class DocumentFirst(Measure):
    label: ClassVar[str] = "document@1"
    formula: ClassVar[str] = "1 if hit 1 stands in a document that holds gold, else 0"
    citation: ClassVar[str] = "ours, after the document-level mismatch that work on summary-augmented chunks reports"
    gaming: ClassVar[str] = "It says nothing about the passage; read it together with the others."
    needs_hits: ClassVar[bool] = True

    def of(self, example: Example) -> float:
        hits = hits_of(example)
        return float(bool(hits) and hits[0].document in {span.document for span in example.gold})
