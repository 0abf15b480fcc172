"""Separates headers, footers and page numbers, which repeat from page to page, from the text."""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import pairwise

from pincite.documents.page_lines import is_court_stamp
from pincite.documents.pdf_layout import PageLine
from pincite.documents.running_titles import is_title

MARGIN_ROWS = 4
"""Rows at the top and at the bottom of a page that may belong to its header or footer."""

MARGIN_SHARE = 0.16
"""Share of the page height, from each edge, that may hold headers and footers."""

_DIGITS = re.compile(r"[0-9]+")
_ROMAN = re.compile(r"[ivxlc]+")
_PAGE_NUMBER = re.compile(
    r"(?:page|p\.|seite)?\s*+[-–—\[(]*+\s*+(?P<number>[0-9]{1,5}|[ivxlc]{1,7})\s*+[-–—\])]*+\s*+(?:(?:of|/|von)\s*+[0-9]{1,5})?\s*+",
    re.IGNORECASE,
)
_NUMBER_INSIDE = re.compile(
    r"\bpage\s+([0-9]{1,5}|[ivxlc]{1,7})\b|(?:^|\s{2})[-–—]?\s*([0-9]{1,5})\s*[-–—]?$", re.IGNORECASE
)
_BATES = re.compile(r"(?<![\w-])(?P<prefix>[A-Z][A-Z0-9&.]*(?:[-_ ][A-Z&.]+)*?[-_ ]?)(?P<number>[0-9]{5,12})(?![\w-])")

_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}

Edges = dict[bool, list[list[PageLine]]]
"""The outermost rows at the top (True) and the bottom (False) of a page, from the edge inwards."""
Key = tuple[bool, str]
"""Whether a line is at the top, and its text without what changes from page to page."""


@dataclass(frozen=True, slots=True)
class Margins:
    """The header and footer of each page, and the lines between them."""

    bodies: list[list[PageLine]]
    texts: tuple[str, ...]
    labels: tuple[str, ...]
    """The Bates number of each page, else its printed page number, else ""."""
    bates: bool
    """Whether the labels are Bates numbers."""


def split_margins(pages: list[list[PageLine]], bounds: list[tuple[float, float]], labels: list[str]) -> Margins:
    """Move repeated lines, page numbers and Bates numbers from the text to the margins.

    `bounds` says how low and how high each page reaches, `labels` what the PDF itself calls it.
    """
    edges = [_edges(lines, *bound) for lines, bound in zip(pages, bounds, strict=True)]
    certain = _page_numbers(edges, labels) | _stamps(edges)
    marginal = _marginal(edges, certain)
    bodies: list[list[PageLine]] = []
    texts: list[str] = []
    for lines in pages:
        bodies.append([line for line in lines if id(line) not in marginal])
        margin = sorted((line for line in lines if id(line) in marginal), key=lambda line: (-line.baseline, line.left))
        texts.append("\n".join(line.text for line in margin))
    bates = _bates(texts)
    if any(bates):
        return Margins(bodies, tuple(texts), tuple(bates), bates=True)
    return Margins(bodies, tuple(texts), tuple(map(_printed, texts)), bates=False)


def _marginal(edges: list[Edges], certain: set[int]) -> set[int]:
    """Ids of the lines that belong to a header or footer. Those of `certain` do whether they repeat or not."""
    repeated = _repeated(edges)
    split: list[tuple[bool, list[PageLine], list[PageLine]]] = []
    for page, edge in enumerate(edges):
        for top in (True, False):
            texts = {key[1] for key in repeated[page % 2] if key[0] == top}
            split.append((top, *_split_edge(edge[top], texts, certain)))
    keys = {(top, _normal(line.text)) for top, outer, _ in split for line in outer}
    return {
        id(line)
        for top, outer, inner in split
        for line in outer + inner
        if id(line) in certain or (top, _normal(line.text)) in keys
    }


def _split_edge(
    rows: list[list[PageLine]], repeated: set[str], certain: set[int]
) -> tuple[list[PageLine], list[PageLine]]:
    """The lines at an edge that are marginal, and those that are marginal only if they are so on other pages.

    If every row of the edge repeats, the pages are copies of one form. Then only rows outside a gap are certainly
    marginal.
    """
    marginal: list[PageLine] = []
    for row in rows:
        own = [line for line in row if _normal(line.text) in repeated or id(line) in certain]
        marginal += own
        if len(own) < len(row):
            return marginal, []
    gaps = [abs(one[0].baseline - two[0].baseline) for one, two in pairwise(rows)]
    cut = next((i + 1 for i, gap in enumerate(gaps) if gap > 1.5 * min(gaps) or gap > 3 * rows[i][0].height), 0)
    outer = {id(line) for row in rows[:cut] for line in row}
    return [line for line in marginal if id(line) in outer], [line for line in marginal if id(line) not in outer]


def _edges(lines: list[PageLine], low: float, high: float) -> Edges:
    """The outermost rows of a page."""
    rows: list[list[PageLine]] = []
    for line in sorted(lines, key=lambda line: -line.baseline):
        if rows and rows[-1][0].baseline - line.baseline < 0.5 * line.height:
            rows[-1].append(line)
        else:
            rows.append([line])
    zone = MARGIN_SHARE * (high - low)
    top = [row for row in rows[:MARGIN_ROWS] if row[0].baseline > high - zone]
    return {True: top, False: [row for row in rows[: -MARGIN_ROWS - 1 : -1] if row[0].baseline < low + zone]}


