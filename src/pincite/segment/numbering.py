"""The numbers of legal drafting: ARTICLE III, Section 7.2, 1.1, (a), (iv), Schedule A."""

import re
from typing import NamedTuple


class NumberMark(NamedTuple):
    """A number that opens a paragraph: its depth (0 for articles and schedules), where its own text ends."""

    level: int
    text: str
    end: int
    strong: bool
    """Whether it surely opens a paragraph; "(a)" may also stand inside a sentence."""


_MARK = re.compile(
    r"""[\s\ufeff]*(?:
    (?P<part>(?:ARTICLE|Article|PART|Part|SCHEDULE|Schedule|EXHIBIT|Exhibit|ANNEX|Annex|APPENDIX|Appendix)
        \s+(?:[IVXLC]+|[0-9]+|[A-Z])\b(?:[.:]|(?=\s|$)))
    |(?P<section>(?:SECTION|Section|§|CLAUSE|Clause)\s*(?P<sn>[0-9]+(?:\.[0-9]+)*|[IVXLC]+)\b\.?\)?)
    |(?P<dotted>(?P<dn>[0-9]{1,3}(?:\.[0-9]{1,3})+)\b\.?\)?(?=\s))
    |(?P<plain>(?P<pn>[0-9]{1,2})[.)](?=\s|[A-Z“"]))
    |(?P<roman>(?P<rn>[IVX]{1,6})\.(?=\s))
    |(?P<letter>\(?(?P<ln>[a-zA-Z]|[ivx]{2,5}|[0-9]{1,2})\)(?=\s|[A-Z“"]))
    |(?P<capital>(?P<cn>[A-Za-z])\.(?=\s+[A-Z“"]))
    |(?P<bullet>[-•●▪·*o](?=\s))
    )""",
    re.VERBOSE,
)
_LEVELS = {"part": 0, "section": 1, "dotted": 1, "plain": 1, "roman": 1, "capital": 3, "letter": 4, "bullet": 6}
_ROMAN = re.compile(r"^(?:[ivx]{2,5}|i|v|x)$")


def mark_of(text: str, start: int, end: int) -> NumberMark | None:
    """The number that opens `text[start:end]`, if one does.

    >>> mark_of("7.2 Term. Two years.", 0, 20)
    NumberMark(level=2, text='7.2', end=3, strong=True)
    """
    found = _MARK.match(text, start, end)
    if not found:
        return None
    kind = found.lastgroup or ""
    kind = next(name for name in _LEVELS if found.group(name) is not None) if kind not in _LEVELS else kind
    number = found.group(kind).strip(" \t\n\r\ufeff\u00a0")
    level = _LEVELS[kind]
    if kind in ("dotted", "section"):
        digits = found.group("dn") or found.group("sn") or ""
        level += digits.count(".")
    elif kind == "letter":
        inner = found.group("ln")
        level = 5 if _ROMAN.match(inner) and len(inner) > 1 else 4
    return NumberMark(level, number, found.end(), strong=kind not in ("letter", "capital", "bullet"))
