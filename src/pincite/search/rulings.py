"""Who decided a case, and how: the line that names the judge, and the words of the decision."""

import re

from pincite.search.places import unit_edges
from pincite.text.passage import Edges
from pincite.text.units import LoadedDocument

HEAD = 12_000
"""Characters in which a judgment names its judge."""

_OFFICE = (
    r"(?:(?:Chief|Senior|Associate|Presiding|Acting|U\.?\s?S\.?|United\s+States|Circuit|District|Magistrate)\s+){0,3}"
)
_JUDGES = (
    re.compile(
        rf"^[ \t]*(?:Per\s+|Opinion\s+by\s+)?[A-Z][A-Za-z’'.\- ]{{1,40}},\s{{1,3}}{_OFFICE}"
        r"(?:Justice|Judge|J\.|JJ\.|C\.\s?J\.)[.:,]?[ \t]*(?:$|delivered|announced)",
        re.MULTILINE,
    ),
    re.compile(r"\b(?:Assigned\s+to|Judge|Before)\s?:\s{1,3}(?:the\s+)?[A-Z]|\bBEFORE\s+[A-Z]", re.MULTILINE),
    re.compile(r"\b(?:Honorable|Hon\.)\s+[A-Z]"),
)
"""What names a judge, the surest first: "HUDSON, Justice.", "Assigned to: Judge Spero", "Hon. Ada Poole"."""
_SIGNED = re.compile(
    r"^[ \t]*(?:Chief\s+|Senior\s+)?(?:UNITED STATES|U\.\s?S\.|United States)\s+\w+\s+(?:COURT\s+)?J(?:UDGE|udge)",
    re.MULTILINE,
)
"""The line below the signature of a judge."""
_OUTCOMES = (
    re.compile(r"\b[Ww]e\s+(?:\w+,?\s+){0,4}?(?:affirm|reverse|vacate|remand|dismiss|deny|grant)\b"),
    re.compile(
        r"\b(?:motion|application|petition|appeal|request|judgment|order|decision|complaint|case)s?\b[^.;\n]{0,120}?"
        r"\b(?:is|are)\s+(?:(?:hereby|therefore|accordingly|also)\s+){0,2}"
        r"(?:affirmed|reversed|vacated|dismissed|granted|denied|remanded)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"^[ \t]*(?:(?:MODIFIED|VACATED)\s+AND\s+)?(?:AFFIRMED|REVERSED|VACATED|DISMISSED|REMANDED)\b", re.MULTILINE
    ),
)
"""The words of a decision, the fullest first. The last of them in a document decides."""
LONGEST_ORDER = 1_500
"""Characters of an order with its items."""
_ORDERED = re.compile(r"\bIT\s+IS\s+(?:(?:HEREBY|FURTHER|SO|THEREFORE)\s+){0,3}ORDERED\b")


def judge_place(loaded: LoadedDocument) -> Edges | None:
    """Where a court paper names who decided it, or whom the case is assigned to."""
    text = loaded.document.text
    for pattern in _JUDGES:
        if found := pattern.search(text, 0, min(HEAD, len(text))):
            return unit_edges(loaded, found.span())
    signed = list(_SIGNED.finditer(text))
    if not signed:
        return None
    start, end = unit_edges(loaded, signed[-1].span())
    before = int(loaded.units.starts.searchsorted(start, side="left")) - 1
    return (int(loaded.units.starts[before]) if before >= 0 else start), end


def outcome_place(loaded: LoadedDocument) -> Edges | None:
    """Where a court paper says how the case was decided."""
    text = loaded.document.text
    for pattern in _OUTCOMES:
        if found := list(pattern.finditer(text)):
            return unit_edges(loaded, found[-1].span())
    ordered = _ORDERED.search(text)
    if ordered is None:
        return None
    start, end = unit_edges(loaded, ordered.span())
    ends = loaded.units.ends
    return start, max(end, int(max(ends[ends <= start + LONGEST_ORDER], default=end)))
