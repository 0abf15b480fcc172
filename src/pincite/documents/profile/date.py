"""The date of a document: when it takes effect or was signed, by the words around it."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from pincite.documents.profile.head import Head
from pincite.documents.profile.preamble import Preamble
from pincite.documents.profile.vocabulary import DATE, ORDINALS
from pincite.text.dates import iso_date

LAST_LENGTH = 6000
"""Characters at the end of a document that are searched for the date of signing."""
AROUND = 120
"""Characters before a date that say what date it is."""
COVER_LENGTH = 2500
UNSIGNED = 1.2
"""Evidence of a date alone on a line near the end, where nothing says that somebody signed."""
SHORT_LINE = 60
"""Characters of a line that holds little more than a date."""

_MADE = re.compile(
    r"(?:\b(?:dated|made|entered|executed|signed|effective|concluded|commencing|adopted|enacted"
    r"|approved)\b[^.;]{0,70}|\bas\s+of\b[^.;]{0,25}|\bis\s+made\b[^.;]{0,40}|\bthis\s*$|\bdate\s*[:\s]*$"
    r"|\bon\s+(?:this\s+)?(?:the\s+)?$|^\W*$)$",
    re.IGNORECASE,
)
_EFFECTIVE = re.compile(
    r"(?:effective\s+(?:date\s*)?(?:as\s+of|on|from|:)?|last\s+(?:updated|modified|revised)(?:\s+on)?\s*:?"
    r"|in\s+force\s+(?:from|on)|comes?\s+into\s+(?:force|effect)\s+on)\W*(?:the\s+)?$",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"\b(?:amended|supplemented|restated|superseded|replaced|originally|previously|earlier|prior|existing"
    r"|terminate[sd]?|expir\w+|until|through|ending|end\s+on|born|birth|argued|submitted|hearing|"
    r"that\s+certain|act\s+of|section|rule|registration|patent|issued|incorporated|ended|fiscal|maturity"
    r"|no\s+later\s+than|on\s+or\s+before|not\s+later\s+than|before|after|since|period|deadline"
    r"|certain\s+[\w\s]{3,40}agreement|power\s+of\s+attorney|meeting|status|repealed|update|gazette|deposited"
    r"|source\s*:)[^.;]{0,80}$",
    re.IGNORECASE,
)
_SIGNED = re.compile(
    r"(?:\b(?:dated?|signed|executed|witness(?:\s+whereof)?|as\s+of|effective|the\s+date)\b[^.;]{0,90}|\bthis\s+(?:the\s+)?"
    r"|/s/[^\n]{0,60}|\b(?:President|Manager|Director|Officer|Chairman)\W{1,80})$",
    re.IGNORECASE,
)
_IS_EFFECTIVE = re.compile(r"\s*+,?\s*+\(?\s*+(?:the\s+)?[“\"(]*(?:the\s+)?[“\"]\s*+Effective\s+Date")
_LABELLED = re.compile(r"\bEffective\s+Date\s*(?:\([^)]*\)\s*)?:\s*", re.IGNORECASE)
_BEHIND_TITLE = re.compile(r"\b(?:AGREEMENT|CONTRACT|LEASE|AMENDMENT)\W*$")
_STARTS = re.compile(
    r"\b(?:commencing|effective|starting|entered\s+into|dated)\s+(?:on|as\s+of)\s*$"
    r"|\bthis\s+(?:agreement|contract|lease|amendment)\b[^.;]{0,40}\bdated\s*$",
    re.IGNORECASE,
)
_CELL = re.compile(r"[ \t]{3,}")
_LAST_SIGNED = re.compile(
    r"\b(?:last\s+(?:date|written|signature|signed|party|dated?|executed)|date\s+of\s+(?:the\s+)?last"
    r"|later\s+of\s+the\s+dates|(?:later|latest)\s+date)\b",
    re.IGNORECASE,
)
_DATED = re.compile(
    r"\bthis\s+(?:agreement|contract|lease|deed|amendment|policy|note|plan)\s+"
    r"(?:(?:is|was)\s+(?:dated|made|effective|entered\s+into)|(?:shall\s+)?(?:comes?|enters?)\s+into\s+(?:force|effect))"
    r"(?:\s+(?:as\s+of|on|from|this))?\s+(?:the\s+)?",
    re.IGNORECASE,
)
_AMENDED = re.compile(
    r"\b(?:to|that\s+certain|of|amend(?:s|ing)?|modif(?:y|ies|ying)|supplement(?:s|ing))\s+(?:the\s+|that\s+certain\s+)?[^(),;]{0,80}\b(?:agreement|lease|contract|plan"
    r"|note)\s+dated\b[^,;]{0,20}$",
    re.IGNORECASE,
)
"""The date of the agreement that this one amends."""
_OF_AMENDED = re.compile(
    r"\bamend(?:s|ment\s+to)\s+(?:your|our|the|that)\b.{0,110}\bdated(?:\s+as\s+of)?$", re.IGNORECASE
)
"""The same where the names of the parties stand before the date."""
_ENACTED = re.compile(
    r"\b(?:assented\s+to|enacted(?:\s+on)?|approved(?:\s+and\s+ordered)?|passed(?:\s+on)?|(?:Act|Law)\W{0,3}\s+of)\s*:?\s*",
    re.IGNORECASE,
)
_ENACTED_LAST = re.compile(rf"(?:{_ENACTED.pattern}|\)\s+of\s*)$", re.IGNORECASE)
_SOME_DATE = re.compile(r"\bdate\W*$", re.IGNORECASE)
_OWN_DATE = re.compile(
    r"\W*(?:(?:effective|agreement|contract|execution|signing|signature|as\s+of)\s+)?dated?\W*$", re.IGNORECASE
)
"""What may stand before the date of a document on its line; "Rent Start Date" is another one."""
_REFERS = re.compile(
    r"(?<!\bthis\s)\b(?:agreement|lease|contract|plan|note|indenture|letter|amendment|order"
    r"|opinion)\b[^.;()“”\"]{0,60}\bdated\b[^.;]{0,20}$",
    re.IGNORECASE,
)


class _Found(NamedTuple):
    score: float
    place: int
    date: str


def find_date(text: str, head: Head, preamble: Preamble | None, *, is_court: bool = False, filed: str = "") -> str:
    """The date as YYYY-MM-DD, or YYYY-MM where no day is given; "" where none is found.

    Of a court paper it is the date with which it was `filed` or signed: its last lines may list other papers.
    """
    if filed:
        return normal(DATE.match(filed))
    if head.front_date:
        return "-".join(part.zfill(2) for part in re.split(r"[-./]", head.front_date))
    closing = [found for found in _closing(text) if not is_court or found.score > UNSIGNED]
    if preamble and closing and _LAST_SIGNED.search(head.text, preamble.start, preamble.end):
        return max(found.date for found in closing)
    candidates = [*_opening(head, preamble), *_cover(head, preamble), *_said(text), *closing]
    best = max(candidates, key=lambda found: (found.score, -found.place), default=None)
    return best.date if best and best.score > 0 else ""


def _opening(head: Head, preamble: Preamble | None) -> Iterator[_Found]:
    """Dates in the preamble. The date of the agreement itself comes first there, other agreements' dates behind."""
    if preamble is None:
        return
    stop = min(preamble.end, preamble.start + 2500)
    last = preamble.start
    for at, match in enumerate(DATE.finditer(head.text, preamble.start, stop)):
        before = " ".join(head.text[max(last, match.start() - AROUND) : match.start()].split())
        last = match.end()
        score = 5.0 - 0.6 * at
        if _AMENDED.search(before) or _OF_AMENDED.search(before):
            score -= 5
        if _MADE.search(before):
            score += 2
        if _OTHER.search(before) or (at and _REFERS.search(before)):
            score -= 5
        if _IS_EFFECTIVE.match(head.text, match.end()):
            score += 1.5
        yield _Found(score, match.start(), normal(match))


