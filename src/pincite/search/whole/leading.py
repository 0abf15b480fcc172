"""What leads into a hit: "The Supplier shall pay:" above an item "(a) for late delivery ..."."""

import re
from typing import NamedTuple

from pincite.search.whole.completion import begins
from pincite.search.whole.item_marks import ItemMark, inside, marks_at
from pincite.segment.headings import CELL
from pincite.segment.verbs import is_sentence
from pincite.text.passage import Edges
from pincite.text.units import LoadedDocument

MOST = 2
"""Lead-ins of one hit: an item of a list inside a list has two."""
LONGEST = 600
"""Characters of a lead-in. Of a longer one the end is taken, which stands next to its list."""
FARTHEST = 80
"""Units that are looked at above an item."""
NEAR = 12
"""Units above an item in which the item before it is looked for."""
SHORT_ITEM = 60
"""Characters up to which a line without a mark may be an item of a list."""

_SAYS_NOTHING = re.compile(
    r"(?:as\s+follows|(?:the\s+)?following(?:\s+(?:terms(?:\s+and\s+conditions)?|meanings?|definitions?|provisions?))?"
    r"|agreed?(?:\s+that)?|meanings?(?:\s+set\s+forth\s+below)?|witnesseth(?:\s+that)?|resolved)\s*[:—–-]*\s*$",
    re.IGNORECASE,
)
"""Ends of lead-ins after which whole sentences need no lead-in."""
_LEADS = re.compile(r"(?:[:—–]|\b(?:shall|will|must|may|to|by|that|either|if|where|of|for|following|means?)[,:]?)\W*$")
_OPEN = re.compile(r"[,\w)’”\"]\s*$")
_BOUNDARY = re.compile(r"[,;:]\s+")


class LeadIn(NamedTuple):
    """The words that lead into an item, and the unit that they stand in."""

    edges: Edges
    unit: int


def lead_ins(loaded: LoadedDocument, first: int, last: int) -> tuple[Edges, ...]:
    """What leads into the units from `first` to `last` and is no part of them, in the order of the text."""
    hit = (int(loaded.units.starts[first]), int(loaded.units.ends[last]))
    found: list[Edges] = []
    at = first
    for _ in range(MOST):
        above = _above(loaded, at)
        if above is None:
            break
        if above.edges[1] <= hit[0] and all(above.edges[1] <= start for start, _ in found):
            found.append(_shortened(loaded, above.edges))
        if above.unit >= at:
            break
        at = above.unit
    return tuple(reversed(found))


def _above(loaded: LoadedDocument, at: int) -> LeadIn | None:
    """What leads into one unit."""
    words = _shown(loaded, at)
    marks = sorted(marks_at(words), key=lambda mark: not _counts_on(loaded, at, mark))
    for mark in marks:
        if mark.series == "bullet":
            continue
        found = _of_series(loaded, at, mark)
        if found is not None:
            return found if _is_needed(loaded, found, words[mark.end :]) else None
    known = _known(loaded, at)
    if marks:
        rest = words[marks[0].end :]
        return known if known and not _is_number(marks[0]) and _is_needed(loaded, known, rest) else None
    return _of_plain_text(loaded, at, words, known)


def _counts_on(loaded: LoadedDocument, at: int, mark: ItemMark) -> bool:
    """Whether the number before a mark stands a little above it: "(h)" above "(i)", which is no Roman number then."""
    for place in range(at - 1, max(-1, at - NEAR), -1):
        words = _shown(loaded, place)
        if any((one.series, one.value) == (mark.series, mark.value - 1) for one in marks_at(words)):
            return True
        if inside(words, mark.series, mark.value - 1) is not None:
            return True
    return False


def _of_series(loaded: LoadedDocument, at: int, mark: ItemMark) -> LeadIn | None:
    """The words above the first item of the series that a unit is an item of."""
    path = _above_number(loaded, at, mark)
    if _is_number(mark) and not path:
        return None
    if mark.value == 1:
        return _before_first(loaded, at, path, at)
    wanted = mark.value
    for place in range(at - 1, max(-1, at - FARTHEST), -1):
        if not _is_under(loaded, place, path):
            return None
        words = _shown(loaded, place)
        marks = [*marks_at(words), *_marks_of_heading(loaded, place, at, path)]
        earlier = next((one for one in marks if one.series == mark.series and one.value < wanted), None)
        if earlier:
            wanted = earlier.value
            if wanted == 1:
                return _before_first(loaded, place, path, at)
        elif (cut := inside(words, mark.series, 1)) is not None:
            return _part(loaded, place, words, cut)
    return None


def _before_first(loaded: LoadedDocument, first: int, path: tuple[str, ...], at: int) -> LeadIn | None:
    """The unit before the first item, if it leads into a list."""
    before = first - 1
    if before < 0 or not _is_under(loaded, before, path):
        return _known(loaded, at)
    words = _shown(loaded, before).rstrip()
    if not (_LEADS.search(words) or _OPEN.search(words)):
        return _known(loaded, at)
    if words[-1] not in ":—–" and not _touches(loaded, before, first):
        return None
    return _from_its_beginning(loaded, before, int(loaded.units.ends[before]))


