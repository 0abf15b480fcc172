"""The provisions of a document: finds "Section 7.2", "Article IV" or "Schedule B" in it, whole."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.search.whole.per_document import PerDocument
from pincite.search.whole.provision_items import item_of
from pincite.search.whole.provision_numbers import ATTACHED, Segments, kind_of, segments
from pincite.search.whole.provision_runs import Provided, heading_runs, provided, run_edges
from pincite.segment.signatures import starts_signatures
from pincite.text.passage import Edges
from pincite.text.units import LoadedDocument

CONTENTS = 160
"""Characters below which a provision that comes again is a line of contents."""

LINE = 160
"""Characters of a line of contents, and of what precedes a provision that is cited."""

_LEADERS = re.compile(r"(?:\.[ \t]?){5}")
_CITED = re.compile(
    r"\b(?:in|under|of|to|with|by|and|or|see|per|from|this|than|through|any|said|such)[ \t]*\n[ \t]*$", re.IGNORECASE
)
"""What a line ends with whose sentence goes on with the number of a provision."""
_SIGNED = re.compile(
    r"(?:signatures?[ \t]*$|signed\s+(?:for|by|on\s+behalf|as\s+a\s+deed)\b|executed\s+(?:as\s+a\s+deed|by)\b)",
    re.IGNORECASE | re.MULTILINE,
)
"""How signatures begin that no testimonium precedes."""
_RECITALS = re.compile(
    r"(?:recitals?|whereas|witness\s?eth|w\s?i\s?t\s?n\s?e\s?s\s?s\s?e\s?t\s?h|background)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Provisions:
    """The provisions of one document, in order."""

    text: str
    found: tuple[Provided, ...]
    preamble: Edges | None
    recitals: Edges | None
    signature: Edges | None

    @classmethod
    def of(cls, loaded: LoadedDocument) -> "Provisions":
        """The table of a document, made once."""
        return _TABLES(loaded)

    def find(self, word: str, number: str) -> list[Edges]:
        """Where a provision stands, from its heading to the end of its text, the likeliest first.

        What stands in the body comes before what is attached. An item that is not found leads to what it is an item of.
        """
        word = kind_of(word)
        if word in ("preamble", "recitals", "signature"):
            place = {"preamble": self.preamble, "recitals": self.recitals, "signature": self.signature}[word]
            return self._recital(place, number) if place else []
        wanted = segments(number)
        if word in ATTACHED:
            return self._attached(word, wanted)
        for count in range(len(wanted), 0, -1):
            if count < len(wanted) and not wanted[count].startswith("("):
                break  # 7.9 is no item of 7
            near = self._numbered(word, wanted[:count])
            if near:
                return [item_of(self.text, one.edges, wanted[count:]) for one in near]
        return []

    def numbers(self, word: str) -> list[str]:
        """The numbers that there are, of the outermost level that carries them, in order."""
        word = kind_of(word)
        if word in ATTACHED:
            return list(dict.fromkeys(one.number for one in self.found if one.word == word and one.number))
        body = [one for one in self.found if not one.attached and one.number and one.word not in ATTACHED]
        own = [one for one in body if one.word == word] or [one for one in body if _is_near(word, one.word)]
        own = [one for one in own if one.number[0].isdigit()] or [one for one in own if one.number[0].isalpha()]
        depths = [len(segments(one.number)) for one in own]
        least = min(depths, default=0)
        return list(dict.fromkeys(one.number for one, depth in zip(own, depths, strict=True) if depth == least))

    def _numbered(self, word: str, wanted: Segments) -> list[Provided]:
        same = [one for one in self.found if one.word not in ATTACHED and segments(one.number) == wanted]
        fitting = [one for one in same if _is_near(word, one.word)] or same
        ranked = sorted(fitting, key=lambda one: (one.attached, bool(word) and one.word not in (word, ""), one.edges))
        mentioned = [one for one in ranked if self._is_mentioned(one)]
        return [*_without_contents([one for one in ranked if one not in mentioned]), *mentioned]

    def _is_mentioned(self, one: Provided) -> bool:
        """Whether a provision is only named: in a line of contents with its dots, or in a sentence whose line ends
        before "Section 2.10"."""
        start = one.edges[0]
        if _LEADERS.search(self.text, start, start + LINE):
            return True
        return _CITED.search(self.text[max(0, start - LINE) : start]) is not None

    def _attached(self, word: str, wanted: Segments) -> list[Edges]:
        same = [one for one in self.found if one.word == word]
        if not same and wanted in ((), ("1",)):
            return self._alone(word)
        if not wanted:
            return [one.edges for one in same if not one.number] or ([same[0].edges] if len(same) == 1 else [])
        for count in range(len(wanted), 0, -1):
            fitting = [one for one in same if segments(one.number) == wanted[:count]]
            if fitting:
                longest = sorted(fitting, key=lambda one: one.edges[0] - one.edges[1])
                return [item_of(self.text, one.edges, wanted[count:]) for one in longest]
        # "the First Schedule" of a document that has one, without a number
        return [same[0].edges] if len(same) == 1 and wanted == ("1",) and not same[0].number else []

    def _alone(self, word: str) -> list[Edges]:
        """The one schedule of a document, whose heading has no number and was taken for a line of text."""
        found = list(re.finditer(rf"^[ \t]*(?:THE\s+)?{word.upper()}[ \t]*$", self.text, re.MULTILINE))
        if len(found) != 1:
            return []
        start, end = found[0].start(), len(self.text.rstrip())
        return [(start, self.signature[0] if self.signature and start < self.signature[0] else end)]

    def _recital(self, place: Edges, number: str) -> list[Edges]:
        if not number:
            return [place]
        label = number.strip("(). ")
        found = re.search(rf"(?<![\w(])\(?{re.escape(label)}[.)]\s", self.text[slice(*place)])
        if found is None:
            return [place]
        start = place[0] + found.start()
        end = self.text.find("\n\n", start, place[1])
        return [(start, end if end > start else place[1])]


def _is_near(word: str, other: str) -> bool:
    """Whether a provision may be called by a word: sections often have no word, and a bare number may be anything."""
    return not word or not other or word == other


def _made(loaded: LoadedDocument) -> Provisions:
    runs = list(heading_runs(loaded))
    text, units = loaded.document.text, loaded.units
    found = tuple(sorted(provided(loaded, runs), key=lambda one: (one.edges[0], -one.edges[1])))
    outer = [run for run in runs if len(run.path) == 1]
    first = min((run.first for run in outer), default=len(units))
    signature = _signature(loaded, found)
    headed = next((run for run in outer if _RECITALS.match(run.path[0].strip(" *_"))), None)
    recitals = run_edges(loaded, headed) if headed else _whereas(loaded, first)
    last = next((at for at in range(first) if recitals and int(units.starts[at]) >= recitals[0]), first)
    preamble = (int(units.starts[0]), int(units.ends[last - 1])) if last and len(units) else None
    return Provisions(text, found, preamble, recitals, signature)


def _without_contents(ranked: Sequence[Provided]) -> list[Provided]:
    """Without lines of contents, where the provision itself is there, too."""
    longer = [one for one in ranked if one.edges[1] - one.edges[0] > CONTENTS]
    short = [one for one in ranked if one not in longer]
    if longer and short and short[0] is ranked[0] and short[0].edges[0] < longer[0].edges[0]:
        return [*longer, *short] if not longer[0].attached else [*short, *longer]
    return list(ranked)


def _whereas(loaded: LoadedDocument, first: int) -> Edges | None:
    """The recitals without a heading: units that begin with WHEREAS before the first provision."""
    text, units = loaded.document.text, loaded.units
    places = [
        at
        for at in range(min(first, len(units)))
        if text[int(units.starts[at]) :][:10].strip().upper().startswith("WHEREAS")
    ]
    return (int(units.starts[places[0]]), int(units.ends[places[-1]])) if places else None


def _signature(loaded: LoadedDocument, found: Sequence[Provided]) -> Edges | None:
    """From "IN WITNESS WHEREOF" to the end, or to what is attached."""
    text, units = loaded.document.text, loaded.units
    starts = [int(units.starts[at]) for at in range(len(units))]
    start = next((at for at in starts if starts_signatures(text, at)), None)
    if start is None:
        start = next((at for at in starts[len(starts) // 2 :] if _SIGNED.match(text, at)), None)
    if start is None:
        return None
    attached = [one.edges[0] for one in found if one.word in ATTACHED and one.edges[0] > start]
    end = min(attached, default=len(text))
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


_TABLES = PerDocument(_made)