def _cover(head: Head, preamble: Preamble | None) -> Iterator[_Found]:
    """Dates over the preamble: on the cover, under the title, at the head of a letter."""
    stop = preamble.start if preamble else COVER_LENGTH
    dates = list(DATE.finditer(head.text, head.body_start, min(stop, 6000)))
    dates += _behind(_LABELLED, head.text[:8000], stop)
    dates += _behind(_ENACTED, head.text, stop)
    for match in dates:
        line = head.text.rfind("\n", 0, match.start()) + 1
        before = " ".join(head.text[max(0, match.start() - AROUND) : match.start()].split())
        own = _CELL.split(head.text[line : match.start()].strip(" \t*_#|:"))[-1]
        behind = head.text[match.end() : match.end() + 40].split("\n")[0].strip(" \t*_.|")
        alone = not own and not behind
        enacted = bool(_ENACTED_LAST.search(before))
        score = 5.0 if enacted else 2.0 if len(own) <= 60 and len(behind) <= 20 else 0.2
        if _MADE.search(before) or _EFFECTIVE.search(before):
            score += 2.2
        elif alone:
            score += 1.6
        updated = bool(_EFFECTIVE.search(before))
        if _OF_AMENDED.search(before):
            score -= 4
        if (_OTHER.search(before) and not updated) or _REFERS.search(" ".join(own.split())):
            score -= 4
        if _SOME_DATE.search(own) and not _OWN_DATE.match(own):
            score -= 3
        defined = bool(_IS_EFFECTIVE.match(head.text, match.end()))
        score += 3.0 * defined
        if (
            preamble is None
            and not defined
            and not enacted
            and not _EFFECTIVE.search(before)
            and not _BEHIND_TITLE.search(before)
            and not _STARTS.search(before)
            and len(own) + len(behind) > 60
        ):
            score -= 3
        if own.lower().startswith(("filed", "source", "case")) or re.search(r"\bAM\b|\bPM\b|\d+:\d\d", behind[:12]):
            score -= 2.5
        yield _Found(score - match.start() / 12000, match.start(), normal(match))