def _normal(text: str) -> str:
    """The text of a line without what changes from page to page."""
    text = _DIGITS.sub("#", " ".join(text.lower().split()))
    return "#" if _ROMAN.fullmatch(text.strip("-–— ")) else text


def _repeated(edges: list[Edges]) -> tuple[set[Key], set[Key]]:
    """The lines that half of the pages share at the same height, for even and for odd pages."""
    places: dict[Key, list[tuple[int, float]]] = defaultdict(list)
    for page, edge in enumerate(edges):
        for top in (True, False):
            for row in edge[top]:
                for line in row:
                    places[top, _normal(line.text)].append((page, line.baseline))
    repeated: tuple[set[Key], set[Key]] = (set(), set())
    on_both = _on_both(edges)
    for key, seen in places.items():
        middle = sorted(baseline for _, baseline in seen)[len(seen) // 2]
        near = {page for page, baseline in seen if abs(baseline - middle) <= 16}
        everywhere = (len(near) >= 3 and 2 * len(near) >= len(edges)) or key in on_both
        for parity in (0, 1):
            own = sum(page % 2 == parity for page in near)
            pages = len(range(parity, len(edges), 2))
            if everywhere or (own >= 3 and 2 * own > pages and 2 * own > len(near)):
                repeated[parity].add(key)
    return repeated


def _on_both(edges: list[Edges]) -> set[Key]:
    """The outermost titles that two pages, and there are no more, share at exactly the same place."""
    if len(edges) != 2:
        return set()
    first, second = (
        {
            (top, _normal(line.text), round(line.baseline), round(line.left))
            for top in (True, False)
            for line in (edge[top][0] if edge[top] else [])
            if is_title(line.text.split())
        }
        for edge in edges
    )
    return {(top, text) for top, text, _, _ in first & second}


def _page_numbers(edges: list[Edges], labels: list[str]) -> set[int]:
    """Ids of lines that are a page number, or a title beside one, if the numbers increase from page to page."""
    alone: dict[tuple[bool, int], list[PageLine]] = defaultdict(list)
    beside: dict[tuple[bool, int], list[PageLine]] = defaultdict(list)
    labelled: set[int] = set()
    for page, edge in enumerate(edges):
        for top in (True, False):
            for line in (line for row in edge[top][:2] for line in row):
                if match := _PAGE_NUMBER.fullmatch(line.text.strip()):
                    alone[top, _number(match["number"]) - page].append(line)
                if labels[page] and line.text.strip() == labels[page]:
                    labelled.add(id(line))
            for line in edge[top][0] if edge[top] else []:
                for number in _outer_numbers(line):
                    beside[top, number - page].append(line)
    series = [lines for (_, shift), lines in alone.items() if len(lines) >= 2 or shift == 1]
    series += [lines for lines in beside.values() if len(lines) >= 3]
    return labelled | {id(line) for lines in series for line in lines}


def _outer_numbers(line: PageLine) -> set[int]:
    """The numbers in the first and in the last cell of a line."""
    cells = _cells(line.text)
    return {int(cell) for cell in (cells[0], cells[-1]) if cell.isdigit()} if len(cells) > 1 else set()


def _cells(text: str) -> list[str]:
    return [cell.strip() for cell in text.split("  ") if cell.strip()]


def _stamps(edges: list[Edges]) -> set[int]:
    """Ids of lines that are the stamp of a court, or a Bates number."""
    return {
        id(line)
        for edge in edges
        for top in (True, False)
        for row in edge[top][:3]
        for line in row
        if _is_stamp(line.text)
    }


def _is_stamp(text: str) -> bool:
    """Whether a line is the stamp of a court's electronic files, or a Bates number, perhaps beside a page number."""
    if is_court_stamp(text.strip()):
        return True
    cells = _cells(text)
    stamps = [cell for cell in cells if _BATES.fullmatch(cell)]
    return bool(stamps) and all(cell in stamps or _PAGE_NUMBER.fullmatch(cell) for cell in cells)


def _bates(texts: list[str]) -> list[str]:
    """The Bates number of each page: a prefix that the pages share, and a number that increases by one."""
    stamps = [
        [(match["prefix"], int(match["number"]), match.group()) for match in _BATES.finditer(text)] for text in texts
    ]
    shifts = Counter(
        (prefix, number - page) for page, own in enumerate(stamps) for prefix, number, _ in dict.fromkeys(own)
    )
    if not shifts:
        return []
    (prefix, shift), times = shifts.most_common(1)[0]
    if times < 2 and len(texts) > 1:
        return []
    return [
        next((stamp for start, number, stamp in own if (start, number - page) == (prefix, shift)), "")
        for page, own in enumerate(stamps)
    ]


def _printed(text: str) -> str:
    """The page number in a margin, as printed."""
    for line in text.split("\n"):
        if match := _PAGE_NUMBER.fullmatch(line.strip()):
            return match["number"]
    for line in text.split("\n"):
        if match := _NUMBER_INSIDE.search(line):
            return match[1] or match[2]
    return ""


def _number(number: str) -> int:
    """The value of digits or Roman numerals."""
    if number.isdigit():
        return int(number)
    values = [_ROMAN_VALUES[letter] for letter in number.lower()]
    return sum(-one if one < two else one for one, two in zip(values, [*values[1:], 0], strict=True))
