"""Finds headed recitals, and the heading "Agreement" that follows them."""

import re

from pincite.segment.candidates import Place, place_of
from pincite.segment.division import Division, DivisionKind

_RECITALS = re.compile(
    r"(?:R\s?E\s?C\s?I\s?T\s?A\s?L\s?S?|Recitals?|W\s?I\s?T\s?N\s?E\s?S\s?S\s?E\s?T\s?H|Witnesseth|BACKGROUND|Background"
    r"|PREAMBLE|Preamble|WHEREAS|Whereas|PRELIMINARY STATEMENTS?|Preliminary Statements?|INTRODUCTION|Introduction)"
    r"(?![A-Za-z])"
)
_AGREEMENT = re.compile(r"(?:AGREEMENTS?|Agreements?|TERMS AND CONDITIONS|Terms and Conditions)(?![A-Za-z])")
_ALONE = re.compile(r"[ \t\u00a0]*[:.,;]*[ \t\u00a0]*(?:\n|$|[ \t\u00a0]{3})")
_BEGINS_RECITALS = re.compile(r"[ \t\u00a0:.,;]*(?:WHEREAS|Whereas|\(?[A1I]\)|[A1I]\.|The\s|This\s|THE\s)")
_BEGINS_AGREEMENT = re.compile(
    r"[ \t\u00a0:.,;]*(?:NOW|Now|In consideration|IN CONSIDERATION|The [Pp]arties|THE PARTIES|1\.)"
)


def recitals(text: str, stop: int) -> list[Division]:
    """The headings of recitals and of the agreement that follows them, before the first division at `stop`."""
    found: list[Division] = []
    for match in _RECITALS.finditer(text, 0, stop):
        if _is_headed(text, match, _BEGINS_RECITALS):
            found = [Division(match.start(), match.end(), match.group(), kind=DivisionKind.RECITALS)]
            break
    for match in _AGREEMENT.finditer(text, found[0].end if found else stop, stop):
        if _is_headed(text, match, _BEGINS_AGREEMENT):
            found.append(Division(match.start(), match.end(), match.group(), kind=DivisionKind.RECITALS))
            break
    return found


def _is_headed(text: str, match: re.Match[str], begins: re.Pattern[str]) -> bool:
    place = place_of(text, match.start())
    if place >= Place.BREAK and _ALONE.match(text, match.end()):
        return True
    if match.group().upper().startswith("WHEREAS"):
        return False
    return place >= Place.SENTENCE and bool(begins.match(text, match.end()) or _ALONE.match(text, match.end()))
