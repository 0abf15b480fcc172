"""Completes a run of units that plainly begins or ends in the middle of a sentence."""

import re

from pincite.search.whole.item_marks import inside, marks_at
from pincite.segment.headings import CELL
from pincite.segment.verbs import is_sentence
from pincite.text.passage import Edges
from pincite.text.units import LoadedDocument

MOST_UNITS = 3
"""Units that are added on each side."""
LONGEST = 1500
"""Characters of a completed run."""

_DEFINES = re.compile(r"\b(?:means?|shall\s+mean|is|are|equals?|be)\s*$", re.IGNORECASE)
_UNFINISHED = re.compile(
    r"(?:[,:\-–—(]|\b(?:means?|and|or|of|the|an?|to|by|in|for|with|from|than|that|which|shall|will|be|is|are|its|such|any|all"
    r"|at|on|under|equal|no|not|least|upon|between))\s*$"
)
LONGEST_OPENING = 700
"""Characters of a sentence before a hit inside it, up to which they are shown with it."""
RUN_IN_TITLE = 60
"""Characters of a title that stands before its clause, or of an item that only leads to others."""
_NUMBERED = re.compile(
    r"(?:(?:section|article|clause|§)\s*)?\d+(?:\.\d+)*[.)]?\s+[A-Z][^.;:]{2,50}[.:]$", re.IGNORECASE
)
_ITEM_END = re.compile(r"[;,](?:\s+(?:and|or|and/or))?\s*$")
_JOINED = re.compile(r"[;,]\s+(?:and|or|and/or)\s*$")
"""What joins items and recitals, each of which is whole."""
_TERMINAL = re.compile(r"[.!?;]\W*$")
_AMOUNT = re.compile(r"(?:US|U\.S\.|CA|C|A)?[$€£¥]|\d|(?:USD|EUR|GBP|RMB|Rs)\b")
_CONTENTS = re.compile(r"(?:\.\s?){5,}")


def completed(loaded: LoadedDocument, first: int, last: int) -> tuple[int, int]:
    """The run of units from `first` to `last`, and what it plainly lacks before and behind."""
    last = finished(loaded, first, last)
    return begins(loaded, first, last), last


def opening(loaded: LoadedDocument, first: int, last: int) -> Edges | None:
    """What of the sentence of a run stands before the run: its beginning, and earlier items on the same line."""
    start = begins(loaded, first, last)
    while start > 0 and _is_inside(loaded, start - 1, start) and marks_at(_shown(loaded, start)):
        start -= 1
    edges = int(loaded.units.starts[start]), int(loaded.units.ends[first - 1])
    return edges if start < first and edges[1] - edges[0] <= LONGEST_OPENING else None


def _is_inside(loaded: LoadedDocument, before: int, behind: int) -> bool:
    """Whether two units are parts of one sentence on one line: the first has no end, and no line ends between them."""
    units, text = loaded.units, loaded.document.text
    words = text[int(units.starts[before]) : int(units.ends[before])].rstrip()
    between = text[int(units.ends[before]) : int(units.starts[behind])]
    return "\n" not in between and not between.strip() and not words.endswith((".", "?", "!", ":”"))


def finished(loaded: LoadedDocument, first: int, last: int) -> int:
    """The last unit of the run, up to where its last sentence ends. A sentence cut between its own items is taken whole
    or left."""
    start = int(loaded.units.starts[first])
    opened, stop, in_list = None, last, False
    own = {(mark.series, mark.value + 1) for mark in marks_at(_shown(loaded, last))}
    for at in range(last, min(last + MOST_UNITS, len(loaded.units) - 1)):
        words, following = _shown(loaded, at), _shown(loaded, at + 1)
        if not _follows(loaded, at) or int(loaded.units.ends[at + 1]) - start > LONGEST:
            break
        if any((mark.series, mark.value) in own for mark in marks_at(following)):
            break  # the next item of the same list
        in_list = in_list or words.endswith((":", ":-"))
        if _is_open(words, following) or (in_list and _ITEM_END.search(words)):
            last = stop = at + 1
        elif _is_cut_at_item(words, following) and (opened is not None or _opens_series(words, following)):
            opened, stop = last if opened is None else opened, at + 1
        else:
            break
    if opened is not None and stop > last:
        closed = stop == len(loaded.units) - 1 or not _is_cut_at_item(_shown(loaded, stop), _shown(loaded, stop + 1))
        return stop if closed else last
    return last


