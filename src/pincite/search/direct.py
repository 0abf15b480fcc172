"""Answers that need no ranking: a provision, a definition or a clause that is looked up, and facts of a document."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pincite.query.asked import Asked, PlaceAsked
from pincite.search.facts import fact_places
from pincite.search.stated_values import stated_value
from pincite.search.whole import Definitions, Provisions, completed, definition_end
from pincite.segment.outline import headings
from pincite.text.hit import DefinedTerm
from pincite.text.language import Language
from pincite.text.passage import Edges
from pincite.text.units import LoadedDocument

MOST_CLAUSES = 2
"""Clauses of one document that a look-up by title gives."""

_DEFINITIONS = re.compile(r"\W*+(?:[\dIVX][\dIVX.]*\W+)?(?:\w+\s+){0,3}definitions\b", re.IGNORECASE)


class DirectPlace(NamedTuple):
    """A place that was asked for, and why it is the answer, in words."""

    loaded: LoadedDocument
    edges: Edges
    heading_path: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class DirectAnswer:
    """The places that were asked for, in order, and what is said where there are none."""

    places: tuple[DirectPlace, ...] = ()
    notes: tuple[str, ...] = ()


def looked_up(asked: Asked, documents: Sequence[LoadedDocument], language: Language, words: str = "") -> DirectAnswer:
    """What a question asks to see of these documents; `words` may be the title of a clause."""
    places: list[DirectPlace] = []
    notes: list[str] = []
    for loaded in documents:
        if asked.fact:
            found_places = [_place(loaded, edges, why) for edges, why in fact_places(loaded, asked.fact, asked.role)]
            places += found_places
            if asked.fact == "signature" and not found_places:
                notes.append(f"{loaded.document.id} has no signatures that were recognised")
        if asked.is_lookup and asked.places:
            for place in asked.places:
                edges = _provision(loaded, place)
                places += [_place(loaded, at, f"is {_named(place)}") for at in edges[:1]]
                if not edges and (note := _missing(loaded, place)):
                    notes.append(note)
        elif asked.term:
            table = Definitions.of(loaded)
            found = table.find(asked.term) or (table.like(asked.term) if asked.is_lookup else None)
            if found is not None:
                places.append(_place(loaded, _definition(loaded, found), f"defines {found.term!r}"))
                if not _is_same(found.term, asked.term):
                    notes.append(f"{loaded.document.id} does not define {asked.term!r}, but {found.term!r}")
            elif asked.is_lookup:
                notes.append(f"{loaded.document.id} does not define {asked.term!r}")
        elif asked.is_lookup and asked.clause:
            places += _clauses(loaded, asked.clause, language)
        elif asked.valued and (stated := stated_value(loaded, asked.valued, asked.expects)):
            places.append(_place(loaded, stated, f"states the {asked.valued}"))
        elif words:
            places += _clauses(loaded, words, language, exactly=True)[:1]
    return DirectAnswer(tuple(places), tuple(notes))


def _place(loaded: LoadedDocument, edges: Edges, why: str) -> DirectPlace:
    units = loaded.units
    unit = max(0, int(units.starts.searchsorted(edges[0], side="right")) - 1)
    while unit + 1 < len(units) and int(units.ends[unit]) <= edges[0]:
        unit += 1
    path = units.context(unit).heading_path if len(units) else ()
    return DirectPlace(loaded, edges, path, why)


def _named(place: PlaceAsked) -> str:
    return f"{place.word.capitalize()} {place.number}".strip()


def _provision(loaded: LoadedDocument, place: PlaceAsked) -> list[Edges]:
    """Where a provision stands; the definitions are wherever their heading is."""
    if place.word != "definitions":
        table = Provisions.of(loaded)
        return table.find(place.word, place.number.upper()) or table.find(place.word, place.number)
    found = [_under(loaded, each.start) for each in headings(loaded.document) if _DEFINITIONS.match(each.text)]
    return [edges for edges in found if edges]


def _missing(loaded: LoadedDocument, place: PlaceAsked) -> str:
    """What is said of a provision that is not there: which ones are."""
    if not place.number:
        return f"{loaded.document.id} has no {place.word}"
    there = Provisions.of(loaded).numbers(place.word)
    if not there:
        return f"there is no {_named(place)} in {loaded.document.id}"
    said = f"{there[0]} to {there[-1]}" if len(there) > 1 else there[0]
    return f"there is no {_named(place)} in {loaded.document.id}; the document has {said}"


def _definition(loaded: LoadedDocument, found: DefinedTerm) -> Edges:
    """The definition of a term with the items that belong to it."""
    units = loaded.units
    first = int(units.starts.searchsorted(found.start, side="right")) - 1
    if first < 0 or units.edges(first)[0] != found.start:
        return found.start, found.end
    first, last = completed(loaded, first, first)
    return int(units.starts[first]), int(units.ends[definition_end(loaded, first, last)])


def _is_same(term: str, asked: str) -> bool:
    """Whether two terms are the same but for case and number."""
    one, other = (words.lower().split() for words in (term, asked))
    return [word.rstrip("s") for word in one] == [word.rstrip("s") for word in other]


def _clauses(loaded: LoadedDocument, clause: str, language: Language, *, exactly: bool = False) -> list[DirectPlace]:
    """The clauses whose titles say what is looked for, the one with the shortest title first; with `exactly`, those
    whose titles say nothing else."""
    wanted = set(language.stems(clause))
    found = []
    for heading in headings(loaded.document):
        stems = {stem for stem in language.stems(heading.text) if not stem.isdigit()}
        if wanted and (wanted == stems if exactly else wanted <= stems):
            found.append((len(stems), heading.start, heading.text))
    places: list[DirectPlace] = []
    for _, start, text in sorted(found):
        edges = _under(loaded, start)
        if edges and not any(edges[0] < place.edges[1] and place.edges[0] < edges[1] for place in places):
            places.append(_place(loaded, edges, f"has the title {' '.join(text.split())!r}"))
    return places[:MOST_CLAUSES]


def _under(loaded: LoadedDocument, start: int) -> Edges | None:
    """From a heading to the end of the text under it."""
    outline = headings(loaded.document)
    at = next(place for place, heading in enumerate(outline) if heading.start == start)
    following = [heading.start for heading in outline[at + 1 :] if heading.level <= outline[at].level]
    end = min(following, default=len(loaded.document.text))
    signature = Provisions.of(loaded).signature
    if signature and start < signature[0]:
        end = min(end, signature[0])
    units = loaded.units
    inside = (units.starts >= start) & (units.ends <= end)
    return (start, int(units.ends[inside][-1])) if inside.any() else None
