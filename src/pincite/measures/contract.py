"""The contract of a measure: a name, a description, and one figure for each example."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pincite.measures.example import Example, Span


@dataclass(frozen=True, slots=True)
class Measure(ABC):
    """Subclasses describe themselves in class variables, from which `docs/measures.md` is generated."""

    label: ClassVar[str]
    formula: ClassVar[str]
    range: ClassVar[str] = "0 to 1"
    citation: ClassVar[str]
    gaming: ClassVar[str]
    """How the figure could be raised without better answers."""
    needs_hits: ClassVar[bool] = False
    """Whether it needs offsets. Prediction files of other systems may have only texts."""

    @property
    def name(self) -> str:
        return self.label

    @abstractmethod
    def of(self, example: Example) -> float:
        """The figure for one example."""

    def of_all(self, examples: Sequence[Example]) -> list[float]:
        """The figure for each example."""
        return [self.of(example) for example in examples]


@dataclass(frozen=True, slots=True)
class MeasureAt(Measure, ABC):
    """A measure of the first `k` hits."""

    k: int = 10

    @property
    def name(self) -> str:
        return f"{self.label}@{self.k}"


def hits_of(example: Example) -> tuple[Span, ...]:
    """The hits, for measures that need them."""
    assert example.hits is not None, "measures with needs_hits are left out where there are none"
    return example.hits
