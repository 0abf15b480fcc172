"""Footers inside the lines of a text that lost its line breaks: the same words around a number that counts pages."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from pincite.documents.running_titles import is_title
from pincite.text.passage import Edges

PAGES = 3
"""Pages that must have the footer."""
SHORTEST_PAGE = 400
"""Characters between the footers of two pages."""
MOST_BEFORE, MOST_BEHIND = 10, 4
"""Words of the footer before and behind the page number."""
FEWEST = 2
"""Words before the number by which a footer is known again."""

_NUMBER = re.compile(r"\b[Pp]age\s+([0-9]{1,3})\b(?:\s+of\s+[0-9]{1,3}\b)?")
_WORD = re.compile(r"\S+")


def counted_phrases(text: str) -> Iterator[Edges]:
    """The footers with their page numbers.

    >>> page = "The tenant pays. " * 30
    >>> text = "".join(f"{page}Item {number}. Commercial in Confidence Page {number} " for number in (7, 8, 9))
    >>> [text[start:end] for start, end in counted_phrases(text)][0]
    'Commercial in Confidence Page 7'
    """
    groups: defaultdict[tuple[str, ...], list[tuple[re.Match[str], list[Edges], list[Edges]]]] = defaultdict(list)
    for match in _NUMBER.finditer(text):
        before = [word.span() for word in _WORD.finditer(text, max(0, match.start() - 120), match.start())][
            -MOST_BEFORE:
        ]
        behind = [word.span() for word in _WORD.finditer(text, match.end(), match.end() + 60)][:MOST_BEHIND]
        if len(before) >= FEWEST:
            groups[tuple(text[slice(*edges)] for edges in before[-FEWEST:])].append((match, before, behind))
    for found in groups.values():
        if len(found) < PAGES or not _counts([match for match, _, _ in found]):
            continue
        before_count = _shared([[text[slice(*edges)] for edges in before[::-1]] for _, before, _ in found])
        behind_count = _shared([[text[slice(*edges)] for edges in behind] for _, _, behind in found])
        if not is_title([text[slice(*edges)] for edges in found[0][1][-before_count:]]):
            continue
        for match, before, behind in found:
            yield before[-before_count][0], behind[behind_count - 1][1] if behind_count else match.end()


def _counts(found: Sequence[re.Match[str]]) -> bool:
    """Whether the numbers count pages: each a little more than the one before, and a page away from it."""
    steps = [(int(b[1]) - int(a[1]), b.start() - a.start()) for a, b in pairwise(found)]
    return sum(1 <= step <= 3 and away >= SHORTEST_PAGE for step, away in steps) >= 0.7 * len(steps)


def _shared(words: Sequence[Sequence[str]]) -> int:
    """How many words all of them begin with."""
    length = 0
    while all(len(line) > length and line[length] == words[0][length] for line in words):
        length += 1
    return length
