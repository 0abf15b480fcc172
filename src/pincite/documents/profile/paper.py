"""The name of a court paper: what stands under its caption, or in the right column."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pincite.documents.profile.head import Head, HeadLine, cleaned, is_boilerplate
from pincite.documents.profile.vocabulary import LEGAL_FORM

FEWEST_WORDS = 3
"""Words of a name that tells papers of one case apart: "Order" does not."""
MOST_WORDS = 30
MOST_LINES = 5
PAPER_LENGTH = 5000
"""Characters in which the name of a paper is looked for."""

_NOUN = re.compile(
    r"\b(?:MEMORANDUM|ORDER|OPINION|JUDGMENT|COMPLAINT|MOTION|BRIEF|PETITION|STIPULATION|NOTICE|DECISION|DECLARATION|ANSWER"
    r"|RULING|REPORT|RESPONSE|REPLY|OPPOSITION|OBJECTIONS?|SUGGESTION|INJUNCTION|DECREE|AFFIDAVIT|APPLICATION)\b"
)
_COLUMNS = re.compile(r"[ \t]{2,}|(?:^|\s)[)§|](?=\s|$)")
_OPENS = re.compile(r"^(?:THE\s+)?(?:[A-Z][A-Z’',.&-]*\s+){0,9}?" + _NOUN.pattern)
_NOT_A_NAME = re.compile(
    r"\b(?:COURT|CLERK|JUDGE|JUSTICE|CIRCUIT|CALENDAR|INTRODUCTION|BACKGROUND|HEREBY|IS|ARE|WAS|PURSUANT\s+TO\s+THE\s+ORDER)\b|\d{4,}|^(?:ON\s+)?(?:APPEAL|PETITION"
    r"|CERTIORARI|WRIT)\b.*\b(?:FROM|REVIEW|TO)\b"
)
_RUNS_ON = re.compile(r"(?:,|&|\b(?:AND|OF|THE|FOR|TO|IN|ON|WITH|BY|OR|A|AN|RE|REGARDING|GRANTING|DENYING))$")
_CONTINUES = re.compile(
    r"^(?:AND|OF|THE|FOR|TO|IN|ON|WITH|BY|OR|UNDER|REGARDING|FROM|AS|PURSUANT|GRANTING|DENYING|&|\()"
)


def find_paper(head: Head, start: int) -> str:
    """The name of a paper under the caption that begins at a place; "" where none tells it from others of its case."""
    lines = list(_cells(head.lines, start))
    for at, line in enumerate(lines):
        text = line.text
        if not _OPENS.match(text) or not text.isupper() or is_boilerplate(text) or _NOT_A_NAME.search(text):
            continue
        name = " ".join(_lines(text, lines[at + 1 : at + MOST_LINES]))
        if FEWEST_WORDS <= len(name.split()) <= MOST_WORDS:
            return name
    return ""


def _cells(lines: Sequence[HeadLine], start: int) -> Iterator[HeadLine]:
    """The lines behind a place, each column of a line as one."""
    for line in lines:
        if start < line.start < PAPER_LENGTH:
            for cell in _COLUMNS.split(line.text):
                if text := cleaned(cell):
                    yield replace(line, text=text)


def _lines(first: str, behind: Sequence[HeadLine]) -> Iterator[str]:
    """The line, and those behind it that go on with it."""
    yield first
    above = first
    for line in behind:
        text = line.text
        runs_on = _RUNS_ON.search(above) or _CONTINUES.match(text)
        goes_on = runs_on or (line.gap <= 1 and not LEGAL_FORM.search(text))
        if not text.isupper() or not goes_on or is_boilerplate(text) or _NOT_A_NAME.search(text):
            return
        yield text
        above = text
