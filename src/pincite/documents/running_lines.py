"""Lines that are running matter because of where they stand: numbers that count pages, headers that come back."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from pincite.documents.line_gaps import goes_on
from pincite.documents.page_lines import CITATION_LENGTH, DOTTED, bates_number, is_neutral_citation, page_number
from pincite.documents.running_titles import is_title
from pincite.text.passage import Edges

REPEATED_LINES = 4
"""Times that a short line must occur to count as a running header or footer."""
PAGE_LENGTH = (500, 15_000)
"""Characters between the numbers of two pages."""
CENTRED = 20
"""Blanks before a number in the middle of a line; behind the number of the page before, its page may be short."""
SHORTEST_PAGE = 300
"""Characters between two running headers; lines that come back sooner are rows of a table."""

LAST_NUMBER = 3000
"""Characters of a text whose last line, a number, is taken for that of its last page."""
EDGE_LINES = 3
"""Lines at the top and the bottom of a page among which headers and footers stand."""
EDGE_SHARE = 0.6
"""Share of the occurrences of a header that must stand there, where it is known where pages end."""
FEWEST_BREAKS = 4
"""Page breaks from which it is known where pages end."""

_DIGITS = re.compile(r"[0-9]+")
_PAGE_BREAK = re.compile(r"(?:\n[ \t\u00a0]*){3,}\n|\x0c")
_NUMBERED = re.compile(
    r"(?:article|part|schedule|exhibit|annex|appendix|section|clause|§)\s*[\"“]?(?:[ivxlc]+|[0-9]+|[a-z])\b"
    r"|[0-9]{1,3}(?:\.[0-9]{1,3})*[.)]?(?=\s)|[ivx]{1,6}\.\s|\(?(?:[a-z]|[ivx]{2,5}|[0-9]{1,2})\)|[a-z]\.\s|[-•●▪·*o]\s",
    re.IGNORECASE,
)
"""A line that starts like this is a heading or an item, however often it occurs."""
_KEYWORD = re.compile(r"(?:article|part|schedule|exhibit|annex|appendix|section|chapter|attachment)", re.IGNORECASE)
_LEADING_NUMBER = re.compile(r"[-–—]\s?[0-9]{1,4}\s?[-–—]\s+(?=\S)")
"""A page number before a header: "- 12 - LEASE OF TWELVE FLATS"."""
_FILLED = re.compile(r"[^0-9\s]0[0-9]+\Z")
"""A number filled up with zeros, as Bates numbers are."""
_FOLLOWS = re.compile(
    r"\[?\(?(?:signatures?\s+pages?\s+(?:to\s+)?follow|(?:the\s+)?(?:remainder|rest)\s+of)", re.IGNORECASE
)

PageMark = Callable[[str], "tuple[str, int] | None"]


def counting_lines(text: str, lines: Sequence[Edges], marks: set[int]) -> set[int]:
    """Which lines are page or Bates numbers. They count pages, stand next to a page break, or break a sentence."""
    return {*_page_numbers(text, lines, marks), *_bates_numbers(text, lines)}


def _page_numbers(text: str, lines: Sequence[Edges], marked: set[int]) -> Iterator[int]:
    marks = _marks(text, lines, page_number)
    found: dict[int, int] = {}
    for line, prefix, value in _likely_numbers(text, lines, marked, marks):
        found[line] = value if prefix == "" else 0
        yield line
    for (_, before, _), (_, line, (prefix, value)) in pairwise(marks):
        is_next = prefix == "" and line not in found and value == found.get(before, value) + 1
        if is_next and _is_centred(text, lines, line):
            found[line] = value
            yield line


def _is_centred(text: str, lines: Sequence[Edges], line: int) -> bool:
    """Whether a line stands alone in the middle of a page, not among the cells of a table."""
    start = lines[line][0]
    blanks = start - text.rfind("\n", 0, start) - 1
    neighbours = (lines[at] for at in (line - 1, line + 1) if 0 <= at < len(lines))
    above = text.count("\n", lines[line - 1][1], start) if line else 2
    return blanks >= CENTRED and above >= 2 and all(any(map(str.isalpha, text[slice(*one)])) for one in neighbours)


def _likely_numbers(
    text: str, lines: Sequence[Edges], marked: set[int], marks: Sequence[tuple[int, int, tuple[str, int]]]
) -> Iterator[tuple[int, str, int]]:
    """The lines of numbers that count pages a page away from each other, or stand at a break."""
    for at, line, (prefix, value) in marks:
        if line and _KEYWORD.fullmatch(text[slice(*lines[line - 1])]):
            continue  # "ARTICLE" on one line, its number on the next
        inside = 0 < line < len(lines) - 1
        breaks = inside and _breaks_sentence(text, lines, line)
        if prefix == DOTTED:
            if breaks and _counts(marks, at, lines):
                yield line, prefix, value
        elif (
            _counts(marks, at, lines)
            or (breaks and prefix.startswith("pair"))
            or (_is_whole_line(text, *lines[line]) and _stands_at_break(text, lines, line, prefix, marked))
        ):
            yield line, prefix, value


def _stands_at_break(text: str, lines: Sequence[Edges], line: int, prefix: str, marked: set[int]) -> bool:
    """Whether a number stands at a page break, inside a sentence or at the end of the text."""
    inside = prefix == "" and 0 < line < len(lines) - 1
    return (
        _at_page_break(text, lines, line, marked)
        or (inside and goes_on(text, lines[line - 1][1], lines[line + 1][0]))
        or _is_last(text, lines, line)
    )


def _breaks_sentence(text: str, lines: Sequence[Edges], line: int) -> bool:
    before, after = lines[line - 1][1], lines[line + 1][0]
    return text[after].islower() and text.count("\n", before, after) > 2 and goes_on(text, before, after)


def _is_last(text: str, lines: Sequence[Edges], line: int) -> bool:
    """Whether a number ends a text of some pages, and is not the last cell of a table."""
    is_alone = line == len(lines) - 1 and page_number(text[slice(*lines[line - 1])]) is None
    return is_alone and len(text) >= LAST_NUMBER


def _bates_numbers(text: str, lines: Sequence[Edges]) -> Iterator[int]:
    marks = _marks(text, lines, bates_number)
    for at, line, _ in marks:
        if _counts(marks, at, lines) or _FILLED.search(text[slice(*lines[line])]):
            yield line


def repeated_lines(text: str, lines: Sequence[Edges], numbers: set[int]) -> set[int]:
    """Which lines are running headers or footers: short, and the same on many pages but for the page number."""
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for at, (start, end) in enumerate(lines):
        line = " ".join(text[start : min(end, start + 400)].split())
        if 8 <= len(line) <= 120 and _is_header(line):
            groups[_DIGITS.sub("#", line)].append(at)
    often = [places for places in groups.values() if len(places) * 400 > len(lines)]
    found = {
        at for places in often if len(places) >= REPEATED_LINES - 1 and _count_up(text, lines, places) for at in places
    }
    at_edges = _at_page_edges(text, lines, found | numbers)
    for places in often:
        by_text: defaultdict[str, list[int]] = defaultdict(list)
        for at in places:
            by_text[" ".join(text[slice(*lines[at])].split())].append(at)
        for line, same in by_text.items():
            if len(same) < REPEATED_LINES or len(line) > 90 or not _is_far_apart([lines[at][0] for at in same]):
                continue
            outstanding = sum(at in at_edges if at_edges else _stands_out(text, lines, at) for at in same)
            if outstanding >= EDGE_SHARE * len(same):
                found.update(same)
    return found


def repeated_citations(text: str, lines: Sequence[Edges]) -> set[int]:
    """Which lines repeat the neutral citation of a judgment at the edges of its pages. The first one stays."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for at, (start, end) in enumerate(lines):
        if end - start <= CITATION_LENGTH and is_neutral_citation(text[start:end]):
            places[text[start:end]].append(at)
    return {at for same in places.values() for at in same[1:] if _is_far_apart([lines[one][0] for one in same])}


