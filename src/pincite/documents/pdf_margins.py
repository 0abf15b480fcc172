"""Headers, footers and page numbers: lines at the edges of pages that come back from page to page."""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import pairwise

from pincite.documents.pdf_layout import Line

DEEP = 4
"""So many rows from the top or the bottom of a page may be its header or footer."""

ZONE = 0.16
"""Headers and footers stand within this part of the page's height from its edge."""

_DIGITS = re.compile(r"[0-9]+")
_ROMAN = re.compile(r"[ivxlc]+")
_PAGE_NUMBER = re.compile(
    r"(?:page|p\.|seite)?\s*[-–—\[(]*\s*(?P<number>[0-9]{1,5}|[ivxlc]{1,7})\s*[-–—\])]*\s*(?:(?:of|/|von)\s*[0-9]{1,5})?\s*",
    re.IGNORECASE,
)
_NUMBER_INSIDE = re.compile(
    r"\bpage\s+([0-9]{1,5}|[ivxlc]{1,7})\b|(?:^|\s{2})[-–—]?\s*([0-9]{1,5})\s*[-–—]?$", re.IGNORECASE
)
_BATES = re.compile(r"(?<![\w-])(?P<prefix>[A-Z][A-Z0-9&.]*(?:[-_ ][A-Z&.]+)*?[-_ ]?)(?P<number>[0-9]{5,12})(?![\w-])")

_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}

Key = tuple[bool, str]


@dataclass(frozen=True, slots=True)
class Margins:
    """What stands at the edges of each page, and what is left."""

    bodies: list[list[Line]]
    texts: tuple[str, ...]
    labels: tuple[str, ...]
    """The Bates number of each page, else the number printed on it, else ""."""
    bates: bool


def split_margins(pages: list[list[Line]], bounds: list[tuple[float, float]], labels: list[str]) -> Margins:
    """Takes repeated lines, page numbers and Bates numbers off the pages.

    `bounds` says for each page from which height to which it reaches, `labels` what number the PDF itself gives it.
    """
    edges = [_edges(lines, *bound) for lines, bound in zip(pages, bounds, strict=True)]
    repeated = _repeated(edges)
    numbered = _numbered(edges, labels)
    stamped = _stamped(edges)
    surely = numbered | stamped
    peeled = [
        {
            top: _peeled(edge[top], {key[1] for key in repeated[page % 2] if key[0] == top}, surely)
            for top in (True, False)
        }
        for page, edge in enumerate(edges)
    ]
    found = {(top, _normal(line.text)) for page in peeled for top in (True, False) for line in page[top][0]}
    bodies: list[list[Line]] = []
    texts: list[str] = []
    for lines, page in zip(pages, peeled, strict=True):
        taken = {
            id(line)
            for top in (True, False)
            for line in page[top][0] + page[top][1]
            if id(line) in surely or (top, _normal(line.text)) in found
        }
        bodies.append([line for line in lines if id(line) not in taken])
        margin = sorted((line for line in lines if id(line) in taken), key=lambda line: (-line.baseline, line.left))
        texts.append("\n".join(line.text for line in margin))
    stamps = _bates(texts)
    if any(stamps):
        return Margins(bodies, tuple(texts), tuple(stamps), bates=True)
    return Margins(bodies, tuple(texts), tuple(map(_printed, texts)), bates=False)


def _peeled(rows: list[list[Line]], repeated: set[str], surely: set[int]) -> tuple[list[Line], list[Line]]:
    """The lines at an edge that are marginal, and those that are if they are on other pages.

    Where every row of the edge comes back, the pages are alike, as filled-in forms are: then only what a gap parts
    from the rest is surely marginal.
    """
    marginal: list[Line] = []
    for row in rows:
        own = [line for line in row if _normal(line.text) in repeated or id(line) in surely]
        marginal += own
        if len(own) < len(row):
            return marginal, []
    gaps = [abs(one[0].baseline - two[0].baseline) for one, two in pairwise(rows)]
    cut = next((i + 1 for i, gap in enumerate(gaps) if gap > 1.5 * min(gaps) or gap > 3 * rows[i][0].height), 0)
    outer = {id(line) for row in rows[:cut] for line in row}
    return [line for line in marginal if id(line) in outer], [line for line in marginal if id(line) not in outer]


