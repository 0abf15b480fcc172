"""The name of a court paper: what stands in the right column of its caption, or under it."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pincite.documents.profile.caption import DOCKET, ROLE
from pincite.documents.profile.head import Head, cleaned, is_boilerplate
from pincite.documents.profile.vocabulary import LEGAL_FORM

FEWEST_WORDS = 3
"""Words of a name that tells papers of one case apart: "Order" does not."""
MOST_WORDS = 30
MOST_LINES = 6
PAPER_LENGTH = 5000
"""Characters in which the name of a paper is looked for."""
CAPTION_LENGTH = 1500
"""Characters before and behind "v." that may be of the caption."""
FAR_RIGHT = 30
"""Blanks before a line that stands in the right column."""

_NOUN = re.compile(
    r"\b(?:MEMORANDUM|ORDERS?|OPINION|JUDGMENT|COMPLAINT|MOTION|BRIEF|PETITION|STIPULATION|NOTICE|DECISION|DECLARATION|ANSWER"
    r"|RULING|REPORT|RESPONSE|REPLY|OPPOSITION|OBJECTIONS?|SUGGESTION|INJUNCTION|DECREE|AFFIDAVIT|APPLICATION|SUMMONS"
    r"|SUBPOENA|VERDICT|INDICTMENT|STATEMENT|CERTIFICATE|WARRANT|TRANSCRIPT|MANDATE|REQUEST|DISCLOSURE|RECOMMENDATIONS?"
    r"|CROSS-?CLAIM|COUNTERCLAIMS?|INTERROGATORIES|INSTRUCTIONS|WAIVER)\b"
)
_COLUMNS = re.compile(r"[ \t]{2,}|(?:^|\s)[)§|:]+(?=\s|$)")
_SIGN = re.compile(r"[)§|:]+\s")
"""What stands before a line of the right column whose left one is empty."""
_MARGIN = re.compile(r"^\d{1,2}\s+(?=\S)")
"""The number of a line of pleading paper."""
_CLAUSE = re.compile(r"(?:\d{1,2}|[IVX]{1,4}|[A-H])\.\s")
"""The number of a heading of the text."""
_VERSUS = re.compile(r"^(?:v|vs|V|VS)\.?(?:\s+|$)|^[-–—]?\s*(?i:against)\s*[-–—]?$")
_OPENS = re.compile(r"^(?:THE\s+|\[)?(?:[A-Z][A-Z’',.&\]-]*\s+){0,9}?" + _NOUN.pattern)
_NOT_A_NAME = re.compile(
    r"\b(?:COURT|CLERK(?!['’]S)|JUDGE|JUSTICE|CIRCUIT|CALENDAR|INTRODUCTION|BACKGROUND|HEREBY|IS|ARE|WAS|ATTORNEYS?|COUNSEL"
    r"|PURSUANT\s+TO\s+THE\s+ORDER)\b|\d{4,}|^(?:ON\s+)?(?:APPEAL|PETITION|CERTIORARI|WRIT)\b.*\b(?:FROM|REVIEW|TO)\b"
    r"|^(?:AND|OF|OR|TO|FOR|BY)\b|^(?:RE|DATE|TIME|DEPT|PLACE|MDL|HON|FILED)\b"
)
_RUNS_ON = re.compile(
    r"(?:[,&’']|['’]S|\b(?:AND|OF|THE|FOR|TO|IN|ON|WITH|BY|OR|A|AN|RE|REGARDING|GRANTING|DENYING|SETTING|PARTIAL|SUMMARY))$"
)
_ARTICLE = re.compile(r"\b(?:(?:FOR|OF|TO|IN|BY|WITH|ON)\s+AN?|THE)$")
"""What the next line completes, whatever it says."""
_DANGLING = re.compile(r"(?:\s+(?:AND|OF|THE|FOR|TO|IN|ON|WITH|BY|OR|RE|REGARDING)(?:\s+AN?)?)+$")
_BY_WHOM = re.compile(r"\b(?:OF|BY|FROM|TO)(?:\s+THE)?$")
"""What comes before the judge who wrote a paper, or to whom it goes."""
_CONTINUES = re.compile(
    r"^(?:(?:AND|OF|THE|FOR|TO|IN|ON|WITH|BY|OR|UNDER|REGARDING|FROM|AS|PURSUANT|GRANTING|DENYING)\b|&|\()"
)
_ADDRESSES = re.compile(r"TO\s+(?:ALL\s+(?:PARTIES|COUNSEL)|THE\s+(?:COURT|CLERK|PARTIES)|PLAINTIFFS?|DEFENDANTS?)\b")
"""To whom a paper speaks: the first words of its text."""
_AUTHOR = re.compile(
    r"\bBY\s+(?:THE\s+HON\w*\.?\s+|JUDGE\s+|JUSTICE\s+)?[A-Z][A-Z’'.\s-]+,?\s+(?:P\.?\s?|C\.?\s?)?J{1,2}\b"
)
"""Who wrote an opinion: "MEMORANDUM BY OTT, J."."""
_LEFT = re.compile(r"[,;]$")
"""A line of a list of parties ends so."""
_ENDS_AS_FIRM = re.compile(rf"{LEGAL_FORM.pattern}[\s,;]*$", re.IGNORECASE)


class _Cell(NamedTuple):
    """A part of a line, of one column."""

    text: str
    gap: int
    start: int
    in_column: bool
    """Whether it stands in the right column of the caption."""
    is_left: bool
    """Whether it is of the parties."""
    is_role: bool
    """Whether it says what the parties are; that of the second side ends the caption."""


def find_paper(head: Head, start: int, parties: Sequence[str] = ()) -> str:
    """The name of the paper whose caption has its "v." at a place; "" where none tells it from others of its case."""
    cells = list(_cells(head, start, parties))
    end = min((cell.start for cell in cells if start < cell.start < start + CAPTION_LENGTH and cell.is_role), default=0)
    named = [cell for cell in cells if not cell.is_left]
    for at, cell in enumerate(named):
        text = cell.text
        if not _OPENS.match(text) or not text.isupper() or is_boilerplate(text) or _NOT_A_NAME.search(text):
            continue
        if cell.start < start and not cell.in_column:
            continue
        if _AUTHOR.search(text):
            continue
        before = [above.text for above in named[max(0, at - 1) : at] if _leads(above, cell)]
        name = _DANGLING.sub("", " ".join([*before, *_lines(cell, named[at + 1 : at + MOST_LINES], end)]))
        if FEWEST_WORDS <= len(name.split()) <= MOST_WORDS:
            return name if name.count("[") == name.count("]") else re.sub(r"[\[\]]", "", name)
    return ""


def _cells(head: Head, start: int, parties: Sequence[str]) -> Iterator[_Cell]:
    """The lines around and behind a place, each column of a line as one."""
    names = [key for key in map(_key, parties) if key]
    for line in head.lines:
        if not start - CAPTION_LENGTH < line.start < PAPER_LENGTH:
            continue
        if _CLAUSE.match(_MARGIN.sub("", line.text)):
            continue
        indent = line.start - head.text.rfind("\n", 0, line.start) - 1
        texts = [cell for cell in _COLUMNS.split(_MARGIN.sub("", line.text)) if any(map(str.isalpha, cell))]
        led = bool(_SIGN.match(line.text))
        gap, inside = line.gap, start - CAPTION_LENGTH < line.start < start + CAPTION_LENGTH
        for at, cell in enumerate(texts):
            bare = _VERSUS.sub("", cell.strip())
            right = inside and (at > 0 or led or indent > FAR_RIGHT or bare != cell.strip())
            if text := cleaned(bare):
                left = inside and not right and _is_party(cell.strip(), names)
                role = bool(ROLE.fullmatch(text))
                yield _Cell(text, gap, line.start, right, left or role, role)
                gap = 0


def _is_party(text: str, names: Sequence[str]) -> bool:
    """Whether a line of the left column is of a party: its name, a piece of it, or of a list of names."""
    key = _key(text)
    if _OPENS.match(text) and not _LEFT.search(text):
        return False
    return bool(
        _LEFT.search(text)
        or _ENDS_AS_FIRM.search(text)
        or ROLE.match(text)
        or any(key in name or name in key for name in names if key)
    )


def _leads(above: _Cell, cell: _Cell) -> bool:
    """Whether a line of the right column begins the name that goes on in the next one: "DEFENDANT'S FIRST AMENDED"."""
    return (
        above.in_column
        and cell.in_column
        and above.text.isupper()
        and not (DOCKET.match(above.text) or is_boilerplate(above.text) or _NOT_A_NAME.search(above.text))
        and not any(map(str.isdigit, above.text))
        and len(above.text.split()) > 1
    )


def _lines(first: _Cell, behind: Sequence[_Cell], caption_end: int) -> Iterator[str]:
    """The line, and those behind it that go on with it: inside the caption all that stand in the right column."""
    yield first.text
    above = first.text
    for cell in behind:
        text = cell.text
        runs_on = _RUNS_ON.search(above) or _CONTINUES.match(text)
        goes_on = runs_on or cell.start < caption_end or (cell.gap <= 1 and not LEGAL_FORM.search(text))
        if _ADDRESSES.match(text):
            return
        other = _NOT_A_NAME.search(text) and not any(
            (_CONTINUES.match(text), _BY_WHOM.search(above), _ARTICLE.search(above))
        )
        if not text.isupper() or not goes_on or is_boilerplate(text) or other or DOCKET.match(text):
            return
        yield text
        above = text


def _key(name: str) -> str:
    return re.sub(r"\W+", "", name).casefold()
