"""How far a definition goes: its lead-in with every item, and not the next definition."""

import re

from pincite.query.definitions import defined_terms
from pincite.search.whole.provision_items import next_label
from pincite.text.units import LoadedDocument

LONGEST = 4000
"""Characters of a definition with its items."""

_LABEL = re.compile(r"\(([a-z]{1,4}|[A-Z]|\d{1,2})\)")
_OWN_LABEL = re.compile(r"[\s*_]*(?:\(([a-z]{1,4}|[A-Z]|\d{1,2})\)|[•*–-]\s)")
_FIRST = frozenset(("a", "A", "i", "I", "1"))
_GOES_ON = re.compile(r"(?:[;,]\s*(?:and|or|and/or|but)?|:|\b(?:and|or))\s*$")
"""How a unit ends behind which the same definition goes on."""
_JOINED = re.compile(r"[a-z]|(?:Provided|For\s+(?:the\s+)?purposes?\s+of\s+(?:this\s+definition|the\s+foregoing))\b")
"""How a sentence begins that adds to a definition."""


def definition_end(loaded: LoadedDocument, first: int, last: int) -> int:
    """The last unit of a definition that goes at least from the unit `first` to the unit `last`."""
    units, text = loaded.units, loaded.document.text
    start = int(units.starts[first])
    said = text[start : int(units.ends[last])]
    own = _OWN_LABEL.match(said)
    seen = set(_LABEL.findall(said[own.end() :] if own else said))
    while last + 1 < len(units) and int(units.ends[last + 1]) - start <= LONGEST:
        before, end = int(units.ends[last]), int(units.ends[last + 1])
        words = text[before:end].lstrip()
        lead = units.context(last + 1).lead_in
        is_led = lead is not None and lead[0] < before and lead[1] > start
        is_open = is_led or _GOES_ON.search(text[start:before]) is not None
        if defined_terms(words[:120]) or not _belongs(words, seen, is_open=is_open):
            break
        seen.update(_LABEL.findall(words))
        last += 1
    return last


def _belongs(words: str, seen: set[str], *, is_open: bool) -> bool:
    """Whether words go on with a definition whose items have these labels so far."""
    mark = _OWN_LABEL.match(words)
    if mark is None:
        return is_open or _JOINED.match(words) is not None
    label = mark[1]
    if label is None or label in _FIRST:
        return is_open
    return any(next_label(f"({other})") == f"({label})" for other in seen)
