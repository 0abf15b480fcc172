"""Lines that come back and are of the page: sentences go on around them, or page numbers stand beside them."""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from pincite.documents.line_gaps import goes_on
from pincite.text.passage import Edges

TIMES = 3
"""Times that a line must come back."""
BROKEN, BROKEN_SHARE = 2, 0.2
"""Sentences that must go on around it, and the share of its places at which one must."""
BESIDE_SHARE = 0.8
"""Share of its places at which a page number or the like must stand beside it."""
LONGEST = 170
"""Characters of such a line, each run of blanks as one."""
FAR_APART = 300
"""Characters between the lines of two pages."""
PROSE_LINE = 40
"""Characters of a line in which a sentence may break off; shorter ones stand on covers and among signatures."""
FIRST_LINES = 3
"""Lines at the start of a text that stay: what comes back on later pages stands there as its title."""
FULL_LINE = 110
"""Characters of a line that was wrapped."""
DOUBLE_SPACED = 0.25
"""Share of empty lines inside sentences beyond which a text is set with an empty line between all lines."""

_DIGITS = re.compile(r"[0-9]+")
_ITEM = re.compile(
    r"\W*(?:[a-z]{1,2}|[ivxlc]{1,7}|[0-9]{1,3}(?:\s?\.\s?[0-9]{1,3})*)\W*"
    r"|(?:section|article|clause|paragraph)\s+[0-9ivxlc.]+\W*(?:\([a-z0-9]+\)\W*)*|[-•●▪·*o]\s.*",
    re.IGNORECASE,
)
"""The mark of an item or clause on a line of its own."""
_FIELD = re.compile(
    r"(?:by|name|title|its|date|signed|signature|attn|attention)\b\s*:|(?:and|or|between|among|with|clause|article|section)\W*$"
    r"|(?:exhibit|schedule|annex|appendix|attachment)\s+\w{1,3}\W*$|\[",
    re.IGNORECASE,
)
"""A field of a signature, a word between names, the heading of what is attached."""


def recurring_lines(text: str, lines: Sequence[Edges], numbers: set[int], others: set[int]) -> set[int]:
    """Which lines come back on page after page. `numbers`: known numbers and headers; `others`: what else is hidden."""
    marked = numbers | others
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for at, (start, end) in enumerate(lines):
        if at not in marked and end - start <= 4 * LONGEST:
            line = " ".join(text[start:end].split())
            if _can_come_back(line):
                groups[_DIGITS.sub("#", line)].append(at)
    often = [same for same in groups.values() if len(same) >= TIMES and _is_far_apart([lines[at][0] for at in same])]
    runs = _broken_runs(text, lines, marked, {at for same in often for at in same})
    found: set[int] = set()
    for same in often:
        broken = sum(at in runs for at in same)
        beside = sum(at - 1 in numbers or at + 1 in numbers for at in same)
        if (broken >= BROKEN and broken >= BROKEN_SHARE * len(same)) or (
            beside >= TIMES and beside >= BESIDE_SHARE * len(same) and _is_header(text, lines, same)
        ):
            found.update(
                at for at in same if at >= FIRST_LINES and not (at == same[0] and _is_contents(text, lines, at))
            )
    return found


def _can_come_back(line: str) -> bool:
    """Whether a line can be of a page: not the mark of an item, a field to sign, or a row of what was left out."""
    return (
        3 <= len(line) <= LONGEST
        and any(map(str.isalnum, line))
        and not (line[0].islower() or _ITEM.fullmatch(line) or _FIELD.match(line))
    )


def _broken_runs(text: str, lines: Sequence[Edges], marked: set[int], candidates: set[int]) -> set[int]:
    """The candidates in runs of lines of the page around which a sentence goes on."""
    if _is_double_spaced(text, lines):
        return set()
    found: set[int] = set()
    at = 1
    while at < len(lines) - 1:
        if at not in candidates:
            at += 1
            continue
        first = last = at
        while first > 1 and first - 1 in marked:
            first -= 1
        while last < len(lines) - 2 and (last + 1 in marked or last + 1 in candidates):
            last += 1
        before, after = lines[first - 1][1], lines[last + 1][0]
        is_apart = text.count("\n", before, lines[first][0]) > 1 and text.count("\n", lines[last][1], after) > 1
        is_prose = before - _paragraph_start(text, lines, first - 1) >= PROSE_LINE
        if is_apart and is_prose and text[after].islower() and goes_on(text, before, after):
            found.update(range(at, last + 1))
        at = last + 1
    return found & candidates


def _paragraph_start(text: str, lines: Sequence[Edges], at: int) -> int:
    """Where the line before starts, if no empty line stands between, else the line itself."""
    wrapped = at > 0 and text.count("\n", lines[at - 1][1], lines[at][0]) == 1
    return lines[at - wrapped][0]


def _is_double_spaced(text: str, lines: Sequence[Edges]) -> bool:
    """Whether empty lines stand inside sentences everywhere."""
    gaps = [
        (one[1], two[0])
        for one, two in pairwise(lines)
        if PROSE_LINE <= one[1] - one[0] <= FULL_LINE and text.count("\n", one[1], two[0]) >= 2
    ]
    inside = sum(text[after].islower() and goes_on(text, before, after) for before, after in gaps)
    return len(gaps) > 20 and inside > DOUBLE_SPACED * len(gaps)


def _is_header(text: str, lines: Sequence[Edges], same: Sequence[int]) -> bool:
    """Whether lines are the same, stand alone, and are no sentence."""
    words = {" ".join(text[slice(*lines[at])].split()) for at in same}
    line = next(iter(words))
    small = sum(word[0].islower() for word in line.split())
    return len(words) == 1 and not line.endswith((":", ";", ",", ".")) and small <= len(line.split()) // 2


def _is_contents(text: str, lines: Sequence[Edges], at: int) -> bool:
    return text[slice(*lines[at])].casefold().startswith("table of contents")


def _is_far_apart(starts: Sequence[int]) -> bool:
    gaps = [after - before for before, after in pairwise(starts)]
    return sum(gap >= FAR_APART for gap in gaps) >= 0.7 * len(gaps)
