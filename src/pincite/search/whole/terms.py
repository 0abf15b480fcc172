"""The defined terms of a document, and those that a passage uses."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from pincite.search.whole.per_document import PerDocument
from pincite.text.hit import DefinedTerm
from pincite.text.passage import Edges
from pincite.text.units import LoadedDocument

MOST = 8
"""Terms of one hit."""
LONGEST_TERM = 8
"""Words of a term."""

_QUOTED = (
    r"[“\"‘'](?:(?<=[“\"])\s*([A-Z][^”“\"\n]{0,59}?)[\s,]*[”\"]|(?<=[‘'])\s*([A-Z][^’‘'\n]{1,59}?)[\s,]*['’](?![a-z]))"
)
"""A name in quotation marks. It begins with one set of letters, which makes it quick to look for."""
_MEANS = re.compile(
    _QUOTED + r"\s*(?:\([^)]{0,80}\)\s*)?(?:,?\s*(?:as\s+used\s+(?:herein|in\s+this\s+\w+)|when\s+used\s+herein),?\s*)?"
    r"(?:(?:and|or)\s+(?:the\s+)?[“\"][^”\"]{1,60}[”\"]\s*)?(?:(?:shall|will)\s+)?(?:each\s+)?"
    r"(?:means?\b|ha(?:s|ve)\s+the\s+(?:same\s+)?(?:respective\s+)?meaning|is\s+defined|are\s+defined|be\s+defined|refers?\s+to|includes?\b|:"
    r"|be\s+deemed\s+to\s+(?:have\s+(?:occurred|taken\s+place|happened)|occur|exist|mean)\b)"
)
"""“Fee” means ..."""
_UNQUOTED = re.compile(
    r"\n[ \t]*(?:\([a-z]{1,3}\)\s+|\d+(?:\.\d+)*\.?\s+)?((?:[A-Z][\w’'&/-]*\s+){1,5}?)(?:shall\s+mean|means?)\b"
)
"""Fee means ..., behind the end of a line."""
_BRACKETS = re.compile(r"\(([^()]{2,200})\)")
_IN_BRACKETS = re.compile(
    r"\s*+(?:(?:the|an?|each|any|all|such|said|collectively|individually|together|with|jointly|and|or|as|being|is|are|in|this"
    r"|hereinafter|hereafter|herein|referred|to|called|known|defined|singularly|respectively|sometimes|also|for|short|either"
    r"|of|them|which|date|foregoing|agreement|both|party|their|its|successors|assigns|permitted)\b|,|;|:)*+\s*+$",
    re.IGNORECASE,
)
_NAME = re.compile(_QUOTED)
_HEREINAFTER = re.compile(
    r"here(?<=\bhere)(?:inafter|after|in)\s+(?:(?:collectively|sometimes|also|jointly)\s+)*(?:called|referred\s+to|known|defined)"
    r"(?:\s+as)?,?\s+(?:the\s+)?" + _QUOTED
)
_WORD = re.compile(r"[^\W_](?:[\w&’'/-]*[^\W_])?")


class _Place(NamedTuple):
    term: str
    at: int
    weight: int
    """2 for a sentence that defines it, 1 for brackets, 0 for a sentence that says where it is defined."""


@dataclass(frozen=True, slots=True)
class Definitions:
    """Where a document defines its terms; the words of a term are the key."""

    terms: dict[tuple[str, ...], DefinedTerm]
    firsts: frozenset[str]
    """The first words of the terms, without any ending."""

    @classmethod
    def of(cls, loaded: LoadedDocument) -> "Definitions":
        """The table of a document, made once."""
        return _TABLES(loaded)

    def __len__(self) -> int:
        return len(self.terms)

    def used_in(self, text: str) -> Iterator[DefinedTerm]:
        """The terms in a text, in the order in which they first occur; the longest where several could be meant."""
        words, at = _WORD.findall(text), 0
        while at < len(words):
            step = 1
            if not words[at][:1].islower() and _singulars(words[at])[0] in self.firsts:
                for count in range(min(LONGEST_TERM, len(words) - at), 0, -1):
                    found = self._named(tuple(words[at : at + count]))
                    if found is not None:
                        yield found
                        step = count
                        break
            at += step

    def find(self, term: str) -> DefinedTerm | None:
        """The definition of a term, whatever its case."""
        words = tuple(_WORD.findall(term))
        lower = {tuple(word.lower() for word in key): key for key in self.terms}
        found = self._named(words)
        for form in (
            (words, (*words[:-1], words[-1].removesuffix("s")), (*words[:-1], f"{words[-1]}s")) if words else ()
        ):
            key = lower.get(tuple(word.lower() for word in form))
            found = found or (self.terms[key] if key else None)
        return found

    def like(self, term: str) -> DefinedTerm | None:
        """The definition of a term that says nearly the same: "Change of Control" for "Change in Control", "Termination
        for Cause" for "Cause"; None where there is none, or several."""
        asked = tuple(word.lower() for word in _WORD.findall(term))
        alike = [found for key, found in self.terms.items() if _joined_alike(key) == _joined_alike(asked)]
        longer = [found for key, found in self.terms.items() if tuple(map(str.lower, key[-len(asked) :])) == asked]
        found = alike or longer
        return found[0] if asked and len({one.term.lower() for one in found}) == 1 else None

    def _named(self, words: tuple[str, ...]) -> DefinedTerm | None:
        if not words:
            return None
        *others, last = words
        forms = (last, *_singulars(last)[1:])
        return next((found for form in forms if (found := self.terms.get((*others, form)))), None)


