"""Joins units of fewer than three words to a neighbour, because they say nothing alone."""

import re
from collections.abc import Iterable, Iterator

from pincite.text.canonical import WORD
from pincite.text.passage import Edges

MINIMUM_WORDS = 3
"""Words that a unit must have to stand alone."""

_WORD = re.compile(WORD)


def join_short(text: str, spans: Iterable[Edges]) -> Iterator[Edges]:
    """The spans in order, with short ones joined to the next span, and short ones at the end to the one before.

    >>> text = "1. The term is two years. Yes."
    >>> [text[start:end] for start, end in join_short(text, [(0, 2), (3, 25), (26, 30)])]
    ['1. The term is two years. Yes.']
    """
    waiting: Edges | None = None
    last: Edges | None = None
    for start, end in spans:
        begin = waiting[0] if waiting else start
        if has_words(text, begin, end):
            if last:
                yield last
            last, waiting = (begin, end), None
        else:
            waiting = (begin, end)
    if last and waiting:
        yield last[0], waiting[1]
    elif last or waiting:
        yield last or waiting  # type: ignore[misc]


def has_words(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]` has enough words to stand alone."""
    return any(count == MINIMUM_WORDS for count, _ in enumerate(_WORD.finditer(text, start, end), start=1))