def _at_page_edges(text: str, lines: Sequence[Edges], marked: set[int]) -> set[int]:
    """The lines at the top and the bottom of pages; none where the text does not show where its pages end."""
    breaks = [
        at
        for at in range(1, len(lines))
        if at in marked or at - 1 in marked or _PAGE_BREAK.search(text, lines[at - 1][1], lines[at][0])
    ]
    if len(breaks) < FEWEST_BREAKS:
        return set()
    return {at for place in breaks for at in range(place - EDGE_LINES, place + EDGE_LINES)}


def _marks(text: str, lines: Sequence[Edges], form: PageMark) -> list[tuple[int, int, tuple[str, int]]]:
    marks: list[tuple[int, int, tuple[str, int]]] = []
    for line, (start, end) in enumerate(lines):
        mark = form(text[start:end]) if end - start <= 30 else None
        if mark is not None:
            marks.append((len(marks), line, mark))
    return marks


def _counts(marks: Sequence[tuple[int, int, tuple[str, int]]], at: int, lines: Sequence[Edges]) -> bool:
    """Whether one of the next or last marks is the next or last number, a page away."""
    _, line, (prefix, value) = marks[at]
    for _, other, (its_prefix, its_value) in marks[max(0, at - 3) : at + 4]:
        away = lines[other][0] - lines[line][0]
        is_next = its_prefix == prefix and its_value - value == (1 if away > 0 else -1)
        if is_next and PAGE_LENGTH[0] <= abs(away) <= PAGE_LENGTH[1]:
            return True
    return False


