"""Sentences, and windows of several of them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from pincite.errors import UsageError
from pincite.text import Document, Passage
from pincite.text.canonical import WORD
from pincite.text.sentences import Span, sentence_spans

MINIMUM_WORDS = 3
"""A shorter sentence says nothing alone and is joined to its neighbour."""

_WORD = re.compile(WORD)


@dataclass(frozen=True, slots=True)
class SentenceWindows:
    """Windows of `size` sentences, a new one every `stride` sentences; the last one ends at the last sentence.

    With the defaults each passage is one sentence. Sentences end at line ends unless `across_lines` is set.

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
                f"windows of {self.size} sentences every {self.stride} would lose text; "
                "the stride must be from 1 to the size"
            )

    def __call__(self, document: Document) -> Iterator[Passage]:
        text = document.text
        units = list(_join_short(text, sentence_spans(text, across_lines=self.across_lines)))
        for first in range(0, max(1, len(units) - self.size + self.stride), self.stride):
            window = units[first : first + self.size]
            if window:
                yield Passage(document.id, window[0][0], window[-1][1])


def _join_short(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """The spans, those under three words joined to the next one (the last ones to the one before)."""
    waiting: Span | None = None
    last: Span | None = None
    for start, end in spans:
        begin = waiting[0] if waiting else start
        if _has_words(text, begin, end):
            if last:
                yield last
            last, waiting = (begin, end), None
        else:
            waiting = (begin, end)
    if last and waiting:
        yield last[0], waiting[1]
    elif last or waiting:
        yield last or waiting  # type: ignore[misc]


def _has_words(text: str, start: int, end: int) -> bool:
    found = _WORD.finditer(text, start, end)
    return all(next(found, None) for _ in range(MINIMUM_WORDS))
