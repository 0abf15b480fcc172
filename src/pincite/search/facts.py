"""Facts of a document (who, when, what it is called, which court), and where its text says them."""

import re
from collections.abc import Iterator

from pincite.documents.profile.date import normal
from pincite.documents.profile.vocabulary import DATE as DATES
from pincite.search.whole import Provisions
from pincite.text.citation import COURT, DATE, DOCKET
from pincite.text.passage import Edges
from pincite.text.units import LoadedDocument

HEAD = 12_000
"""Characters in which a document says what it is."""
LONGEST = 1500
"""Characters between the first and the last party that are shown as one place."""
PARTIES = "parties"

_WORD = re.compile(r"\w+")


def fact_places(loaded: LoadedDocument, fact: str) -> Iterator[tuple[Edges, str]]:
    """Where a document says a fact about itself, and what the fact is, in words. Unknown facts have no place."""
    document = loaded.document
    if fact == "signature":
        yield from ((edges, "is signed here") for edges in Provisions.of(loaded).find("signature", "")[:1])
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
    first, last = _unit_edges(loaded, min(near)), _unit_edges(loaded, max(near))
    return first[0], max(first[1], last[1])


def _date(loaded: LoadedDocument, day: str) -> Edges | None:
    text = loaded.document.text
    for match in DATES.finditer(text):
        if normal(match) == day:
            return _unit_edges(loaded, match.span())
    return None


def _said(loaded: LoadedDocument, words: str) -> Edges | None:
    place = _find(loaded, words)
    return _unit_edges(loaded, place) if place else None


def _find(loaded: LoadedDocument, words: str) -> Edges | None:
    """The first place of some words, whatever stands between them and whatever their case."""
    parts = [re.escape(word) for word in _WORD.findall(words)]
    if not parts:
        return None
    found = re.search(r"\b" + r"[\W_]{1,12}".join(parts) + r"\b", loaded.document.text[:HEAD], re.IGNORECASE)
    return found.span() if found else None


def _unit_edges(loaded: LoadedDocument, place: Edges) -> Edges:
    """The unit that holds a place, or else its line."""
    units, text = loaded.units, loaded.document.text
    at = int(units.starts.searchsorted(place[0], side="right")) - 1
    if at >= 0 and place[0] < int(units.ends[at]):
        return int(units.starts[at]), max(int(units.ends[at]), place[1])
    end = text.find("\n", place[1])
    line = text[text.rfind("\n", 0, place[0]) + 1 : end if end >= 0 else len(text)]
    start = text.rfind("\n", 0, place[0]) + 1 + len(line) - len(line.lstrip())
    return start, start + len(line.strip())
