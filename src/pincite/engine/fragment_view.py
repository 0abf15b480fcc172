"""Candidates out of fragments: what the engines in memory and in a folder share."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pincite.engine.catalogue import Catalogue
from pincite.engine.configuration import Configuration
from pincite.engine.contract import (
    MOST_LOADED,
    CandidateUnits,
    CandidateView,
    CollectionStatistics,
    RankedDocument,
    Scope,
    TermStatistics,
)
from pincite.errors import UsageError
from pincite.models import Vectors
from pincite.postings.document_names import DocumentNames
from pincite.postings.fragment import Flags
from pincite.postings.fragments import Fragments, UnitLayout
from pincite.postings.similar_words import FragmentVocabulary, SimilarWords
from pincite.query.names import NameCandidate, NameEvidence
from pincite.text import Filter
from pincite.text.conditions import DATE, KIND
from pincite.text.document import DocumentKey
from pincite.text.units import LoadedDocument

MOST_RESTRICTED = 32
"""Restrictions of a state that are remembered."""


class VectorSource(Protocol):
    """Where the vectors of units are."""

    with_vectors: Flags
    """Which documents have them."""

    def cosines(self, layout: UnitLayout, questions: Vectors) -> tuple[NDArray[np.float64], Flags]:
        """A row for each unit with its cosine to each question, and whether the unit is embedded at all."""

    def nearest(
        self, question: Vectors, units: int, admitted: Flags, *, exact: bool = False
    ) -> list[tuple[int, float]]:
        """The places of the documents of about the nearest `units` units, each with its best cosine, best first; with
        `exact` of just these units."""


class FragmentState:
    """One state of a collection: fragments, names, records and vectors. It never changes and may be shared."""

    def __init__(
        self,
        generation: int,
        configuration: Configuration,
        fragments: Fragments,
        catalogue: Catalogue,
        vectors: VectorSource | None,
        notes: Sequence[str] = (),
        damaged: Sequence[str] = (),
        *,
        is_part: bool = False,
    ) -> None:
        self.generation = generation
        self.configuration = configuration
        self.fragments = fragments
        self.catalogue = catalogue
        self.vectors = vectors
        self.notes = tuple(notes)
        self.damaged = tuple(damaged)
        """Notes on documents that cannot be read. Whoever sees a part of the collection does not see them: nobody knows
        any more which part these documents belong to."""
        self.is_part = is_part
        """Whether it is what a caller may see of a larger state. Vectors are compared one by one then: approximate
        lists were made of all documents, and what they find would depend on those that must not be seen."""
        self.names = DocumentNames(fragments)
        self.similar = SimilarWords(FragmentVocabulary(fragments))
        self._restricted: dict[object, FragmentState] = {}
        self._candidates: dict[int, NameCandidate] = {}

    def restricted(self, visible: Filter | None) -> "FragmentState":
        """The same without the documents that `visible` does not admit: no statistic counts them."""
        if visible is None:
            return self
        known = self._restricted.get(visible.key)
        if known is not None:
            return known
        admitted = self.catalogue.admitted(visible)
        assert admitted is not None
        return self._only(visible.key, admitted, (), is_part=True)

    def without(self, document_id: str) -> "FragmentState":
        """The same without one document."""
        admitted = np.ones(len(self.fragments.keys), dtype=np.bool_)
        admitted[self.catalogue.places[document_id]] = False
        return self._only(("without", document_id), admitted, self.damaged, is_part=self.is_part)

    def _only(self, key: object, admitted: Flags, damaged: Sequence[str], *, is_part: bool) -> "FragmentState":
        """The state with the admitted documents alone; it is kept for the next caller."""
        state = self._restricted.get(key)
        if state is None:
            fragments = self.fragments
            hidden = Fragments(fragments.fragments, fragments.keys, fragments.language, ~(fragments.alive & admitted))
            records = [record if seen else None for record, seen in zip(self.catalogue.records, admitted, strict=True)]
            catalogue = Catalogue(records)
            common = self.generation, self.configuration, hidden, catalogue, self.vectors, self.notes
            state = FragmentState(*common, damaged, is_part=is_part)
            if len(self._restricted) >= MOST_RESTRICTED:
                self._restricted.clear()
            self._restricted[key] = state
        return state

    def candidate(self, place: int) -> NameCandidate:
        """What is known of a document beside its names."""
        found = self._candidates.get(place)
        if found is None:
            record = self.catalogue.records[place]
            assert record is not None
            said = record.described
            found = self._candidates[place] = NameCandidate(record.key, said.get(KIND, ""), said.get(DATE, "")[:4])
        return found

    @cached_property
    def statistics(self) -> CollectionStatistics:
        fragments, embedded = self.fragments, 0
        if self.vectors is not None:
            embedded = int(np.count_nonzero(self.vectors.with_vectors & fragments.alive))
        return CollectionStatistics(fragments.document_count, fragments.unit_count, fragments.mean_length, embedded)


class FragmentView(CandidateView):
    """A state for one question or batch. `fetch` brings documents with their texts by their places."""

    def __init__(self, state: FragmentState, fetch: Callable[[Sequence[int]], list[LoadedDocument]]) -> None:
        self.state = state
        self.language = state.fragments.language
        self.generation = state.generation
        self.configuration = state.configuration
        self.notes = (*state.damaged, *state.notes)
        self._fetch = fetch
        self._scopes: dict[object, Flags] = {}

    @property
    def statistics(self) -> CollectionStatistics:
        return self.state.statistics

    @property
    def document_count(self) -> int:
        return self.state.fragments.document_count

    def without(self, document_id: str, note: str) -> "FragmentView":
        view = FragmentView(self.state.without(document_id), self._fetch)
        view.notes = (*self.notes, note)
        return view

    def term_statistics(self, stems: Iterable[str]) -> Mapping[str, TermStatistics]:
        fragments = self.state.fragments
        found = {}
        for stem in dict.fromkeys(stems):
            units = fragments.frequency(stem)
            found[stem] = TermStatistics(units, bool(units) or fragments.knows(stem))
        return found

    def name_evidence(self, words: Sequence[str], limit: int) -> NameEvidence:
        names = self.state.names
        places, weights = names.best(words, limit)
        documents = tuple(map(self.state.candidate, places))
        return NameEvidence(tuple(words), tuple(map(names.statistics, words)), documents, weights)

    def similar_words(self, words: Sequence[str]) -> Mapping[str, str]:
        similar = {word: self.state.similar.nearest(word) for word in words}
        return {word: near for word, near in similar.items() if near}

    def count(self, scope: Scope) -> int:
        if scope.is_everything:
            return self.state.fragments.document_count
        return int(np.count_nonzero(self._admitted(scope)))

    def in_scope(self, documents: Sequence[DocumentKey], scope: Scope) -> Sequence[bool]:
        admitted = self._admitted(scope)
        return [bool(admitted[place]) for place in self._places(documents)]

    def likely(self, stems: Sequence[str], k1: float, b: float, units: int, scope: Scope) -> Sequence[RankedDocument]:
        fragments = self.state.fragments
        ranked = fragments.likely(stems, k1, b, units, self._admitted(scope))
        return [RankedDocument(fragments.keys[place], score) for place, score in ranked]

    def nearest(self, question: Vectors, units: int, scope: Scope) -> Sequence[RankedDocument]:
        if self.state.vectors is None:
            return []
        keys = self.state.fragments.keys
        admitted, exact = self._admitted(scope), self.state.is_part
        ranked = self.state.vectors.nearest(question, units, admitted, exact=exact)
        return [RankedDocument(keys[place], score) for place, score in ranked]

    def further(self, scope: Scope, without: Sequence[DocumentKey], units: int) -> Sequence[DocumentKey]:
        fragments, missing = self.state.fragments, units
        known = set(self._places(without))
        rest = (place for place in np.flatnonzero(self._admitted(scope)).tolist() if place not in known)
        chosen = []
        for place in sorted(rest, key=fragments.keys.__getitem__):
            chosen.append(fragments.keys[place])
            missing -= fragments.size(place)
            if missing <= 0:
                break
        return chosen

    def unit_count(self, documents: Sequence[DocumentKey]) -> int:
        return sum(map(self.state.fragments.size, self._places(documents)))

    def units(
        self,
        documents: Sequence[DocumentKey],
        stems: Sequence[str],
        defined: Sequence[str] = (),
        questions: Vectors | None = None,
    ) -> CandidateUnits:
        fragments = self.state.fragments
        layout = fragments.layout(self._places(documents))
        cosines = embedded = None
        if questions is not None and self.state.vectors is not None:
            cosines, embedded = self.state.vectors.cosines(layout, questions)
        return counted_units(fragments, layout, stems, defined, cosines, embedded)

    def load(self, documents: Sequence[DocumentKey]) -> Sequence[LoadedDocument]:
        if len(documents) > MOST_LOADED:
            raise UsageError(f"at most {MOST_LOADED} documents can be loaded at once, not {len(documents)}")
        return self._fetch(self._places(documents))

    def _places(self, documents: Sequence[DocumentKey]) -> list[int]:
        places = self.state.catalogue.places
        return [places[key.id] for key in documents if key.id in places]

    def _admitted(self, scope: Scope) -> Flags:
        """For every place, whether its document is there and in scope."""
        if scope.is_everything:
            return self.state.fragments.alive
        key = (None if scope.where is None else scope.where.key, scope.holding)
        admitted = self._scopes.get(key)
        if admitted is None:
            admitted = self.state.fragments.alive.copy()
            within = self.state.catalogue.admitted(scope.where)
            if within is not None:
                admitted &= within
            if scope.holding:
                holding = np.zeros(len(admitted), dtype=np.bool_)
                holding[self.state.fragments.documents_holding(scope.holding)] = True
                admitted &= holding
            self._scopes[key] = admitted
        return admitted


def counted_units(
    fragments: Fragments,
    layout: UnitLayout,
    stems: Sequence[str],
    defined: Sequence[str] = (),
    cosines: NDArray[np.float64] | None = None,
    embedded: Flags | None = None,
) -> CandidateUnits:
    """The units of a layout with the counts of some stems, and which of them define some terms."""
    own, above = np.zeros((len(stems), len(layout))), np.zeros((len(stems), len(layout)))
    lengths, defines = np.zeros(len(layout)), np.zeros(len(layout))
    for unit_range in fragments.unit_ranges(layout):
        unit_range.lengths(lengths)
        for term, counts, marks in zip(stems, own, above, strict=True):
            unit_range.count(term, counts, marks)
        for term in defined:
            unit_range.mark(unit_range.fragment.defined, term, defines)
    keys = tuple(fragments.keys[place] for place in layout.documents.tolist())
    return CandidateUnits(keys, layout.sizes, tuple(stems), own, above, lengths, defines, cosines, embedded)
