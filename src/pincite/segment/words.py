"""Windows of words that overlap by half: the seeds' passages, with their offsets."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from pincite.errors import UsageError
from pincite.text import Document, Passage
from pincite.text.canonical import WORD

_WORD = re.compile(WORD)


@dataclass(frozen=True, slots=True)
class WordWindows:
    """Windows of `size` words, starting every `step` words. The last window ends at the last word.

    >>> lease = Document("quay.txt", "one two three four five")
    >>> [lease.text[p.start : p.end] for p in WordWindows(size=3, step=2)(lease)]
    ['one two three', 'three four five']
    """

    size: int = 500
    step: int = 250
    name: ClassVar[str] = "words"
    covers: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 1 <= self.step <= self.size:
            raise UsageError(
                f"windows of {self.size} words every {self.step} words would lose text; "
                "the step must be from 1 to the size"
            )

    def __call__(self, document: Document) -> Iterator[Passage]:
        spans = [match.span() for match in _WORD.finditer(document.text)]
        for first in range(0, max(1, len(spans) - self.size + self.step), self.step):
            window = spans[first : first + self.size]
            if window:
                yield Passage(document.id, window[0][0], window[-1][1])
