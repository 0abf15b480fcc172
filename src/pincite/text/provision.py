"""Where a passage stands, as it is cited: § 7.2, Art. 12, Recitals, Schedule A § 3."""

import re
from collections.abc import Sequence
from typing import NamedTuple

_NUMBER = re.compile(
    r"(?:(?P<word>section|clause|article|art\.?|sec\.?|§+|part|paragraph|para\.?|chapter)\s*)?"
    r"(?P<number>(?-i:[A-Z])\d+(?:\.\d+)*(?=[.)]|$)|\d+[A-Z]?(?:\.\d+[A-Z]?)*(?:\([a-z0-9]+\))*|[IVXLC]+|\([a-z0-9]+\))(?=[.):\s–—-]|$)",
    re.IGNORECASE,
)
_DIVISION = re.compile(
    r"(?P<word>schedule|exhibit|annex|annexure|appendix|attachment|addendum)"
    r"(?:\s+(?:no\.?\s*)?(?P<number>(?-i:(?P<letter>[A-Z])(?P=letter)?)(?:[-.]?\d+)*|\d+(?:[-.][A-Z\d]+)*|[IVXLC]+)(?=[.):,\s–—-]|$))?",
    re.IGNORECASE,
)
_RECITALS = re.compile(r"(?P<word>recitals?|whereas|preamble|background)\b\W*$|(?P<rest>recitals)\b", re.IGNORECASE)
_PARAGRAPH = re.compile(r"^\[(\d+)\]")
"""The number of a judgment's paragraph."""
_YEAR = re.compile(r"\[?(?:19|20)\d\d(?:\]|[-\s–—]|$)")
"""A year, alone or before words: "2022-NCSC-1", "[2022] UKSC 5", "2021 Budget" have no number of a provision."""
_ARTICLE = ("article", "art")


class Provision(NamedTuple):
    """A place in a document: the schedule or recitals it stands in ("" for the body), and its number."""

    division: str = ""
    number: str = ""


class _Level(NamedTuple):
    word: str
    number: str


def provision(heading_path: Sequence[str], *, paragraphs: bool = False) -> Provision:
    """The provision that headings lead to. With `paragraphs` a number below an article is one of its paragraphs.

    >>> provision(("PART 2 - COVENANTS", "Assignment", "2.16"))
    Provision(division='', number='§ 2.16')
    >>> provision(("SCHEDULE A - FEES", "3. Rates", "(b)")), provision(("RECITALS", "(B)"))
    (Provision(division='Schedule A', number='§ 3(b)'), Provision(division='Recital B', number=''))
    >>> provision(("2022-NCSC-1",)), provision(("Section 2022. Fees",))
    (Provision(division='', number=''), Provision(division='', number='§ 2022'))
    >>> provision(("Article 12", "3."), paragraphs=True), provision(("ARTICLE IV", "Section 2. Term"))
    (Provision(division='', number='Art. 12(3)'), Provision(division='', number='Art. IV § 2'))
    """
    division, below = _division(heading_path)
    levels = [level for heading in heading_path[below:] if (level := _level(heading))]
    if division == "Recitals" and levels:
        return Provision(f"Recital {levels[-1].number.strip('()')}")
    return Provision(division, _number(levels, paragraphs=paragraphs))


def _division(heading_path: Sequence[str]) -> tuple[str, int]:
    """The innermost schedule or recitals, and the place of the first heading below it."""
    for at in range(len(heading_path) - 1, -1, -1):
        heading = " ".join(heading_path[at].split())
        if found := _RECITALS.match(heading):
            word = (found.group("word") or found.group("rest")).lower()
            return {"preamble": "Preamble", "background": "Background"}.get(word, "Recitals"), at + 1
        found = _DIVISION.match(heading)
        if found and (found.group("number") or found.end() == len(heading.rstrip(" .:-–—"))):
            word, number = found.group("word").capitalize(), found.group("number") or ""
            return f"{word} {number.upper()}".strip(), at + 1
    return "", 0


def _level(heading: str) -> _Level | None:
    found = _NUMBER.match(_PARAGRAPH.sub(r"\1", heading.strip()))
    if found is None:
        return None
    number = found.group("number")
    if not found.group("word") and _YEAR.match(heading.strip()):
        return None
    if number.isalpha() and not number.isupper() and not found.group("word"):
        return None  # a word such as "I" or "mix" at the beginning of a heading
    return _Level((found.group("word") or "").lower().rstrip("."), number.rstrip("."))


def _number(levels: Sequence[_Level], *, paragraphs: bool) -> str:
    if not levels:
        return ""
    *outer, (word, number) = levels
    if number.startswith("("):
        above = _number(outer, paragraphs=paragraphs)
        return f"{above}{number}" if above else f"§ {number}"
    if word in _ARTICLE:
        return f"Art. {number}"
    article = next((level for level in reversed(outer) if level.word in _ARTICLE), None)
    if article is None or not number.isdigit():
        return f"§ {number}"
    return f"Art. {article.number}({number})" if paragraphs and not word else f"Art. {article.number} § {number}"
