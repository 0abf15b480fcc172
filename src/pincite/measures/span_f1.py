"""span_f1: the F1 of the tokens of the first passage and of the best-matching gold answer."""

from dataclasses import dataclass
from typing import ClassVar

from pincite.measures.contract import Measure
from pincite.measures.example import Example
from pincite.measures.seed_match import SEEDS, token_set


@dataclass(frozen=True, slots=True)
class SpanF1(Measure):
    label: ClassVar[str] = "span_f1"
    formula: ClassVar[str] = (
        "max over gold answers g of 2PR / (P + R), P = |p ∩ g| / |p|, R = |p ∩ g| / |g|, p = tokens(passage 1)"
    )
    citation: ClassVar[str] = SEEDS
    gaming: ClassVar[str] = (
        "Common words match anywhere: a passage of another document with the same wording scores the same."
    )

    def of(self, example: Example) -> float:
        if not example.texts:
            return 0.0
        first = token_set(example.texts[0])
        return max((_f1(first, token_set(answer)) for answer in example.gold_texts), default=0.0)


def _f1(passage: frozenset[str], answer: frozenset[str]) -> float:
    both = len(passage & answer)
    return 2 * both / (len(passage) + len(answer)) if both else 0.0