def _joined_alike(words: Sequence[str]) -> list[str]:
    """The words of a term, whichever small words join them."""
    return [word.lower() for word in words if word.lower() not in ("in", "of", "the", "for", "a", "an", "to")]


@lru_cache(maxsize=8192)
def _singulars(word: str) -> tuple[str, ...]:
    """A word without any ending, by which its forms are alike, and the forms that a term may have for it.

    >>> _singulars("Affiliates’"), _singulars("Parties")[3:]
    (('Affiliat', 'Affiliates', 'Affiliate', 'Affiliat', 'Affiliatess'), ('Parti', 'Party', 'Partiess'))
    """
    bare = word.removesuffix("s") if word.endswith(("'s", "’s")) else word
    bare = bare.rstrip("'’")
    forms = [bare, bare.removesuffix("s"), bare.removesuffix("es")]
    if bare.endswith("ies"):
        forms.append(f"{bare[:-3]}y")
    return (bare.removesuffix("s").removesuffix("e").removesuffix("i").removesuffix("y"), *forms, f"{bare}s")


def terms_used(loaded: LoadedDocument, edges: Edges) -> tuple[DefinedTerm, ...]:
    """The defined terms in a passage, with the units that define them; none that the passage itself defines."""
    table = Definitions.of(loaded)
    if not table.terms:
        return ()
    start, end = edges
    used = dict.fromkeys(table.used_in(loaded.document.shown(start, end)))
    return tuple(term for term in used if term.end <= start or term.start >= end)[:MOST]


def _made(loaded: LoadedDocument) -> Definitions:
    best: dict[tuple[str, ...], _Place] = {}
    for place in _places(loaded.document.text):
        key = tuple(_WORD.findall(place.term))
        if 0 < len(key) <= LONGEST_TERM and (key not in best or place.weight > best[key].weight):
            best[key] = place
    terms = {key: DefinedTerm(place.term, *_edges(loaded, place.at)) for key, place in best.items()}
    return Definitions(terms, frozenset(_singulars(key[0])[0] for key in terms))


def _places(text: str) -> Iterator[_Place]:
    for found in _MEANS.finditer(text):
        yield _Place(_plain(found[1] or found[2]), found.start(), 2 - 2 * ("meaning" in found.group()[-8:]))
    for bracket in _BRACKETS.finditer(text):
        names = list(_NAME.finditer(bracket[1]))
        if names and all(_IN_BRACKETS.match(said) for said in _around(bracket[1], names)[:-1]):
            for name in names:
                yield _Place(_plain(name[1] or name[2]), bracket.start(), 1)
    for found in _HEREINAFTER.finditer(text):
        yield _Place(_plain(found[1] or found[2]), found.start(), 1)
    for found in _UNQUOTED.finditer(f"\n{text}"):
        yield _Place(_plain(found[1]), found.start(1) - 1, 2)


def _around(text: str, names: list[re.Match[str]]) -> list[str]:
    edges = [0, *(edge for name in names for edge in name.span()), len(text)]
    return [text[edges[at] : edges[at + 1]] for at in range(0, len(edges), 2)]


def _plain(term: str) -> str:
    return " ".join(term.split()).rstrip(",.;:")


def _edges(loaded: LoadedDocument, offset: int) -> Edges:
    """The unit that holds a character, or else its line."""
    units, text = loaded.units, loaded.document.text
    unit = int(units.starts.searchsorted(offset, side="right")) - 1
    if unit >= 0 and offset < int(units.ends[unit]):
        return units.edges(unit)
    end = text.find("\n", offset)
    return text.rfind("\n", 0, offset) + 1, end if end >= 0 else len(text)


_TABLES = PerDocument(_made)
