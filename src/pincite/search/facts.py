"""Facts of a document (who, when, what it is called, which court), and where its text says them."""

import re
from collections.abc import Callable, Iterator

from pincite.documents.profile.date import normal
from pincite.documents.profile.vocabulary import DATE as DATES
from pincite.search.places import unit_edges
from pincite.search.roles import role_place
from pincite.search.rulings import judge_place, outcome_place
from pincite.search.signatures import signature_places
from pincite.text.citation import COURT, DATE, DOCKET
from pincite.text.passage import Edges
from pincite.text.units import LoadedDocument

HEAD = 12_000
"""Characters in which a document says what it is."""
LONGEST = 1500
"""Characters between the first and the last party that are shown as one place."""
TOGETHER = 600
"""Characters in which two facts that are asked together are shown as one place."""
PARTIES = "parties"
_RULINGS: dict[str, Callable[[LoadedDocument], Edges | None]] = {"judge": judge_place, "outcome": outcome_place}

_WORD = re.compile(r"\w+")


def fact_places(loaded: LoadedDocument, fact: str, role: str = "") -> Iterator[tuple[Edges, str]]:
    """Where a document says a fact about itself, and what the fact is, in words. Unknown facts have no place.

    "court and docket" are two facts: one place where they stand together. With a `role`, the parties are those who
    have it, where the document says so, and the signature is that party's.
    """
    if " and " in fact:
        found = [place for part in fact.split(" and ") for place in fact_places(loaded, part)]
        start, end = min((edges[0] for edges, _ in found), default=0), max((edges[1] for edges, _ in found), default=0)
        together = len(found) > 1 and end - start <= TOGETHER
        yield from [((start, end), "; ".join(why for _, why in found))] if together else found
        return
    document = loaded.document
    if fact == "signature":
        yield from signature_places(loaded, role)
        return
    if role and (edges := role_place(loaded, role)):
        yield edges, f"names the {role}"
        return
    if fact in _RULINGS:
        if (document.metadata.get(COURT) or document.metadata.get(DOCKET)) and (edges := _RULINGS[fact](loaded)):
            yield edges, f"says the {fact}"
        return
    known = {
        PARTIES: document.metadata.get(PARTIES, ""),
        "date": document.metadata.get(DATE, ""),
        "title": document.title,
        "court": document.metadata.get(COURT, ""),
        "docket": document.metadata.get(DOCKET, ""),
    }.get(fact, "")
    if not known:
        return
    edges = {PARTIES: _parties, "date": _date}.get(fact, _said)(loaded, known)
    if edges:
        yield edges, f"says the {'parties' if fact == PARTIES else fact}: {' '.join(known.split())}"


def _parties(loaded: LoadedDocument, names: str) -> Edges | None:
    """From the first to the last party where they stand together; else the unit that names most of them."""
    found = [place for name in names.split(";") if (place := _find(loaded, name.strip()))]
    if not found:
        return None
    near = [place for place in found if place[1] - min(found)[0] <= LONGEST]
    first, last = unit_edges(loaded, min(near)), unit_edges(loaded, max(near))
    return first[0], max(first[1], last[1])


def _date(loaded: LoadedDocument, day: str) -> Edges | None:
    text = loaded.document.text
    for match in DATES.finditer(text):
        if normal(match) == day:
            return unit_edges(loaded, match.span())
    return None


def _said(loaded: LoadedDocument, words: str) -> Edges | None:
    place = _find(loaded, words)
    return unit_edges(loaded, place) if place else None


def _find(loaded: LoadedDocument, words: str) -> Edges | None:
    """The first place of some words, whatever stands between them and whatever their case."""
    parts = [re.escape(word) for word in _WORD.findall(words)]
    if not parts:
        return None
    found = re.search(r"\b" + r"[\W_]{1,12}".join(parts) + r"\b", loaded.document.text[:HEAD], re.IGNORECASE)
    return found.span() if found else None
