"""An answer: the hits of a question with what was understood of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pincite.retrieve.context_scores import Scored
from pincite.retrieve.shelf import Flags
from pincite.retrieve.shelves import Shelves
from pincite.retrieve.spans import Found, SpanConfig, spans
from pincite.retrieve.understand import Understood
from pincite.text import Hit, Part

DENSE = ("dense", "around")
"""The parts that need vectors."""


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


def answer_of(
    shelves: Shelves,
    scored: Scored,
    k: int,
    config: SpanConfig,
    notes: Sequence[str] = (),
    allowed: Flags | None = None,
) -> Answer:
    """The `k` best hits of scored units."""
    found = spans(shelves, scored, k, config, allowed)
    hits = [_hit(scored, entry, rank) for rank, entry in enumerate(found, start=1)]
    meant = [Meant(shelves.keys[place][1], belief, why) for place, belief, why in scored.understood.documents]
    return Answer(tuple(hits), scored.understood, (*scored.understood.notes, *notes), tuple(meant))


def _hit(scored: Scored, found: Found, rank: int) -> Hit:
    at, held = found.at, found.held
    dense = scored.with_vectors is None or bool(scored.with_vectors[at])
    parts = {
        name: Part(float(values[at]), int(np.count_nonzero(values > values[at])) + 1)
        for name, values in scored.parts.items()
        if dense or name not in DENSE
    }
    headings = held.units.context(found.unit).heading_path
    return Hit.of(held.document, found.edges, headings, scored.scores[at], rank, parts)
