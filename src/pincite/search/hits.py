"""From scored units to hits that stand alone: whole, without repeats, each with the reasons in words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

import numpy as np

from pincite.engine.contract import CandidateView
from pincite.query.operators import QueryConstraints, folded
from pincite.search.direct import DirectPlace
from pincite.search.highlight import matched_words
from pincite.search.loading import Loader
from pincite.search.scoring import ScoredUnits
from pincite.search.spans import ONE_EACH, TWO_EACH, HitSpan, allowed_units, spans
from pincite.search.whole import is_mere_heading, lead_ins, only_refers, opening, references, terms_used
from pincite.text import Hit, Part
from pincite.text.passage import Edges, Passage

if TYPE_CHECKING:
    from pincite.search.run import Question

DENSE = ("dense", "around")
"""The parts that need vectors."""
LOOKED_UP = "looked up"
"""The part of a hit that was asked for by its place."""
ALL_EVIDENCE = 0.8
"""A document with this share of the best units holds all the evidence."""
DETAILED = 3
"""Hits whose terms and references are looked up: reading a document for them takes longer than ranking it."""
ALIKE_LENGTH = 0.95
"""The least share of the longer one that the shorter of two passages must have to say the same."""
REPEATED = 80
"""Characters from which the same words at another place are a repeat."""
MOST_WHY = 4
"""Words of the question that a reason names."""

_BARE = re.compile(
    r"\b(?:sign\w*|execut\w+|heading\w*|caption\w*|contents|titled?|notar\w+|witness\w*)\b", re.IGNORECASE
)
"""Questions that headings, captions and signatures may answer."""


@dataclass(frozen=True, slots=True)
class HitMaker:
    """Makes the hits of one question."""

    view: CandidateView
    question: "Question"
    constraints: QueryConstraints
    scored: ScoredUnits
    loader: Loader

    def hits(self, direct: Sequence[DirectPlace] = ()) -> list[Hit]:
        """The places that were asked for, then the best units; what says the same as a better hit is folded into it."""
        found: list[Hit] = []
        best = float(self.scored.scores.max()) if len(self.scored.scores) else 0.0
        for place in direct[: self.question.k]:
            found.append(direct_hit(place, len(found) + 1, best + 1 - 0.001 * len(found)))
        for span in self._spans(found):
            if len(found) == self.question.k:
                break
            if not _inside(span, found) and not self._folded(span, found):
                hit = self._hit(span, len(found) + 1)
                # What had to wait for other documents does not score more than what was shown before it.
                found.append(replace(hit, score=min(hit.score, found[-1].score)) if found else hit)
        return found

    def _spans(self, found: list[Hit]) -> Iterator[HitSpan]:
        question, scored = self.question, self.scored
        extent = partial(question.rerank.extent, scored, loader=self.loader) if question.rerank else None
        allowed = allowed_units(self.constraints, scored, self.loader) if self.constraints else None
        bare = self._wants_bare()

        def usable(at: int) -> bool:
            key, unit = scored.units.place(at)
            loaded = self.loader(key)
            if not bare and is_mere_heading(loaded, unit):
                return False
            return not found or not self._folded(HitSpan(at, loaded, unit, unit, unit), found)

        return spans(scored, self.loader, question.k, question.spans, allowed, extent, usable=usable, most=self._most())

    def _wants_bare(self) -> bool:
        asked = self.scored.parsed.asked
        if asked.is_lookup and any(place.number for place in asked.places):
            return False
        return bool(self.constraints.phrases or asked.fact or asked.places or _BARE.search(self.scored.parsed.question))

    def _most(self) -> int | None:
        """How many of the first hits one document may have: one where a set is asked about, two where no document is
        named and not one holds all the evidence; None for any number."""
        scored = self.scored
        if scored.parsed.asked.across:
            return ONE_EACH
        if scored.parsed.documents or len(scored.units.documents) < 2:
            return None
        owners = scored.units.owners[scored.best(10)]
        is_spread = not len(owners) or int(np.bincount(owners).max()) < ALL_EVIDENCE * len(owners)
        return TWO_EACH if is_spread else None

    def _folded(self, span: HitSpan, found: list[Hit]) -> bool:
        """Adds a span that says the same as a hit to that hit's other places. Where a set is asked about, each document
        answers for itself."""
        is_set = self.scored.parsed.asked.across
        document, (start, end) = span.loaded.document, span.edges
        if end - start < REPEATED:
            return False
        words = None
        for at, hit in enumerate(found):
            if is_set and hit.document_id != document.id:
                continue
            if not ALIKE_LENGTH < (end - start) / max(1, hit.end - hit.start) < 1 / ALIKE_LENGTH:
                continue
            words = words or _said(document.shown(start, end))
            if _said(hit.shown) == words:
                found[at] = replace(hit, also=(*hit.also, Passage(document.id, start, end)))
                return True
        return False

    def _hit(self, span: HitSpan, rank: int) -> Hit:
        scored, at, loaded = self.scored, span.at, span.loaded
        dense = scored.embedded is None or bool(scored.embedded[at])
        parts = {
            name: Part(float(values[at]), int(np.count_nonzero(values > values[at])) + 1)
            for name, values in scored.parts.items()
            if (dense or name not in DENSE) and not np.isnan(values[at])
        }
        detailed = rank <= DETAILED
        refers = references(loaded, span.edges) if detailed else ()
        hit = Hit.of(
            loaded.document,
            span.edges,
            loaded.units.context(span.unit).heading_path,
            scored.scores[at],
            rank,
            parts,
            lead_ins=_leading(span),
            terms=terms_used(loaded, span.edges) if detailed else (),
            refers_to=refers,
        )
        only = only_refers(loaded, span.first, span.last) if refers else False
        return replace(hit, why=tuple(self._why(hit, only=only)))

    def _why(self, hit: Hit, *, only: bool) -> list[str]:
        """Why a hit was found, in words."""
        parsed, language = self.scored.parsed, self.view.language
        said = []
        if any(match.id == hit.document_id for match in parsed.documents):
            said.append("stands in the document that the question names")
        stems = set(language.stems(parsed.question))
        title = hit.heading_path[-1] if hit.heading_path else ""
        if title and stems & set(language.stems(title)):
            said.append(f"the clause is called {' '.join(title.split())!r}")
        words = matched_words(parsed.question, hit)[:MOST_WHY]
        if words:
            *others, last = [repr(word) for word in words]
            said.append(f"mentions {', '.join(others) + ' and ' if others else ''}{last}")
        if hit.parts.get("definition", Part(0.0, None)).score > 0:
            said.append("defines a term of the question")
        if hit.parts.get("drafted", Part(0.0, None)).rank == 1:
            said.append("is drafted as such clauses are")
        if "dense" in hit.parts and (hit.parts["dense"].rank or 99) <= 3:
            said.append("is near in meaning")
        if only and hit.refers_to:
            said.append(f"refers to {hit.refers_to[0].label}")
        return said or ["is nearest among what there is"]


def _leading(span: HitSpan) -> tuple[Edges, ...]:
    """What leads into a hit: the beginning of its own sentence, and the lead-ins of its list."""
    loaded, first, last = span.loaded, span.first, span.last
    start = span.edges[0]
    found = [edges for edges in (opening(loaded, first, last),) if edges]
    for edges in lead_ins(loaded, first, last):
        if not any(edges[0] < other[1] and other[0] < edges[1] for other in found):
            found.append(edges)
    return tuple(sorted((begin, min(end, start)) if begin < start else (begin, end) for begin, end in found))


def direct_hit(place: DirectPlace, rank: int, score: float) -> Hit:
    """A place that was asked for, as a hit."""
    parts = {LOOKED_UP: Part(1.0, rank)}
    refers = references(place.loaded, place.edges)
    return Hit.of(
        place.loaded.document, place.edges, place.heading_path, score, rank, parts, refers_to=refers, why=(place.why,)
    )


def _inside(span: HitSpan, hits: Sequence[Hit]) -> bool:
    """Whether a span stands in a place that was asked for."""
    start, end = span.edges
    return any(
        LOOKED_UP in hit.parts and hit.document_id == span.loaded.document.id and start < hit.end and hit.start < end
        for hit in hits
    )


@lru_cache(maxsize=256)
def _said(words: str) -> str:
    return folded(re.sub(r"[\W_]+", " ", words))
