"""How and when a court decided: the disposition, and the date with which a paper was filed."""

import re

from pincite.documents.profile.head import Head
from pincite.documents.profile.vocabulary import DATE

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
    r"\b(?:(?:Date|DATE)\s+)?(?:Filed|Decided|Entered|Dated|FILED|DECIDED|ENTERED|DATED|(?:Date|DATE)\s+(?:of|OF)\s+(?:judgment|JUDGMENT"
    r"|[Dd]ocketing)|Handed\s+down|Judgment\s+(?:given|date)|(?:Date|DATE))\b"
    r"[ \t]*(?:[Oo]n|ON)?\s*:?\s*(?:this\s+(?:the\s+)?)?"
)
"""What stands before the date of a paper: with a capital, since sentences tell of other papers that were filed."""

_OF_ANOTHER = re.compile(r"\b(?:appeals?|judgment|order|sentence|decision|decree)\b", re.IGNORECASE)
"""What stands on the line before the date of a decision that is appealed."""


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
    for found in _FILED.finditer(head.printed[:6000]):
        date = DATE.match(head.printed, found.end())
        line = head.printed[head.printed.rfind("\n", 0, found.start()) + 1 : found.start()]
        if date and not _OF_ANOTHER.search(line):
            return date.group()
    return ""
