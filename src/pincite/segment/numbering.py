"""Recognises the numbers of legal drafting: ARTICLE III, Section 7.2, 1.1, (a), (iv), Schedule A."""

import re
from typing import NamedTuple

ITEM_LEVEL = 4
"""Level of "(a)". Numbers above it, such as "7.2", open a heading."""
BULLET_LEVEL = 6
"""Level of a bullet."""
MOST_DOTS = 8
"""Dots of a number that count for its level. Deeper ones are on one level."""

PARAGRAPH_LEVEL = 3
"""Level of "[12]", the number of a judgment's paragraph."""


class NumberMark(NamedTuple):
    """A number at the start of a paragraph."""

    level: int
    """Depth of the number, from 0 for articles and schedules."""
    text: str
    end: int
    """Offset where the number ends."""
    strong: bool
    """Whether the number certainly starts a paragraph. "(a)" may also be inside a sentence."""


_MARK = re.compile(
    r"""[\s\ufeff]*(?:
    (?P<part>(?:ARTICLE|Article|PART|Part|SCHEDULE|Schedule|EXHIBIT|Exhibit|ANNEX|Annex|APPENDIX|Appendix)
        \s+(?:[IVXLC]+|[0-9]+|[A-Z])\b(?:[.:](?![0-9])|(?=\s|$)))
    |(?P<section>(?:SECTION|Section|§|CLAUSE|Clause)\s*(?P<sn>[0-9]+(?:\.[0-9]+)*|[IVXLC]+)\b\.?\)?)
    |(?P<dotted>(?P<dn>[0-9]{1,3}(?:\.[0-9]{1,3})+)\b\.?\)?(?=\s))
    |(?P<plain>(?P<pn>[0-9]{1,2})[.)](?=\s|[A-Z“"]))
    |(?P<roman>(?P<rn>[IVX]{1,6})\.(?=\s))
    |(?P<paragraph>\[[0-9]{1,4}\](?=\s)(?!\s+[A-Z][A-Za-z]{1,7}\s+[0-9(]))
    |(?P<letter>\(?(?P<ln>[a-zA-Z]|[ivx]{2,5}|[0-9]{1,2})\)(?=\s|[A-Z“"]))
    |(?P<capital>(?P<cn>[A-Za-z])\.(?=\s+[A-Z“"]))
    |(?P<bullet>[-•●▪·*o](?=\s))
    )""",
    re.VERBOSE,
)
_REFERS = re.compile(
    r"(?:\s*\([a-zA-Z0-9]{1,4}\))*[\s,]+(?:of|and|or|to|in|hereof|hereto|herein|hereunder|thereof|above|below|shall|is|are"
    r"|was|were|has|have|had|will|may|must|hereby|attached|et\s+seq|for|as|through|by|with|at|on|from|that|which|upon|if)\b"
)
"""What follows a reference that a line happens to start with: "Section 6 have been satisfied"."""
_LEVELS = {
    "part": 0,
    "section": 1,
    "dotted": 1,
    "plain": 1,
    "roman": 1,
    "paragraph": PARAGRAPH_LEVEL,
    "capital": 3,
    "letter": 4,
    "bullet": BULLET_LEVEL,
}
_ROMAN = re.compile(r"^(?:[ivx]{2,5}|i|v|x)$")


def mark_of(text: str, start: int, end: int) -> NumberMark | None:
    """The number at the start of `text[start:end]`, if there is one.

    >>> mark_of("7.2 Term. Two years.", 0, 20)
    NumberMark(level=2, text='7.2', end=3, strong=True)
    >>> mark_of("Section 6 has been met.", 0, 23) is None
    True
    """
    match = _MARK.match(text, start, end)
    if not match:
        return None
    if match.group("section") or match.group("part"):
        is_bare = text[match.end() - 1] not in ".:)"
        if is_bare and _REFERS.match(text, match.end(), end):
            return None
    kind = match.lastgroup or ""
    kind = next(name for name in _LEVELS if match.group(name) is not None) if kind not in _LEVELS else kind
    number = match.group(kind).strip(" \t\n\r\ufeff\u00a0")
    level = _LEVELS[kind]
    if kind in ("dotted", "section"):
        digits = match.group("dn") or match.group("sn") or ""
        level += min(MOST_DOTS, digits.count("."))
    elif kind == "letter":
        inner = match.group("ln")
        level = 5 if _ROMAN.match(inner) and len(inner) > 1 else 4
    return NumberMark(level, number, match.end(), strong=kind not in ("letter", "capital", "bullet"))
