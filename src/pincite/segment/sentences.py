"""Sentences, and windows of several sentences."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from pincite.errors import UsageError
from pincite.segment.short_units import join_short
from pincite.text import Document, Passage
from pincite.text.sentences import sentence_spans


@dataclass(frozen=True, slots=True)
class SentenceWindows:
    """Windows of `size` sentences, starting every `stride` sentences. The last window ends at the last sentence.

    By default each passage is one sentence. Sentences end at line ends unless `across_lines` is set.

    >>> lease = Document("quay.txt", "The rent is due monthly. No pets are allowed. Smoking is not allowed either.")
    >>> [lease.text[p.start : p.end] for p in SentenceWindows(size=2)(lease)]
    ['The rent is due monthly. No pets are allowed.', 'No pets are allowed. Smoking is not allowed either.']
    """

    size: int = 1
    stride: int = 1
    across_lines: bool = False
    name: ClassVar[str] = "sentences"
    covers: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 1 <= self.stride <= self.size:
            raise UsageError(
                f"windows of {self.size} sentences every {self.stride} sentences would lose text; "
                "the stride must be from 1 to the size"
            )

    def __call__(self, document: Document) -> Iterator[Passage]:
        text = document.text
        units = list(join_short(text, sentence_spans(text, across_lines=self.across_lines)))
        for first in range(0, max(1, len(units) - self.size + self.stride), self.stride):
            window = units[first : first + self.size]
            if window:
                yield Passage(document.id, window[0][0], window[-1][1])