def _is_open(words: str, following: str) -> bool:
    """Whether a unit lacks what the next one says."""
    if CELL in words or _CONTENTS.search(words):
        return False
    if len(words) <= RUN_IN_TITLE and _NUMBERED.match(words) and not is_sentence(words):
        return True
    item = bool(marks_at(following))
    if words.endswith((":", ":-")):
        return len(words) <= RUN_IN_TITLE or _DEFINES.search(words) is not None
    if item:
        return bool(_UNFINISHED.search(words)) and not _ITEM_END.search(words)
    if _JOINED.search(words):
        return following[:1].islower()
    if _UNFINISHED.search(words):
        return not words.endswith(",") or not marks_at(words) or following[:1].islower()
    if _TERMINAL.search(words):
        return False
    return following[:1].islower() or (
        bool(_AMOUNT.match(following)) and (_ends_as_prose(words) or _DEFINES.search(words) is not None)
    )


def _is_cut_at_item(words: str, following: str) -> bool:
    return bool(marks_at(following)) and bool(_ITEM_END.search(words)) and not words.endswith(";")


def _opens_series(words: str, following: str) -> bool:
    """Whether a unit that is no item holds the first item of the series that goes on behind it."""
    if marks_at(words) and not marks_at(words)[0].series.startswith(("dotted", "plain")):
        return False
    return any(mark.value == 2 and inside(words, mark.series, 1) is not None for mark in marks_at(following))


def begins(loaded: LoadedDocument, first: int, last: int) -> int:
    """The first unit of the sentence that a run begins with."""
    end = int(loaded.units.ends[last])
    for at in range(first, max(0, first - MOST_UNITS), -1):
        before, words = _shown(loaded, at - 1), _shown(loaded, at)
        if not _follows(loaded, at - 1) or end - int(loaded.units.starts[at - 1]) > LONGEST:
            break
        if not _continues(loaded, at, before, words):
            break
        first = at - 1
    return first


def _continues(loaded: LoadedDocument, at: int, before: str, words: str) -> bool:
    """Whether a unit goes on with the sentence of the one before it."""
    if marks_at(words) or before.endswith((":", ":-", "—")) or CELL in words or CELL in before:
        return False
    if _TERMINAL.search(before) or (_JOINED.search(before) and not words[:1].islower()):
        return False
    if words[:1].islower():
        return True
    lines = loaded.document.shown(int(loaded.units.ends[at - 1]), int(loaded.units.starts[at])).count("\n")
    if lines > 1:
        return False
    is_line = _ends_as_prose(before) and (bool(_UNFINISHED.search(before)) or before[-1:].islower())
    return is_line or bool(_DEFINES.search(before))


def _ends_as_prose(words: str) -> bool:
    """Whether words are a line of a sentence and no heading."""
    return is_sentence(words) and not words.isupper()


def _follows(loaded: LoadedDocument, at: int) -> bool:
    """Whether the unit behind this one stands under the same headings, with nothing but white space between."""
    units = loaded.units
    mine, its = units.context(at).heading_path, units.context(at + 1).heading_path
    between = loaded.document.shown(int(units.ends[at]), int(units.starts[at + 1]))
    return (mine == its or (bool(mine) and its[: len(mine)] == mine)) and not between.strip()


def _shown(loaded: LoadedDocument, at: int) -> str:
    return loaded.document.shown(*loaded.units.edges(at)).strip("\ufeff \t\n")
