"""Headers and footers inside the lines of a text without line breaks: the same words around a number that counts."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from pincite.documents.running_titles import is_title
from pincite.text.passage import Edges

PAGES = 3
"""Pages that must have the footer."""
SHORTEST_PAGE = 400
"""Characters between the footers of two pages."""
MOST_BEFORE, MOST_BEHIND = 10, 4
"""Words of the footer before and behind the page number."""
FEWEST = 2
"""Words before or behind the number by which a header or footer is known again."""

_NUMBER = re.compile(
    r"\b(?:[Pp]age|PAGE)\s+([0-9]{1,3})\b(?:\s+of\s+[0-9]{1,3}\b)?|(?<!\S)[-–—]\s?([0-9]{1,3})\s?[-–—](?!\S)"
)
_WORD = re.compile(r"\S+")


class _Place(NamedTuple):
    """A number, and the words before and behind it."""

    match: re.Match[str]
    before: list[Edges]
    behind: list[Edges]


def counted_phrases(text: str) -> Iterator[Edges]:
    """The footers with their page numbers.

    >>> page = "The tenant pays. " * 30
    >>> text = "".join(f"{page}Item {number}. Commercial in Confidence Page {number} " for number in (7, 8, 9))
    >>> [text[start:end] for start, end in counted_phrases(text)][0]
    'Commercial in Confidence Page 7'
    """
    before: defaultdict[tuple[str, ...], list[_Place]] = defaultdict(list)
    behind: defaultdict[tuple[str, ...], list[_Place]] = defaultdict(list)
    for match in _NUMBER.finditer(text):
        words = [word.span() for word in _WORD.finditer(text, max(0, match.start() - 120), match.start())]
        line_end = text.find("\n", match.end(), match.end() + 60)
        following = [
            word.span() for word in _WORD.finditer(text, match.end(), line_end if line_end >= 0 else match.end() + 60)
        ]
        place = _Place(match, words[-MOST_BEFORE:], following[:MOST_BEHIND])
        if len(place.before) >= FEWEST and match[1]:
            before[tuple(_folded(text, place.before[-FEWEST:]))].append(place)
        if len(place.behind) >= FEWEST:
            behind[tuple(_folded(text, place.behind[:FEWEST]))].append(place)
    for found in filter(_counts, [*before.values(), *behind.values()]):
        before_count = _shared([_folded(text, place.before[::-1]) for place in found])
        behind_words = [_folded(text, place.behind) for place in found]
        behind_count = _shared(behind_words)
        first = found[0]
        words = (
            first.before[len(first.before) - before_count :] if before_count >= FEWEST else first.behind[:behind_count]
        )
        if is_title([text[slice(*edges)] for edges in words]):
            for place, behind_length in zip(found, _most_shared(behind_words), strict=True):
                start = place.before[-before_count][0] if before_count else place.match.start()
                yield start, place.behind[behind_length - 1][1] if behind_length else place.match.end()


def _folded(text: str, words: Sequence[Edges]) -> list[str]:
    return [text[slice(*edges)].casefold() for edges in words]


def _counts(found: Sequence[_Place]) -> bool:
    """Whether the numbers count pages: each a little more than the one before, and a page away from it."""
    numbers = [(int(place.match[1] or place.match[2]), place.match.start()) for place in found]
    steps = [(after[0] - one[0], after[1] - one[1]) for one, after in pairwise(numbers)]
    return len(found) >= PAGES and sum(1 <= step <= 3 and away >= SHORTEST_PAGE for step, away in steps) >= 0.7 * len(
        steps
    )


def _shared(words: Sequence[Sequence[str]]) -> int:
    """How many words all of them begin with."""
    length = 0
    while all(len(line) > length and line[length] == words[0][length] for line in words):
        length += 1
    return length


def _most_shared(words: Sequence[Sequence[str]]) -> list[int]:
    """How many words each of them begins with that a fourth of all begin with."""
    lengths = [0] * len(words)
    for length in range(1, MOST_BEHIND + 1):
        begin = Counter(tuple(line[:length]) for line in words if len(line) >= length)
        for at, line in enumerate(words):
            often = begin[tuple(line[:length])] >= max(PAGES, len(words) / 4)
            if lengths[at] == length - 1 and len(line) >= length and often:
                lengths[at] = length
    return lengths
