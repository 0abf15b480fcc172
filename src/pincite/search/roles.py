"""Who has a role in a document: the landlord, the administrative agent, the architect."""

import re

from pincite.search.places import unit_edges
from pincite.search.whole import Definitions
from pincite.text.passage import Edges
from pincite.text.units import LoadedDocument

HEAD = 12_000
"""Characters in which a document says who is who."""
COVER = 4_000
"""Characters of the cover and the preamble, where "as Borrower" follows a name."""
TOGETHER = 1_500
"""Characters between the first and the last who share a role that are shown as one place."""

_NAME = re.compile(r"(?<![a-z])[A-Z][\w&.’'-]")


def role_place(loaded: LoadedDocument, role: str) -> Edges | None:
    """Where a document says who has a role; of a role in the plural everyone who has it, where they stand together."""
    words = role.split()
    singular = words[-1].removesuffix("s")
    name = r"\s+".join([*map(re.escape, words[:-1]), re.escape(singular) + r"(?:s|es|\(s\))?"])
    text = loaded.document.text
    for pattern, end in (
        (rf"[(\[][^()\[\]]{{0,120}}[“\"'‘‟]\s*{name}[”\"'’]", HEAD),
        (rf"\bas\s+(?:(?:the|an?|sole)\s+){{0,2}}(?:\w+\s+and\s+)?{name}\b(?!\s+[a-z]+ing\b)", COVER),
        (rf"^[ \t>*|-]*{name}[ \t*]*[:|][ \t*]*\S", HEAD),
    ):
        found = list(re.compile(pattern, re.IGNORECASE | re.MULTILINE).finditer(text, 0, min(end, len(text))))
        if found:
            near = [one for one in found if one.end() - found[0].start() <= TOGETHER]
            last = near[-1] if words[-1] != singular else found[0]
            first = _with_name(loaded, found[0].span())
            return first[0], max(first[1], unit_edges(loaded, last.span())[1])
    defined = Definitions.of(loaded).find(role)
    return (defined.start, defined.end) if defined else None


def _with_name(loaded: LoadedDocument, place: Edges) -> Edges:
    """The unit of a place, with the one before it where the unit begins with "as Agent" and has no name itself."""
    start, end = unit_edges(loaded, place)
    text = loaded.document.text
    if _NAME.search(text, start, place[0]):
        return start, end
    before = int(loaded.units.starts.searchsorted(start, side="left")) - 1
    if before < 0 or text[start : place[0]].strip(" ,\n\t"):
        return start, end
    return int(loaded.units.starts[before]), end
