"""An answer: the hits of a question with what was understood of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, Protocol

import numpy as np

from pincite.models import Vectors
from pincite.retrieve.context_scores import Scored, Searcher, encoder_texts
from pincite.retrieve.shelf import Flags
from pincite.retrieve.shelves import Shelves
from pincite.retrieve.spans import Found, SpanConfig, spans
from pincite.retrieve.understand import Understood
from pincite.retrieve.wanted import Wanted
from pincite.text import Hit, Part
from pincite.text.stems import stems


class Reading(Protocol):
    """A second, slower reading of the best units, by a model that reads the question and a passage together."""

    def again(self, shelves: Shelves, scored: Scored) -> Scored:
        """The same units with new scores, and what they come from among the parts."""

    def extent(self, shelves: Shelves, scored: Scored, at: int) -> tuple[int, int] | None:
        """How many units before and behind one belong to the same hit; None where hits grow by their scores."""

    def answered(self, scored: Scored) -> float | None:
        """How likely it is that the units that were read answer the question at all, from 0 to 1."""


DENSE = ("dense", "around")
"""The parts that need vectors."""

WIDER = 4
"""Where too few hits are found, so many times more documents are looked into."""

NO_ENCODER = "no encoder at hand: the dense part was left out"
NOTHING_FITS = "no document fits the filter: nothing was searched"
UNKNOWN = "no word of the question stands in the documents"
UNLIKELY = "probably nothing here answers the question (likelihood {:.2f}); what comes nearest is shown"
LIKELY = 0.5
"""Below it, an answer is marked as unlikely."""
NO_PHRASE = "no passage holds what is quoted: nothing was found"


class Meant(NamedTuple):
    """A document that a question is about: how sure, and the words that say so."""

    id: str
    belief: float
    why: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The hits with what was understood of the question, and notes on what a reader should know."""

    hits: tuple[Hit, ...]
    understood: Understood
    notes: tuple[str, ...] = ()
    meant: tuple[Meant, ...] = ()
    answered: float | None = None
    """How likely it is that the question is answered at all, from 0 to 1; None where nothing judged it."""


class Taken(NamedTuple):
    """A question taken apart: what it demands, what it asks, and the documents that may be looked into."""

    wanted: Wanted
    understood: Understood
    admitted: Flags | None


def take_apart(searcher: Searcher, query: str, admitted: Flags | None, *, demands: bool = True) -> Taken:
    """What a question demands and asks. Without `demands`, quotation marks and dashes are read as any other letters."""
    wanted = Wanted.of(query) if demands else Wanted(query)
    understood = searcher.understand(wanted.question, admitted)
    wanted = wanted.beside(understood.reference)
    if wanted.phrases:
        holding = wanted.documents(searcher.shelves)
        admitted = holding if admitted is None else holding & admitted
        understood = searcher.understand(wanted.question, admitted)
    return Taken(wanted, understood, admitted)


def answer(
    searcher: Searcher,
    taken: Taken,
    k: int,
    config: SpanConfig,
    vectors: Vectors | None,
    notes: Sequence[str] = (),
    reading: Reading | None = None,
) -> Answer:
    """The `k` best hits; more and more documents are looked into until there are so many, or no more documents.

    With a `reading`, the best units are read again: order, edges and whether they answer at all come from it.
    """
    wanted, understood, admitted = taken
    shelves = searcher.shelves
    there = int(np.count_nonzero(shelves.alive if admitted is None else shelves.alive & admitted))
    meant = tuple(Meant(shelves.keys[place][1], belief, why) for place, belief, why in understood.documents)
    said = (*understood.notes, *notes)
    if not wanted.question.strip():
        return Answer((), understood, said, meant)
    if admitted is not None and not there:
        return Answer((), understood, (*said, NO_PHRASE if wanted.phrases else NOTHING_FITS), meant)
    if vectors is None and not wanted.phrases and not _known(searcher, understood):
        return Answer((), understood, (*said, UNKNOWN), meant)
    most, least = searcher.config.most_documents, k
    while True:
        candidates = searcher.candidates(understood, admitted, vectors, least, most)
        scored = searcher.score(candidates, vectors)
        if reading is not None:
            scored = reading.again(shelves, scored)
        extent = partial(reading.extent, shelves, scored) if reading else None
        allowed = wanted.units(shelves, scored.looked) if wanted else None
        hits = [
            _hit(scored, found, rank)
            for rank, found in enumerate(spans(shelves, scored, k, config, allowed, extent), start=1)
        ]
        if len(hits) >= k or understood.documents or len(candidates.documents) >= there:
            break
        most, least = WIDER * most, WIDER * max(least, len(scored.looked))
    if wanted.phrases and not hits:
        said = (*said, NO_PHRASE)
    answered = reading.answered(scored) if reading and hits else None
    if answered is not None and answered < LIKELY:
        said = (*said, UNLIKELY.format(answered))
    return Answer(tuple(hits), understood, said, meant, answered)


def _known(searcher: Searcher, understood: Understood) -> bool:
    """Whether any word of the question, or of how it is drafted, stands in the documents."""
    return any(searcher.shelves.knows(stem) for text in encoder_texts(understood) for stem in stems(text))


def _hit(scored: Scored, found: Found, rank: int) -> Hit:
    at, held = found.at, found.held
    dense = scored.with_vectors is None or bool(scored.with_vectors[at])
    parts = {
        name: Part(float(values[at]), int(np.count_nonzero(values > values[at])) + 1)
        for name, values in scored.parts.items()
        if (dense or name not in DENSE) and not np.isnan(values[at])
    }
    headings = held.units.context(found.unit).heading_path
    return Hit.of(held.document, found.edges, headings, scored.scores[at], rank, parts)
