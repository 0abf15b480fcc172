"""Numbers of provisions as headings and references write them: "Section 7.2", "ARTICLE IV", "Schedule A-1"."""

import re

from pincite.segment.numerals import numeral

_WORDS = {
    "sec": "section",
    "sec.": "section",
    "§": "section",
    "§§": "section",
    "clause": "section",
    "paragraph": "section",
    "para": "section",
    "para.": "section",
    "subsection": "section",
    "art": "article",
    "art.": "article",
    "chapter": "part",
    "annexure": "annex",
    "recital": "recitals",
    "signatures": "signature",
}
ATTACHED = ("schedule", "exhibit", "annex", "appendix", "attachment", "addendum")
_HEADING = re.compile(
    r"[\s*_#\"“\[]*+(?:(?P<word>section|clause|article|art\.?|sec\.?|§+|part|paragraph|para\.?|chapter|schedule|exhibit"
    r"|annexure|annex|appendix|attachment|addendum)(?:\s+no\.?)?[\s\"“]*)?"
    r"(?P<number>\d+[A-Z]?(?:[.\-]\d+[A-Z]?)*(?:\([a-zA-Z0-9]+\))*|\[\d+\]|(?-i:[IVXLC]+|[A-Z]{1,2}(?:[-.]?\d+)*)|\([a-zA-Z0-9]+\)"
    r"|one|two|three|four|five|six|seven|eight|nine|ten)?"
    r"(?=[.):,\s–—\-\"”\]]|$)",
    re.IGNORECASE,
)
_ORDINAL = re.compile(
    r"[\s*_#\"“\[]*+(?:the\s+)?(?P<ordinal>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\s+"
    r"(?P<word>schedule|annex|appendix|exhibit)\b",
    re.IGNORECASE,
)
"""The heading "THE FIRST SCHEDULE", as English deeds have it."""
_ORDINALS = (*("first", "second", "third", "fourth", "fifth"), *("sixth", "seventh", "eighth", "ninth", "tenth"))
_SEGMENT = re.compile(r"\(([^()]*)\)|[^.()\s]+")

Segments = tuple[str, ...]


def segments(number: str) -> Segments:
    """The parts of a number, so that ways of writing it meet: Roman numbers count, zeros before digits do not.

    >>> segments("7.2(b)"), segments("XII"), segments("5.02"), segments("A-1"), segments("Two")
    (('7', '2', '(b)'), ('12',), ('5', '2'), ('A-1',), ('2',))
    """
    parts: list[str] = []
    for part in _SEGMENT.finditer(number.strip(" .:[]")):
        if part[1] is not None:
            parts.append(f"({part[1].strip()})")
        else:
            parts.append(_value(part[0].strip("[]-–—\"“”'")))
    return tuple(part for part in parts if part)


def _value(part: str) -> str:
    if part.isdigit():
        return str(int(part))
    value = numeral(part.upper()) if part.isalpha() else 0
    return str(value) if value else part.upper()


def kind_of(word: str) -> str:
    word = word.strip().lower()
    if word.endswith("s") and word[:-1] in (*ATTACHED, "section", "clause", "article", "paragraph", "part"):
        word = word[:-1]
    return _WORDS.get(word, word)


def called(heading: str) -> tuple[str, str]:
    """What a heading calls its provision, and its number.

    >>> called("Section 7.2 Fees"), called("ARTICLE IV. TERM"), called("SCHEDULE A - FEES"), called("I agree")
    (('section', '7.2'), ('article', 'IV'), ('schedule', 'A'), ('', ''))
    >>> called("THE SECOND SCHEDULE")
    ('schedule', '2')
    """
    if counted := _ORDINAL.match(heading):
        return counted["word"].lower(), str(_ORDINALS.index(counted["ordinal"].lower()) + 1)
    found = _HEADING.match(heading)
    if found is None:
        return "", ""
    word, number = (found["word"] or "").lower(), (found["number"] or "").strip("[]")
    if not word and len(number) > 3 and number[:4].isdigit():
        return "", ""
    if number.isalpha() and not word:
        marked = heading[found.end() :].lstrip()[:1]
        if not number.isupper() or (marked not in (".", ")", ":", "-", "–", "—") and heading.strip() != number):
            return "", ""
    return kind_of(word), number
