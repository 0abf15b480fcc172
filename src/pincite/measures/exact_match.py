"""exact_match: is the first passage the answer, word for word?"""

from dataclasses import dataclass
from typing import ClassVar

from pincite.measures.contract import Measure
from pincite.measures.example import Example
from pincite.measures.seed_match import SEEDS, token_set


@dataclass(frozen=True, slots=True)
class ExactMatch(Measure):
    label: ClassVar[str] = "exact_match"
    formula: ClassVar[str] = "1 if tokens(passage 1) = tokens(a gold answer) as sets, else 0"
    citation: ClassVar[str] = SEEDS
    gaming: ClassVar[str] = "Hardly; but sets ignore order and repetition, and one right answer of several is enough."

    def of(self, example: Example) -> float:
        if not example.texts:
            return 0.0
        first = token_set(example.texts[0])
        return float(bool(first) and any(first == token_set(answer) for answer in example.gold_texts))
