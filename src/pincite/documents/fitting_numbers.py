"""Page numbers on a line of the text that fit between the known numbers of the pages around them."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from pincite.text.passage import Edges

MOST_MISSING = 3
"""Page numbers in a row that may be missing between known ones."""
SHORTEST_PAGE, LONGEST_PAGE = 500, 15_000
"""Characters of a page."""

_KNOWN = re.compile(r"[-–—\s]*([0-9]{1,3})[-–—\s]*")
_REFERS = re.compile(
    r"\b(?:section|article|exhibit|clause|schedule|paragraph|annex|appendix|item|rule|part|no\.?|of|to|and|or|page)$",
    re.IGNORECASE,
)


def fitting_numbers(text: str, cores: Sequence[Edges]) -> Iterator[Edges]:
    """The numbers at the starts and ends of paragraphs that are missing among the known page numbers.

    >>> text = "a" * 600 + "\\n\\n1\\n\\n" + "b" * 600 + ". 2\\n\\n" + "c" * 600 + "\\n\\n3\\n\\n"
    >>> [text[slice(*edges)] for edges in fitting_numbers(text, [(602, 603), (1812, 1813)])]
    ['2']
    """
    known = [
        (start, end, int(match[1]))
        for start, end in sorted(cores)
        if end - start <= 12 and (match := _KNOWN.fullmatch(text[start:end]))
    ]
    for (_, begin, first), (stop, _, last) in pairwise(known):
        if not 2 <= last - first <= MOST_MISSING + 1 or stop - begin > (last - first) * LONGEST_PAGE:
            continue
        for number in range(first + 1, last):
            found = [edges for edges in _places(text, begin, stop, number) if _is_a_page_away(*edges, begin, stop)]
            if len(found) == 1:
                yield found[0]
                begin = found[0][1]


def _places(text: str, begin: int, stop: int, number: int) -> Iterator[Edges]:
    pattern = re.compile(rf"(?<=\s){number}(?=[ \t]*(?:\n[ \t]*\n|\Z))|(?<=\n\n){number}(?=[ \t]+\S)")
    for match in pattern.finditer(text, begin, stop):
        if not _REFERS.search(text[max(0, match.start() - 20) : match.start()].rstrip()):
            yield match.span()


def _is_a_page_away(start: int, end: int, begin: int, stop: int) -> bool:
    return start - begin >= SHORTEST_PAGE and stop - end >= SHORTEST_PAGE
