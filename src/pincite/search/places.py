"""From a stretch of characters to the unit that holds it."""

from pincite.text.passage import Edges
from pincite.text.units import LoadedDocument


def unit_edges(loaded: LoadedDocument, place: Edges) -> Edges:
    """The unit that holds a place, or else its line."""
    units, text = loaded.units, loaded.document.text
    at = int(units.starts.searchsorted(place[0], side="right")) - 1
    if at >= 0 and place[0] < int(units.ends[at]):
        return int(units.starts[at]), max(int(units.ends[at]), place[1])
    end = text.find("\n", place[1])
    line = text[text.rfind("\n", 0, place[0]) + 1 : end if end >= 0 else len(text)]
    start = text.rfind("\n", 0, place[0]) + 1 + len(line) - len(line.lstrip())
    return start, start + len(line.strip())