def _at_page_break(text: str, lines: Sequence[Edges], line: int, marked: set[int]) -> bool:
    start, end = lines[line]
    before = text[lines[line - 1][1] : start] if line else ""
    after = text[end : lines[line + 1][0]] if line + 1 < len(lines) else ""
    beside_mark = line - 1 in marked or line + 1 in marked
    return beside_mark or bool(_PAGE_BREAK.search(before) or _PAGE_BREAK.search(after))


def _is_whole_line(text: str, start: int, end: int) -> bool:
    """Whether a line breaks off before or behind it: in a text without line breaks, cells of tables look like lines."""
    before, after = (
        text[max(0, start - 200) : start].rstrip(" \t\u00a0")[-1:],
        text[end : end + 200].lstrip(" \t\u00a0")[:1],
    )
    return before in ("", "\n", "\x0c") or after in ("", "\n", "\x0c")


def _is_header(line: str) -> bool:
    line = _LEADING_NUMBER.sub("", line)
    is_open = (
        not line[0].islower() and line[-1] not in ".;:,-_" and not _NUMBERED.match(line) and not _FOLLOWS.match(line)
    )
    return is_open and sum(map(str.isalpha, line)) >= 6


def _stands_out(text: str, lines: Sequence[Edges], at: int) -> bool:
    """Whether a line looks like a title, or is a paragraph of its own; others are lines of sentences that come back."""
    start, end = lines[at]
    if is_title(text[start:end].split()):
        return True
    above = text.count("\n", lines[at - 1][1], start) if at else 2
    below = text.count("\n", end, lines[at + 1][0]) if at + 1 < len(lines) else 2
    return above >= 2 and below >= 2


def _count_up(text: str, lines: Sequence[Edges], places: Sequence[int]) -> bool:
    """Whether a number in the lines counts their pages."""
    if not all(_is_counted(text[slice(*lines[at])]) for at in places):
        return False
    numbers = [[int(number[:9]) for number in _DIGITS.findall(text[slice(*lines[at])])] for at in places]
    if not numbers[0] or not _is_far_apart([lines[at][0] for at in places]):
        return False
    steps = [[b - a for a, b in pairwise(column)] for column in zip(*numbers, strict=True)]
    return any(sum(1 <= step <= 3 for step in column) >= 0.8 * len(column) for column in steps)


def _is_counted(line: str) -> bool:
    """Whether a line can be a header with a page number, and not a sentence about something that is counted."""
    return is_title(_LEADING_NUMBER.sub("", line).split()) or "page" in line.lower()


def _is_far_apart(starts: Sequence[int]) -> bool:
    """Whether lines that stand there can belong to pages: seldom two on one."""
    gaps = [after - before for before, after in pairwise(starts)]
    return sum(gap >= SHORTEST_PAGE for gap in gaps) >= 0.7 * len(gaps)
