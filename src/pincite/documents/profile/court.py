"""Court papers: caption, court, docket number, date filed, disposition."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pincite.documents.profile.head import Head
from pincite.documents.profile.vocabulary import DATE, LEGAL_FORM

CAPTION_LENGTH = 4000
"""Characters in which a caption is looked for."""

_COURT = re.compile(
    r"\b(?:UNITED\s+STATES\s+(?:DISTRICT\s+COURT|COURT\s+OF\s+APPEALS|BANKRUPTCY\s+COURT|SUPREME\s+COURT)"
    r"|(?:SUPREME|SUPERIOR|DISTRICT|CIRCUIT|HIGH|COUNTY|CROWN|FEDERAL)\s+COURT"
    r"|COURT\s+OF\s+(?:APPEALS?|CHANCERY|JUSTICE|COMMON\s+PLEAS|CLAIMS))\b(?:\s+(?:OF|FOR)\s+[A-Z][^\n,;|]{2,60})?",
    re.IGNORECASE,
)
_COURT_PLACE = re.compile(
    r"\s*\n+\s*(?P<place>(?:for\s+the\s+)?(?:(?:northern|southern|eastern|western|central"
    r"|middle)\s+)?(?:district\s+of\s+\w+(?:\s\w+)?|\w+(?:\s+\w+)?\s+(?:circuit|district))\b[^\n]{0,20})",
    re.IGNORECASE,
)
_DOCKET = re.compile(
    r"\b(?:(?:Case|Civil\s+Action|Docket|Cause|Appeal|Claim|Index)\s*(?:No|Nos|Number|#)?|No|Nos)\b\s*[.:#]*\s*:?\s*"
    r"(?P<number>(?:[A-Z]{1,5}[\s-])?\d[\w:./]*(?:-[\w()]+)*(?:\s[A-Z]{2,4}(?=\s|$))?(?:\s\([A-Za-z/]+\))?)"
    r"|\b(?P<plain>\d{1,2}:\d{2}-?[a-z]{2}-?\d{3,6}(?:-[A-Z]{2,4})*|\[\d{4}\]\s+[A-Z]{2,6}\s+\d+(?:\s+\([A-Za-z]+\))?)",
    re.IGNORECASE,
)
_ONE_LINE = re.compile(
    r"^(?P<lead>.{0,60}?(?:Short\s+(?:Title|Caption)|RE|Re|Caption)\s*:\s*)?(?:Case\s+No\.?\s*[\w-]+,\s*)?"
    r"(?P<first>[A-Z][^\n;|]{1,90}?)\s+(?:v|vs)\.?\s+(?P<second>[A-Z][^\n;|]{1,90}?)(?=\s*(?:$|;|\||,?\s+No\."
    r"|\s+(?:Case|Docket|Originating|Assigned|DC)\b))",
    re.MULTILINE,
)
_SEPARATOR = re.compile(
    r"(?:(?<=[\s,])(?:v|vs)\.(?=\s)|\bversus\b|\bVERSUS\b|(?<=\n)[ \t]*[-–]\s*(?:and|v|AND"
    r"|V)\s*[-–](?=[ \t]*\n)|(?<=\n)[ \t]*v[ \t]*(?=\n)|(?<=\n)[ \t]*[-–]?\s*(?:against|AGAINST)\s*[-–]?[ \t]*(?=\n))"
)
_IN_RE = re.compile(
    r"\b(?:In\s+re|IN\s+RE|In\s+the\s+Matter\s+of"
    r"|IN\s+THE\s+MATTER\s+OF)\b[:\s]*?(?P<name>[A-Z][^\n]{2,100}?)(?=\s+(?:No|Case|Docket|MDL)\b|\s*\n"
    r"|,?\s*$)(?P<rest>[^\n]*\n\s*[A-Z][\w\s]{2,40},?(?=\n))?"
)
_ROLE = re.compile(
    r"\b(?:(?:Counter[- ]?)?(?:Plaintiffs?|Defendants?)|Petitioners?|Respondents?|Appell(?:ants?|ees?)"
    r"|Claimants?|Debtors?|Movants?|Intervenors?|Applicants?|Relators?)\b(?:[\s,/–—-]*(?:Appell(?:ants?|ees?)"
    r"|Cross-\w+|Petitioners?|Respondents?))*[\s,.]*",
    re.IGNORECASE,
)
_NOT_A_PARTY = re.compile(
    r"\b(?:court|circuit|clerk|filed|district\s+of|no\.|case|docket|date|before|between|appeal|civil|action"
    r"|judge|number|list|building|lane|street|division|plaintiff’s|states\s+of|courts)\b|\d{2,}|^[-–_=*\s]+$|:$",
    re.IGNORECASE,
)
_DOES = re.compile(r"[;,]?\s*(?:and\s+)?DOES\s+\d.*$", re.IGNORECASE)
_CAPACITY = re.compile(
    r",?\s+(?:in\s+(?:his|her|their|its)|individually|on\s+behalf|et\s+al|a\s+(?:\w+\s+){0,3}(?:corporation"
    r"|company))\b.*$",
    re.IGNORECASE,
)
_DECIDED = re.compile(
    r"\b(?P<what>(?:AFFIRM|REVERSE|VACATE|DISMISS|GRANT|DENI?|REMAND)(?:E?D|S|Y"
    r"|IED)?(?:\s+IN\s+PART)?(?:,?\s+(?:AND\s+)?(?:AFFIRM|REVERSE|VACATE|DISMISS|GRANT|DENI?|REMAND)(?:E?D|S|Y"
    r"|IED)?(?:\s+IN\s+PART)?)*)\b"
)
_SAID = re.compile(
    r"\b(?:we\s+(?:therefore\s+)?(?P<we>affirm|reverse|vacate|dismiss|remand|deny|grant)\b|(?:appeal|claim"
    r"|motion|petition|application)\s+(?:is|must\s+be|was|should\s+be|will\s+be|succeeds?"
    r"|fails?)\s*(?:therefore\s+)?(?P<is>allowed|dismissed|granted|denied"
    r"|refused)?(?P<part>\s+in\s+part(?:\s+and\s+denied\s+in\s+part)?)?)",
    re.IGNORECASE,
)
_PAST = {
    "affirm": "affirmed", "reverse": "reversed", "vacate": "vacated", "dismiss": "dismissed", "remand": "remanded",
    "deny": "denied", "grant": "granted",
}  # fmt: skip
_FILED = re.compile(
    r"\b(?:Date\s+)?(?:Filed|Decided|Entered|Dated|Date\s+of\s+judgment|Handed\s+down|Judgment\s+(?:given|date)"
    r"|Date)\b\s*(?:on)?\s*[:\n]?\s*",
    re.IGNORECASE,
)


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
    docket: str


@dataclass(frozen=True, slots=True)
class _Sides:
    """The name of a case, where it stands, and its parties with their roles."""

    name: str
    start: int
    is_sure: bool
    parties: tuple[str, ...]
    roles: tuple[str, ...]


def find_caption(head: Head) -> Caption | None:
    """The caption of a court paper; None for anything else."""
    text = left_column(head.text[:CAPTION_LENGTH])
    court = _court(text)
    if not court:
        return None
    docket = _DOCKET.search(head.text[:CAPTION_LENGTH])
    number = (docket.group("number") or docket.group("plain") or "").strip(" .,;") if docket else ""
    readings = [sides for sides in (_on_one_line(text), _on_lines(text), _matter(text)) if sides]
    sides = min(readings, key=lambda reading: reading.start, default=_Sides("", 0, False, (), ()))
    if not number and not sides.name:
        return None
    return Caption(sides.name, sides.start, sides.is_sure, sides.parties, sides.roles, court, number)


def left_column(text: str) -> str:
    """A caption without its right column, which stands behind ")", ":" or "|" on several lines; offsets change."""
    lines = text.split("\n")
    for sign in (")", ":", "|"):
        column = re.compile(rf"^([^(]*?)\s*{re.escape(sign)}(?:\s.*)?$")
        found = [
            at
            for at, line in enumerate(lines[:80])
            if (column.match(line) and not re.search(r"\w:\s*\w", line)) or (sign == ")" and column.match(line))
        ]
        if len(found) >= 3 and found[-1] - found[0] < 40:
            for at in range(found[0], found[-1] + 1):
                match = column.match(lines[at])
                if match:
                    lines[at] = match.group(1)
            break
    return "\n".join(lines)


def _court(text: str) -> str:
    """The court with the longest name, with its district where that stands on the next line."""
    names = []
    for found in _COURT.finditer(text[:2500]):
        if (
            re.search(r"\b(?:appeal|judgment|order)\s+(?:from|of)\s+the\s*$", text[: found.start()], re.IGNORECASE)
            or "USDC" in found.group()
        ):
            continue
        place = _COURT_PLACE.match(text, found.end())
        names.append(" ".join(f"{found.group()} {place.group('place') if place else ''}".split()).strip(" ,.;"))
    return max(names, key=len, default="")


def _on_one_line(text: str) -> _Sides | None:
    """ "Re: Smith v. Jones" on a line of its own, as it stands."""
    for found in _ONE_LINE.finditer(text):
        if len(found.group()) > 200 or _ROLE.search(found.group()):
            continue
        first, second = (found.group(side).strip(" ,.;:)") for side in ("first", "second"))
        return _Sides(f"{first} v. {second}", found.start("first"), True, (_bare(first), _bare(second)), ("", ""))
    return None


def _on_lines(text: str) -> _Sides | None:
    """The parties before and behind "v." in a caption of several lines."""
    for found in _SEPARATOR.finditer(text):
        left, left_role = _side(text[: found.start()], before=True)
        right, right_role = _side(text[found.end() :], before=False)
        if left and right:
            name = f"{_short(left[0])} v. {_short(right[0])}"
            roles = (left_role,) * len(left) + (right_role,) * len(right)
            return _Sides(name, found.start(), bool(left_role or right_role), (*left, *right), roles)
    return None


def _matter(text: str) -> _Sides | None:
    found = _IN_RE.search(text)
    if found is None:
        return None
    rest = (found.group("rest") or "").split("\n")[-1]
    name = " ".join(
        f"{found.group('name')} {rest if re.search('litigation|estate|trust', rest, re.IGNORECASE) else ''}".split()
    )
    name = name.strip(" ,.;")
    return _Sides(f"In re {name}", found.start(), True, (name,), ("",))


def _side(text: str, *, before: bool) -> tuple[list[str], str]:
    """The parties next to the separator, and their role."""
    lines = [re.sub(r"[)|§]+\s*$|^\s*\d{1,2}(?=\s|$)", "", line).strip(" |,§") for line in text.split("\n")]
    lines = [line for line in lines if any(map(str.isalpha, line))]
    lines = lines[::-1][:6] if before else lines[:6]
    role, names = "", list[str]()
    for at, line in enumerate(lines):
        if "|" in line and not before:
            line = line.split("|")[0]
        line = _DOES.sub("", line)
        found = _ROLE.search(line)
        bare = " ".join(_ROLE.split(line)[0 if not before else -1 if not found else 0].split()).strip(" ,;:")
        if found and not before and not role:
            role = found.group().strip(" ,.")
        if found and before and not role:
            role = found.group().strip(" ,.")
        if bare and _NOT_A_PARTY.search(bare):
            break
        if bare and len(bare) < 140:
            names.append(bare)
        if found and not before:
            break
        if (
            at
            and before
            and not re.match(r"\(\d\)", lines[at])
            and len(names) >= 1
            and not re.match(r"\(\d\)|and\b", lines[at - 1] if at else "")
        ):
            break
    names = names[::-1] if before else names
    return [party for name in names for party in _split(name)][:6], re.sub(r"s\b", "", role)


def _split(name: str) -> Iterator[str]:
    """The parties on one line: "(1) A", "A; B", "A and B LLC"."""
    for piece in re.split(r";\s*(?:and\s+)?|\s+and\s+(?=[A-Z][\w.]*\s+[A-Z])|\s+AND\s+(?=[A-Z]{2,}\s)", name):
        bare = _bare(_CAPACITY.sub("", re.sub(r"^\(?\d+\)\s*", "", piece.strip())))
        if len(bare) > 1:
            yield bare


def _bare(text: str) -> str:
    return re.sub(r",?\s+et\s+al\.?$", "", text, flags=re.IGNORECASE).strip(" ,;")


def _short(name: str) -> str:
    """A party as a citation names it: persons by their surname."""
    words = name.split()
    is_person = 2 <= len(words) <= 4 and not LEGAL_FORM.search(name) and not _BODY.search(name)
    return words[-1].rstrip(".,") if is_person and all(word[0].isupper() for word in words) else name


_BODY = re.compile(
    r"\b(?:District|Council|County|City|State|Board|Commission|Department|University|Bank|School|Authority"
    r"|Association|Union|United|Trust|Group|Partners|Services|Systems|Ministry|Agency|Commissioner|Parish"
    r"|League)\b",
    re.IGNORECASE,
)


def disposition(text: str) -> str:
    """How a court decided: "affirmed", "reversed and remanded"; "" where it cannot be read."""
    found = [match.group("what") for match in _DECIDED.finditer(text)]
    if found:
        words = " ".join(max(found[-3:], key=len).lower().split())
        return re.sub(r"\b(affirm|reverse|vacate|dismiss|grant|remand|deny)\b", lambda word: _PAST[word.group()], words)
    said = [match for match in _SAID.finditer(text) if match.group("we") or match.group("is")]
    if not said:
        return ""
    word = (said[-1].group("we") or said[-1].group("is")).lower()
    return _PAST.get(word, word) + " ".join((said[-1].group("part") or "").lower().split()).replace(
        "in part", " in part", 1
    )


def date_filed(head: Head) -> str:
    """The date with which a paper was filed or decided, as it stands; "" where there is none."""
    for found in _FILED.finditer(head.text[:6000]):
        date = DATE.match(head.text, found.end())
        if date:
            return date.group()
    return ""