def _edges(lines: list[Line], low: float, high: float) -> dict[bool, list[list[Line]]]:
    """The outermost rows at the top (True) and the bottom (False) of a page, from the edge inwards."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: -line.baseline):
        if rows and rows[-1][0].baseline - line.baseline < 0.5 * line.height:
            rows[-1].append(line)
        else:
            rows.append([line])
    zone = ZONE * (high - low)
    top = [row for row in rows[:DEEP] if row[0].baseline > high - zone]
    return {True: top, False: [row for row in rows[: -DEEP - 1 : -1] if row[0].baseline < low + zone]}


def _normal(text: str) -> str:
    """A line without what changes from page to page."""
    text = _DIGITS.sub("#", " ".join(text.lower().split()))
    return "#" if _ROMAN.fullmatch(text.strip("-–— ")) else text


def _repeated(edges: list[dict[bool, list[list[Line]]]]) -> tuple[set[Key], set[Key]]:
    """The lines that half of the pages share at one height, for even and for odd pages."""
    places: dict[Key, list[tuple[int, float]]] = defaultdict(list)
    for page, edge in enumerate(edges):
        for top in (True, False):
            for row in edge[top]:
                for line in row:
                    places[top, _normal(line.text)].append((page, line.baseline))
    found: tuple[set[Key], set[Key]] = (set(), set())
    for key, seen in places.items():
        middle = sorted(baseline for _, baseline in seen)[len(seen) // 2]
        near = {page for page, baseline in seen if abs(baseline - middle) <= 16}
        everywhere = len(near) >= 3 and 2 * len(near) >= len(edges)
        for parity in (0, 1):
            own = sum(page % 2 == parity for page in near)
            of = len(range(parity, len(edges), 2))
            if everywhere or (own >= 3 and 2 * own > of and 2 * own > len(near)):
                found[parity].add(key)
    return found


def _numbered(edges: list[dict[bool, list[list[Line]]]], labels: list[str]) -> set[int]:
    """Lines that are nothing but a page number, or a title beside one, where the numbers go up page by page."""
    found: dict[tuple[bool, int], list[Line]] = defaultdict(list)
    beside: dict[tuple[bool, int], list[Line]] = defaultdict(list)
    alone: set[int] = set()
    for page, edge in enumerate(edges):
        for top in (True, False):
            for line in (line for row in edge[top][:2] for line in row):
                match = _PAGE_NUMBER.fullmatch(line.text.strip())
                number = _value(match["number"]) if match else None
                if number is not None:
                    found[top, number - page].append(line)
                if labels[page] and line.text.strip() == labels[page]:
                    alone.add(id(line))
            for line in edge[top][0] if edge[top] else []:
                cells = [cell.strip() for cell in line.text.split("  ") if cell.strip()]
                for cell in {cells[0], cells[-1]} if len(cells) > 1 else ():
                    if cell.isdigit():
                        beside[top, int(cell) - page].append(line)
    sure = [lines for (_, shift), lines in found.items() if len(lines) >= 2 or shift == 1]
    sure += [lines for lines in beside.values() if len(lines) >= 3]
    return alone | {id(line) for lines in sure for line in lines}


def _stamped(edges: list[dict[bool, list[list[Line]]]]) -> set[int]:
    """Lines that are nothing but a Bates number."""
    return {
        id(line)
        for edge in edges
        for top in (True, False)
        for row in edge[top][:3]
        for line in row
        if _is_stamp(line.text)
    }


def _is_stamp(text: str) -> bool:
    """A Bates number, perhaps with a page number beside it."""
    cells = [cell.strip() for cell in text.split("  ") if cell.strip()]
    stamps = [cell for cell in cells if _BATES.fullmatch(cell)]
    return bool(stamps) and all(cell in stamps or _PAGE_NUMBER.fullmatch(cell) for cell in cells)


def _bates(texts: list[str]) -> list[str]:
    """Each page's Bates number: a prefix that the pages share and a number that goes up by one."""
    stamps = [
        [(match["prefix"], int(match["number"]), match.group()) for match in _BATES.finditer(text)] for text in texts
    ]
    shifts = Counter((prefix, number - page) for page, found in enumerate(stamps) for prefix, number, _ in set(found))
    if not shifts:
        return []
    (prefix, shift), times = shifts.most_common(1)[0]
    if times < 2 and len(texts) > 1:
        return []
    return [
        next((stamp for own, number, stamp in found if (own, number - page) == (prefix, shift)), "")
        for page, found in enumerate(stamps)
    ]


def _printed(text: str) -> str:
    """The page number in a margin, as it is printed."""
    for line in text.split("\n"):
        if match := _PAGE_NUMBER.fullmatch(line.strip()):
            return match["number"]
    for line in text.split("\n"):
        if match := _NUMBER_INSIDE.search(line):
            return match[1] or match[2]
    return ""


def _value(number: str) -> int | None:
    """The number that digits or Roman numerals stand for; None for letters that are no number."""
    if number.isdigit():
        return int(number)
    values = [_ROMAN_VALUES[letter] for letter in number.lower()]
    return sum(-one if one < two else one for one, two in zip(values, [*values[1:], 0], strict=True))
