"""Court papers: the court, the docket number, the name of the case."""

import re
from dataclasses import dataclass

from pincite.documents.profile.caption import Sides, find_sides, without_line_numbers
from pincite.documents.profile.head import Head

CAPTION_LENGTH = 4000
"""Characters in which a caption is looked for."""
COURT_LENGTH = 2500
"""Characters in which the court is named."""

_COURT = re.compile(
    r"\b(?P<court>(?:UNITED\s+STATES|U\.\s?S\.)\s+(?:DISTRICT\s+COURT|COURT\s+OF\s+APPEALS|BANKRUPTCY\s+COURT|TAX\s+COURT"
    r"|COURT\s+OF\s+(?:FEDERAL\s+CLAIMS|INTERNATIONAL\s+TRADE)|JUDICIAL\s+PANEL\s+ON\s+MULTIDISTRICT\s+LITIGATION)"
    r"|(?:SUPREME|SUPERIOR|DISTRICT|CIRCUIT|HIGH|COUNTY|CROWN|FEDERAL|MUNICIPAL|FAMILY|PROBATE)\s+COURT"
    r"|COURT\s+OF\s+(?:APPEALS?|CHANCERY|JUSTICE|COMMON\s+PLEAS|CLAIMS)"
    r"|BEFORE\s+THE\s+(?:[A-Z]+\s+){0,6}?(?:COMMISSION|BOARD|TRIBUNAL))\b"
    r"(?:[ \t]+(?:OF|FOR)[ \t]+[A-Z][^\n,;|§)]{2,60})?",
    re.IGNORECASE,
)
_COURT_PLACE = re.compile(
    r"[^\S\n]*+\n\s*+(?P<place>(?:for\s+the\s+)?(?:(?:northern|southern|eastern|western|central"
    r"|middle)\s+)?(?:district\s+of\s+\w+(?:[ \t]\w+)?|\w+(?:\s+\w+)?\s+(?:circuit|district))\b[^\n]{0,20})",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"^before\s+the\s+", re.IGNORECASE)
_APPEALED = re.compile(
    r"\b(?:(?:appeal|judgment|order|review|certiorari)\s+(?:from|of|to)\s+(?:an?\s+order\s+of\s+)?the|tribunal\s*:|below\s*:)\s*$",
    re.IGNORECASE,
)
"""What stands before the court from which a case comes."""
_DOCKET = re.compile(
    r"\b(?:(?:Case|Civil\s+Action|Docket|Cause|Appeal|Claim|Index|File|C\.A\.)[ \t]*(?:No|Nos|Number|#)?|No|Nos)\b"
    r"[ \t]*[.:#]*[ \t]*:?[ \t]*"
    r"(?P<number>(?:\d{2}[ \t]Civ\.?[ \t]\d+|(?:[A-Z]{1,5}[ \t-])?\d[\w:./]*(?:-[\w()]+)*)"
    r"(?:[ \t][A-Z]{2,4}(?=\s|$))?(?:[ \t]\([A-Za-z/]+\))?)"
    r"|\b(?P<plain>\d{1,2}:\d{2}-?[a-z]{2}-?\d{3,6}(?:-[A-Z]{2,4})*|\d{2}[ \t]Civ\.?[ \t]\d+(?:[ \t]\([A-Z]+\))?"
    r"|\[\d{4}\]\s+[A-Z]{2,6}\s+\d+(?:\s+\([A-Za-z]+\))?)",
    re.IGNORECASE,
)
_STAMP = re.compile(
    r"^[ \t]*(?:(?:Appellate\s+)?Case:?\s+[\d:]+[\w:-]*\s+Doc|USCA\s?\w*\s+(?:Case|Appeal)\b)",
    re.MULTILINE | re.IGNORECASE,
)
"""The line that a court prints over every page that is filed with it."""


@dataclass(frozen=True, slots=True)
class Caption:
    """What the head of a court paper says."""

    name: str
    """ "Smith v. Jones"; "" where no caption can be read."""
    start: int
    is_sure: bool
    parties: tuple[str, ...]
    roles: tuple[str, ...]
    court: str
    """ "" where only a stamp shows that a paper was filed with a court."""
    docket: str


def find_caption(head: Head) -> Caption | None:
    """The caption of a court paper; None for anything else."""
    text = without_line_numbers(head.printed[:CAPTION_LENGTH])
    court = _court(text[:COURT_LENGTH])
    if not court and not _STAMP.search(text):
        return None
    docket = _DOCKET.search(head.text[:CAPTION_LENGTH]) or _DOCKET.search(text)
    number = (docket.group("number") or docket.group("plain") or "").strip(" .,;") if docket else ""
    sides = (find_sides(text, head.text) if court else None) or Sides("", 0, False, (), ())
    if not number and not sides.name:
        return None
    return Caption(sides.name, sides.start, sides.is_sure, sides.parties, sides.roles, court, number)


def _court(text: str) -> str:
    """The court that is named first, in the longest form in which it is named, with its district."""
    first, longest = "", ""
    for found in _COURT.finditer(text):
        if _APPEALED.search(text[max(0, found.start() - 80) : found.start()]) or "USDC" in found.group():
            continue
        kind = " ".join(found.group("court").casefold().split())
        first = first or kind
        place = _COURT_PLACE.match(text, found.end())
        name = " ".join(f"{found.group()} {place.group('place') if place else ''}".split()).strip(" ,.;")
        name = _BEFORE.sub("", name)
        if kind == first and len(name) > len(longest):
            longest = name
    return longest
