"""Values that a document states for a term: in a row, "Deposit: £34,200", or in its definition."""

import re

from pincite.search.places import unit_edges
from pincite.search.values import holds
from pincite.search.whole import Definitions
from pincite.text.passage import Edges
from pincite.text.units import LoadedDocument

LONGEST_ROW = 300
"""Characters of a row behind its label."""


def stated_value(loaded: LoadedDocument, thing: str, expected: str) -> Edges | None:
    """Where a document states the value of a thing: a row whose label it is, or its definition, if what it states is a
    value of the expected kind. Where no kind is expected, only a row counts."""
    text = loaded.document.text
    name = r"\s+".join(map(re.escape, thing.split()))
    label = re.compile(rf"^[ \t>*|-]*{name}[ \t*]*[:|][ \t*|]*(?P<value>\S.*)$", re.IGNORECASE | re.MULTILINE)
    for row in label.finditer(text):
        if not expected or holds(row["value"][:LONGEST_ROW], expected):
            start, end = unit_edges(loaded, row.span())
            inside = start <= row.start() and row.end() <= end <= start + LONGEST_ROW
            return (start, end) if inside else (row.start() + len(row[0]) - len(row[0].lstrip()), row.end())
    defined = Definitions.of(loaded).find(thing) if expected else None
    if defined is None:
        return None
    said = re.sub(name, "", text[defined.start : defined.end], flags=re.IGNORECASE)
    return (defined.start, defined.end) if holds(said, expected) else None