def _behind(words: re.Pattern[str], text: str, start: int) -> Iterator[re.Match[str]]:
    """The dates that stand directly behind some words."""
    for found in words.finditer(text, start):
        if date := DATE.match(text, found.end()):
            yield date


def _said(text: str) -> Iterator[_Found]:
    """A sentence of the text that says when it was made: "This Agreement is dated April 29, 2010."."""
    for found in _DATED.finditer(text):
        date = DATE.match(text, found.end())
        if date:
            yield _Found(3.0, date.start(), normal(date))


def _closing(text: str) -> Iterator[_Found]:
    """Dates beside the signatures."""
    start = _signatures(text)
    for match in DATE.finditer(text, start, min(len(text), start + LAST_LENGTH)):
        before = " ".join(text[max(start, match.start() - AROUND) : match.start()].split())
        if _OTHER.search(before) or _REFERS.search(before):
            continue
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.end()].strip()
        score = 1.8 if _SIGNED.search(before) else UNSIGNED if len(line) <= SHORT_LINE else 0.0
        yield _Found(score - (match.start() - start) / 20000, match.start(), normal(match))


def _signatures(text: str) -> int:
    found = [
        match.start() for match in re.finditer(r"\bIN\s+WITNESS\s+WHEREOF\b|\bSIGNED\s+by\b|\bSignature\s+Page\b", text)
    ]
    found = [place for place in found if place > len(text) * 0.2] or found
    return found[0] if found else max(0, len(text) - LAST_LENGTH)


def normal(match: re.Match[str] | None) -> str:
    """A date in one form: YYYY-MM-DD, or YYYY-MM."""
    if match is None:
        return ""
    if match.group("iso"):
        return match.group("iso")
    if match.group("dotted"):
        day, month, year = match.group("dotted").split(".")
        return iso_date(f"{year}-{int(month):02}-{int(day):02}")
    if match.group("us"):
        return _us(match.group("us"))
    month = match.group("m1") or match.group("m2") or match.group("m3")
    year = match.group("y1") or match.group("y2") or match.group("y3")
    day = match.group("d1") or match.group("d2")
    if match.group("w1"):
        day = str(ORDINALS.get("-".join(match.group("w1").lower().replace("-", " ").split()), ""))
    whole = iso_date(f"{month.strip('.')} {day + ',' if day else ''} {year}")
    return whole if day else whole[:7]


def _us(text: str) -> str:
    month, day, year = re.split("[/-]", text)
    if int(month) > 12:
        month, day = day, month
    year = year if len(year) == 4 else f"{'19' if int(year) > 50 else '20'}{year}"
    return iso_date(f"{year}-{int(month):02}-{int(day):02}")
