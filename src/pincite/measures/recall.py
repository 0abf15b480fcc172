"""recall@k: the share of gold answers that contain one of the first k passages, or are contained in one."""

from dataclasses import dataclass
from typing import ClassVar

from pincite.measures.contract import MeasureAt
from pincite.measures.example import Example
from pincite.measures.seed_match import SEEDS, folded, is_match


@dataclass(frozen=True, slots=True)
class Recall(MeasureAt):
    label: ClassVar[str] = "recall"
    formula: ClassVar[str] = "|{gold answers g : some passage p of the first k has g ⊆ p or p ⊆ g}| / |gold answers|"
    citation: ClassVar[str] = SEEDS
    gaming: ClassVar[str] = (
        'Easily: "contained in" counts, so the single passage "the" would score 0.92; so would whole documents.'
    )

    def of(self, example: Example) -> float:
        answers = [folded(answer) for answer in example.gold_texts]
        passages = [folded(text) for text in example.texts[: self.k]]
        found = sum(any(is_match(passage, answer) for passage in passages) for answer in answers)
        return found / len(answers) if answers else 0.0
