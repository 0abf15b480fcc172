"""Headers, footers and page numbers that stand on the line of the text itself, at the edges of pages."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pincite.documents.page_lines import page_number
from pincite.documents.running_titles import is_title
from pincite.text.passage import Edges
from pincite.text.shown_text import pieces_between

MOST_WORDS = 120
"""Words that a header or footer may have."""
LONGEST_FOOTER = 1200
"""Characters that a footer may have."""
NOTICE_WORDS = 7
"""Words with which most pages open or close only if they are a notice that is printed on every page."""
SHORTEST_PAGE = 20
"""Characters of the text of a page."""
PAGES = 3
"""Pages that must have the same header, and page numbers that must follow each other."""
SHARE = 0.5
"""Share of the pages that must have the same header."""

_PAGE_BREAK = re.compile(
    r"\n(?:[ \t\u00a0]*\n){4,}|\x0c\s*|\n[ \t]*_{10,}[ \t]*\n|<PAGE>[^\n]{0,20}\n|\nSource: [^\n]{5,120}\n+"
)
_WORD = re.compile(r"\S+")
_LAST_NUMBER = re.compile(
    r"(?<!\S)(?:(?P<marked>(?:(?:Page|PAGE)\s+[-–—]?\s?(?:[0-9]{1,3})(?:\s?(?:of|/)\s?[0-9]{1,3})?|[-–—]\s?[0-9]{1,3}\s?[-–—]"
    r"|[-–—]\s?[ivxl]{1,6}\s?[-–—]))|(?P<plain>(?:(?:[A-Z]{1,2}|[IVX]{1,5})(?:-|\s[-–—]\s))?[0-9]{1,3}\.?|[ivxl]{1,6}))\s*\Z"
)
_MARKED = "marked"


class _Mark(NamedTuple):
    """A number at the end of a page: where it starts, its prefix or style, and its value."""

    start: int
    kind: str
    value: int


class _Page(NamedTuple):
    """What is shown of a page."""

    start: int
    end: int


def page_edges(text: str, cores: Sequence[Edges]) -> list[Edges]:
    """The running matter at the edges of pages, beyond the cores that are known already."""
    found: list[Edges] = []
    while more := _outermost(text, sorted([*cores, *found])):  # a page number may stand behind a footer, or before it
        found += more
    return found


def _outermost(text: str, cores: Sequence[Edges]) -> list[Edges]:
    pages = list(_pages(text, cores))
    if len(pages) < PAGES:
        return []
    numbers = _page_numbers(text, pages, cores)
    if numbers:
        return [(start, pages[at].end) for at, start in numbers.items()]
    return [*_headers(text, pages), *_footers(text, pages)]


def _pages(text: str, cores: Sequence[Edges]) -> Iterator[_Page]:
    """The pages without their known running matter at both ends; short ones are left out."""
    known = _disjoint(cores)
    begin = 0
    for end, after in [*(match.span() for match in _PAGE_BREAK.finditer(text)), (len(text), len(text))]:
        shown = [piece for piece in pieces_between(known, begin, end) if text[slice(*piece)].strip()]
        if shown:
            start, stop = shown[0][0], shown[-1][1]
            start += len(text[start:stop]) - len(text[start:stop].lstrip())
            stop = _stripped(text, start, stop)
            if stop - start >= SHORTEST_PAGE:
                yield _Page(start, stop)
        begin = after


def _disjoint(cores: Sequence[Edges]) -> list[Edges]:
    known: list[Edges] = []
    for start, end in cores:
        if known and start <= known[-1][1]:
            known[-1] = (known[-1][0], max(end, known[-1][1]))
        else:
            known.append((start, end))
    return known


def _page_numbers(text: str, pages: Sequence[_Page], cores: Sequence[Edges]) -> dict[int, int]:
    """For each page that ends with its number: where the number starts. Three pages in a row must count up."""
    marks: dict[int, _Mark] = {}
    for at, page in enumerate(pages):
        match = _LAST_NUMBER.search(text, max(page.start, page.end - 30), page.end)
        if match is not None and match["marked"]:
            marks[at] = _Mark(match.start(), _MARKED, 0)
        elif match is not None and (value := page_number(match[0].strip())):
            marks[at] = _Mark(match.start(), *value)
    known = marks | _known_numbers(text, pages, cores)
    return {at: mark.start for at, mark in marks.items() if _is_in_order(known, at, mark)}


def _known_numbers(text: str, pages: Sequence[_Page], cores: Sequence[Edges]) -> dict[int, _Mark]:
    """The page numbers that are known already, by their pages."""
    starts = [page.start for page in pages]
    numbers: dict[int, _Mark] = {}
    for start, end in cores:
        value = page_number(text[start:end].strip(" -–—")) if end - start <= 12 else None
        if value is not None:
            numbers[bisect_right(starts, start) - 1] = _Mark(start, *value)
    return numbers


def _is_in_order(marks: Mapping[int, _Mark], at: int, mark: _Mark) -> bool:
    """Whether the number counts with those of the pages around it; a marked one ("Page 3") needs no neighbour."""
    if mark.kind == _MARKED:
        return True
    order = sorted(marks)
    place = bisect_right(order, at) - 1
    agreeing = [
        other
        for other in order[max(0, place - 4) : place + 5]
        if marks[other].kind == mark.kind
        and 0 < (marks[other].value - mark.value) * (1 if other > at else -1) <= abs(other - at)
    ]
    return len(agreeing) >= PAGES - 1


def _headers(text: str, pages: Sequence[_Page]) -> Iterator[Edges]:
    """The words that open most pages."""
    words = [list(_words(text, page.start, _line_end(text, page)))[:MOST_WORDS] for page in pages]
    for at, length in _shared([[text[slice(*word)] for word in page] for page in words]).items():
        yield words[at][0][0], words[at][length - 1][1]


def _footers(text: str, pages: Sequence[_Page]) -> Iterator[Edges]:
    """The words that close most pages."""
    words = [list(_words(text, _last_words(text, page), page.end))[::-1][:MOST_WORDS] for page in pages]
    for at, length in _shared([[text[slice(*word)] for word in page] for page in words], backwards=True).items():
        yield words[at][length - 1][0], words[at][0][1]


def _last_words(text: str, page: _Page) -> int:
    """Where the last line of a page starts, or the first word of its end."""
    line = max(page.start, text.rfind("\n", page.start, page.end) + 1)
    if page.end - line <= LONGEST_FOOTER:
        return line
    blank = text.find(" ", page.end - LONGEST_FOOTER, page.end)
    return page.end if blank < 0 else blank


def _words(text: str, start: int, end: int) -> Iterator[Edges]:
    return (match.span() for match in _WORD.finditer(text, start, end))


def _line_end(text: str, page: _Page) -> int:
    end = text.find("\n", page.start, page.end)
    return page.end if end < 0 else end


def _shared(pages: Sequence[Sequence[str]], *, backwards: bool = False) -> dict[int, int]:
    """For each page that has it: how many words its header has. The longest that enough pages share wins."""
    enough = max(PAGES, SHARE * len(pages))
    found: dict[int, int] = {}
    groups = [list(range(len(pages)))]
    for length in range(1, MOST_WORDS + 1):
        longer: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
        for group, places in enumerate(groups):
            for at in places:
                if len(pages[at]) >= length:
                    longer[group, pages[at][length - 1]].append(at)
        groups = [places for places in longer.values() if len(places) >= enough]
        for places in groups:
            page = pages[places[0]]
            words = page[length - 1 :: -1] if backwards else page[:length]
            is_notice = length >= NOTICE_WORDS and not (words[0][0].islower() or words[0][0].isdigit())
            if is_notice or is_title(words):
                found |= dict.fromkeys(places, length)
    return found


def _stripped(text: str, start: int, end: int) -> int:
    return start + len(text[start:end].rstrip())