def _from_its_beginning(loaded: LoadedDocument, unit: int, end: int) -> LeadIn:
    """The words of a unit up to `end`, from where their sentence begins."""
    first = begins(loaded, unit, unit)
    return LeadIn((int(loaded.units.starts[first]), end), first)


def _part(loaded: LoadedDocument, place: int, words: str, cut: int) -> LeadIn | None:
    """The beginning of a unit that holds the first item: "The Supplier shall" of "The Supplier shall (i) ..."."""
    start, end = loaded.units.edges(place)
    text = loaded.document.text
    label = words[cut : words.index(")", cut) + 2]
    stop = text.find(label, start, end)
    stop = stop if stop >= 0 else end
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    return _from_its_beginning(loaded, place, stop) if stop > start else None


def _of_plain_text(loaded: LoadedDocument, at: int, words: str, known: LeadIn | None) -> LeadIn | None:
    """What leads into a line without a mark: the line before it that ends with a colon, or the header of its table."""
    if words.count(CELL) >= 2:
        return known
    before = at - 1
    if before >= 0 and loaded.units.context(before).heading_path == loaded.units.context(at).heading_path:
        above = _shown(loaded, before).rstrip()
        if above.endswith((":", ":-")) and not _is_caption(above):
            found = LeadIn(loaded.units.edges(before), before)
            return found if _is_needed(loaded, found, words) else None
    if known is None or not _is_item_like(words):
        return None
    return known if _is_needed(loaded, known, words) else None


def _is_item_like(words: str) -> bool:
    """Whether a line without a mark may be an item: it starts with a small letter, or is short and ends as items do."""
    ends = words.rstrip().endswith((";", "; and", "; or", ","))
    return words[:1].islower() or (ends and not is_sentence(words)) or (len(words) <= SHORT_ITEM and ends)


def _is_caption(line: str) -> bool:
    """Whether a line that ends with a colon is a title such as "Notices:"."""
    return len(line.split()) <= 3 and not _LEADS.search(line.rstrip(": "))


def _is_needed(loaded: LoadedDocument, lead: LeadIn, words: str) -> bool:
    """Whether an item needs its lead-in: "agree as follows:" adds nothing to a whole sentence."""
    said = loaded.document.shown(*lead.edges)
    whole = words.lstrip(" “\"'‘")[:1].isupper() and is_sentence(words)
    return bool(said.strip()) and not (whole and _SAYS_NOTHING.search(said))


def _known(loaded: LoadedDocument, at: int) -> LeadIn | None:
    """The lead-in that was found when the document was cut into units."""
    edges = loaded.units.context(at).lead_in
    if edges is None:
        return None
    unit = max(0, int(loaded.units.starts.searchsorted(edges[0], side="right")) - 1)
    return LeadIn(edges, unit)


def _above_number(loaded: LoadedDocument, at: int, mark: ItemMark) -> tuple[str, ...]:
    """The headings above an item. The number of "7.2" is a heading itself, and so is a short item before this one."""
    path = loaded.units.context(at).heading_path
    is_heading = path and (_is_number(mark) or any(one.series == mark.series for one in marks_at(path[-1] + " ")))
    return path[:-1] if is_heading else path


def _marks_of_heading(loaded: LoadedDocument, place: int, at: int, path: tuple[str, ...]) -> list[ItemMark]:
    """The mark of the item that was taken for the heading of this unit and of those behind it."""
    its = loaded.units.context(place).heading_path
    return marks_at(its[-1]) if len(its) > len(path) and its == loaded.units.context(at).heading_path else []


def _is_number(mark: ItemMark) -> bool:
    return mark.series.startswith(("dotted", "plain"))


def _is_under(loaded: LoadedDocument, place: int, path: tuple[str, ...]) -> bool:
    return loaded.units.context(place).heading_path[: len(path)] == path


def _touches(loaded: LoadedDocument, before: int, first: int) -> bool:
    between = loaded.document.shown(int(loaded.units.ends[before]), int(loaded.units.starts[first]))
    return not between.strip()


def _shown(loaded: LoadedDocument, at: int) -> str:
    return loaded.document.shown(*loaded.units.edges(at)).strip("\ufeff \t\n")


def _shortened(loaded: LoadedDocument, edges: Edges) -> Edges:
    """A lead-in that is not too long: its end, from where a part of its sentence begins."""
    start, end = edges
    if end - start <= LONGEST:
        return edges
    text = loaded.document.text
    part = _BOUNDARY.search(text, end - LONGEST, end - 1)
    start = (
        part.end()
        if part
        else text.index(" ", end - LONGEST) + 1
        if " " in text[end - LONGEST : end]
        else end - LONGEST
    )
    return start, end
