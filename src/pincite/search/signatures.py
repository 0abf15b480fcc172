"""Where a document is signed, and where it is signed for one of its parties."""

import re
from collections.abc import Iterator

from pincite.search.whole import Provisions
from pincite.text.passage import Edges
from pincite.text.units import LoadedDocument

MOST_LINES = 12
"""Lines with text that the signature for one party has."""
LONGEST = 700
"""Characters of it."""
MOST_SHOWN = 1500
"""Characters of all signatures that are shown for those of one party."""

_LINE = re.compile(r"(?!(?<=[^\S\n])[^\S\n])[^\S\n]*+\S[^\n]*")
_SIGNS = re.compile(r"/s/|\b(?:by|name|title|signed|signature|its)\s*:|_{3,}", re.IGNORECASE)
_COMPANY = re.compile(r"\b(?:inc|corp|corporation|company|llc|ltd|limited|plc|l\.?p|n\.?a|bank|gmbh)\b", re.IGNORECASE)
_WORD = re.compile(r"\w+")


def signature_places(loaded: LoadedDocument, party: str = "") -> Iterator[tuple[Edges, str]]:
    """Where a document is signed; with a party, the lines that are signed for it. Where these cannot be told, all are
    shown, unless they are too many."""
    for edges in Provisions.of(loaded).find("signature", "")[:1]:
        lines = _signed_for(loaded.document.text, edges, party) if party else None
        if lines is not None:
            yield lines, f"is signed for {party}"
        elif not party or edges[1] - edges[0] <= MOST_SHOWN:
            yield edges, "is signed here"


def _signed_for(text: str, edges: Edges, party: str) -> Edges | None:
    """From the line that names a party to its last line, before the next party."""
    words = [re.escape(word) for word in _WORD.findall(party)]
    if not words:
        return None
    name = re.compile(r"^[^\n]{0,40}?\b" + r"[\W_]+".join(words) + r"\b", re.IGNORECASE | re.MULTILINE)
    for found in name.finditer(text, *edges):
        lines = _lines(text, found, min(edges[1], found.start() + LONGEST))
        if _SIGNS.search(text, *lines):
            return lines
    return None


def _lines(text: str, found: re.Match[str], end: int) -> Edges:
    """The lines of a signature that begins with the name of a party."""
    start = found.start() + len(found.group()) - len(found.group().lstrip())
    last, has_signed = found.end(), False
    for at, line in enumerate(_LINE.finditer(text, start, end)):
        signs = _SIGNS.search(line.group()) is not None
        is_company = line.group().isupper() and _COMPANY.search(line.group()) is not None
        if at == MOST_LINES or (has_signed and is_company and not signs):
            break
        has_signed, last = has_signed or signs, line.end()
    return start, len(text[:last].rstrip())
