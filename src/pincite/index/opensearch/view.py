"""One state of a collection on a cluster, as far as a caller may see it: candidates come from the cluster's indices."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.engine.catalogue import ALWAYS_KNOWN, check_filter
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
from pincite.engine.fragment_view import counted_units
from pincite.engine.unit_vectors import DECIMALS, QuantisedVectors
from pincite.errors import DamagedDocumentError, UsageError
from pincite.index.opensearch.blobs import Blobs
from pincite.index.opensearch.changes import CollectionState
from pincite.index.opensearch.cluster import Cluster
from pincite.index.opensearch.filters import filter_query
from pincite.index.opensearch.mappings import DOCUMENTS, UNITS, index_name, vectors_name
from pincite.index.opensearch.names import ClusterNames, ClusterVocabulary
from pincite.index.opensearch.rows import (
    BOXES,
    LOADED,
    POSTINGS,
    SOUGHT_ALONE,
    has_vectors,
    loaded_document,
    manifest_of,
    postings_of,
    record_of,
    unpack_vectors,
    vectors_part,
)
from pincite.models import Vectors
from pincite.postings.fragment import Flags, Fragment
from pincite.postings.fragments import Fragments, UnitLayout, weighty
from pincite.postings.similar_words import SimilarWords
from pincite.query.names import NameEvidence
from pincite.text import Filter
from pincite.text.document import DocumentKey
from pincite.text.units import LoadedDocument

Json = dict[str, Any]

READ: Json = {"_source": {"excludes": SOUGHT_ALONE}}
EXACT = 20_000
"""Vectors in scope up to which all are compared."""
DEEPER = 4
"""Neighbours asked of each shard's graph for every one that is wanted."""
MOST_HITS = 10_000
"""Rows that one search can give."""
MOST_ROWS = 20_000
"""Rows of documents that a process keeps at hand."""
MOST_HOLDING = 50_000
"""Documents that words can narrow a question to."""


class ClusterView(CandidateView):
    """Everything it says is about the rows that were alive in one state. What is counted once is remembered."""

    def __init__(
        self,
        cluster: Cluster,
        name: str,
        state: CollectionState,
        blobs: Blobs,
        visible: Filter | None,
        remembered: dict[object, Any],
        hidden: tuple[str, ...] = (),
        notes: tuple[str, ...] = (),
    ) -> None:
        self.cluster = cluster
        self.name = name
        self.state = state
        self.blobs = blobs
        self.visible = visible
        self.hidden = hidden
        """Ids of documents that are left out: they are damaged."""
        self.generation = state.generation
        self.configuration = Configuration.from_json(state.configuration)
        self.language = self.configuration.read_language()
        self.notes = notes
        self._remembered = remembered
        self._key = (state.generation, visible.key if visible else None, hidden)
        self._rows: dict[DocumentKey, Json | None] = self.remembered("rows", dict)
        """Rows of documents that were looked at in this state."""
        if len(self._rows) > MOST_ROWS:
            self._rows = remembered[self._key, "rows"] = {}
        self._scopes: dict[object, list[Json]] = {}
        if visible is not None:
            check_filter(visible, *self._known_of(()))
        self.seen = [state.alive(), *filter_query(visible)]
        """The clauses that a row fulfils which the caller may see."""
        if hidden:
            self.seen.append({"bool": {"must_not": [{"terms": {"id": list(hidden)}}]}})

    def index(self, which: str) -> str:
        return index_name(self.name, which)

    def remembered(self, what: object, compute: Any) -> Any:
        """What was computed for this state and this caller before, or is now."""
        key = (self._key, what)
        if key not in self._remembered:
            self._remembered[key] = compute()
        return self._remembered[key]

    def without(self, document_id: str, note: str) -> "ClusterView":
        common = self.cluster, self.name, self.state, self.blobs, self.visible, self._remembered
        return ClusterView(*common, (*self.hidden, document_id), (*self.notes, note))

    # Statistics

    @cached_property
    def statistics(self) -> CollectionStatistics:
        found: CollectionStatistics = self.remembered("statistics", self._counted)
        return found

    def _counted(self) -> CollectionStatistics:
        sums = {name: {"sum": {"field": name}} for name in ("unit_count", "stem_count")}
        embedded = {"filter": {"bool": {"filter": self.state.with_vectors()}}}
        found = self._aggregated(DOCUMENTS, self.seen, {**sums, "embedded": embedded})
        units, stems = (int(found[name]["value"]) for name in ("unit_count", "stem_count"))
        documents = int(found["total"])
        return CollectionStatistics(documents, units, max(1.0, stems / max(1, units)), found["embedded"]["doc_count"])

    def _aggregated(self, which: str, clauses: Sequence[Json], aggregations: Json) -> Json:
        """What rows add up to; `total` is their number."""
        body = {"query": {"bool": {"filter": list(clauses)}}, "size": 0, "track_total_hits": True}
        found = self.cluster.search(self.index(which), {**body, "aggs": aggregations})
        return {**found.get("aggregations", {}), "total": found["hits"]["total"]["value"]}

    def counts(self, which: str, wanted: Mapping[str, Json]) -> dict[str, int]:
        """How many visible rows fulfil each of some clauses."""
        if not wanted:
            return {}
        found = self._aggregated(which, self.seen, {"asked": {"filters": {"filters": dict(wanted)}}})
        return {name: int(bucket["doc_count"]) for name, bucket in found["asked"]["buckets"].items()}

    def term_statistics(self, stems: Iterable[str]) -> Mapping[str, TermStatistics]:
        wanted = list(dict.fromkeys(stems))
        known: dict[str, TermStatistics] = self.remembered("terms", dict)
        new = [stem for stem in wanted if stem not in known]
        asked = {f"u{at}": {"term": {"stems": stem}} for at, stem in enumerate(new)}
        units = self.counts(UNITS, asked)
        rest = {f"a{at}": {"term": {"above": stem}} for at, stem in enumerate(new) if not units[f"u{at}"]}
        above = self.counts(UNITS, rest)
        for at, stem in enumerate(new):
            count = units[f"u{at}"]
            known[stem] = TermStatistics(count, bool(count) or above[f"a{at}"] > 0)
        return {stem: known[stem] for stem in wanted}

    def frequency(self, stem: str) -> int:
        """In how many units a stem occurs."""
        return self.term_statistics([stem])[stem].units

    # Names

    def name_evidence(self, words: Sequence[str], limit: int) -> NameEvidence:
        return ClusterNames(self).evidence(words, limit)

    def similar_words(self, words: Sequence[str]) -> Mapping[str, str]:
        similar = SimilarWords(ClusterVocabulary(self))
        near = {word: self.remembered(("near", word), lambda word=word: similar.nearest(word)) for word in words}
        return {word: other for word, other in near.items() if other}

    # Scope

    def _known_of(self, clauses: Sequence[Json]) -> tuple[frozenset[str], frozenset[str]]:
        """The keys that documents have, and their kinds."""

        def known() -> tuple[frozenset[str], frozenset[str]]:
            terms = {name: {"terms": {"field": name, "size": MOST_HITS}} for name in ("keys", "kind")}
            found = self._aggregated(DOCUMENTS, [self.state.alive(), *clauses], terms)
            keys, kinds = (frozenset(str(b["key"]) for b in found[name]["buckets"]) for name in ("keys", "kind"))
            return ALWAYS_KNOWN | keys, kinds - {""}

        found: tuple[frozenset[str], frozenset[str]] = self.remembered(("known", len(clauses)), known)
        return found

    def _within(self, scope: Scope) -> list[Json]:
        """The clauses that rows fulfil which are visible and in scope."""
        key = _key_of(scope)
        clauses = self._scopes.get(key)
        if clauses is None:
            if scope.where is not None:
                check_filter(scope.where, *self._known_of(self.seen))
            clauses = [*self.seen, *filter_query(scope.where)]
            if scope.holding:
                clauses.append({"terms": {"id": self._holding(clauses, scope.holding)}})
            self._scopes[key] = clauses
        return clauses

    def _holding(self, clauses: Sequence[Json], stems: Sequence[str]) -> list[str]:
        """The ids of the documents in which some unit holds all of these stems."""
        both = [*clauses, *({"term": {"stems": stem}} for stem in stems)]
        found = self._aggregated(UNITS, both, {"ids": {"terms": {"field": "id", "size": MOST_HOLDING}}})
        return [str(bucket["key"]) for bucket in found["ids"]["buckets"]]

    def count(self, scope: Scope) -> int:
        if scope.is_everything:
            return self.statistics.documents
        query = {"bool": {"filter": self._within(scope)}}
        count: int = self.remembered(
            ("count", _key_of(scope)), lambda: self.cluster.count(self.index(DOCUMENTS), query)
        )
        return count

    def in_scope(self, documents: Sequence[DocumentKey], scope: Scope) -> Sequence[bool]:
        names = list({key.id for key in documents})
        clauses = [*self._within(scope), {"terms": {"id": names}}]
        rows = self.cluster.hits(
            self.index(DOCUMENTS), {"bool": {"filter": clauses}}, max(1, len(names)), _source=["id"]
        )
        within = {row["_source"]["id"] for row in rows}
        return [key.id in within for key in documents]

    def document_rows(self, where: Filter | None, limit: int, more: Sequence[Json] = (), after: int = -1) -> list[Json]:
        """The rows of the documents that a filter admits, in the order in which they were added."""
        clauses = [*self._within(Scope(where)), {"range": {"number": {"gt": after}}}, *more]
        query, size = {"bool": {"filter": clauses}}, min(limit, MOST_HITS)
        rows = self.cluster.hits(self.index(DOCUMENTS), query, size, [{"number": "asc"}], **READ)
        return [row["_source"] for row in rows]

    # Candidates

    def likely(self, stems: Sequence[str], k1: float, b: float, units: int, scope: Scope) -> Sequence[RankedDocument]:
        known = self.term_statistics(stems)
        weights = weighty(
            {stem: stems.count(stem) * self._idf(known[stem].units) for stem in known if known[stem].units}
        )
        if not weights:
            return []
        should = [{"term": {"stems": {"value": stem, "boost": weight}}} for stem, weight in weights.items()]
        query = {"bool": {"should": should, "minimum_should_match": 1, "filter": self._within(scope)}}
        rows = self.cluster.hits(self.index(UNITS), query, min(units, MOST_HITS), _source=["document", "stems"])
        mean = self.statistics.mean_length
        best: dict[int, float] = {}
        for row in rows:
            words = row["_source"]["stems"].split()
            norm = np.float32(k1 * (1 - b + b * len(words) / mean))
            score = np.float32(0)
            for stem, weight in weights.items():
                count = np.float32(words.count(stem))
                score += count / (count + norm) * np.float32(weight)
            number = row["_source"]["document"]
            best[number] = max(best.get(number, 0.0), float(score))
        return self._ranked(best)

    def _idf(self, units: int) -> float:
        return float(np.log1p((self.statistics.units - units + 0.5) / (units + 0.5)))

    def nearest(self, question: Vectors, units: int, scope: Scope) -> Sequence[RankedDocument]:
        if not self.state.dimensions:
            return []
        index, clauses = self.index(vectors_name(self.state.dimensions)), {"bool": {"filter": self._within(scope)}}
        codes = np.rint(question / max(float(np.abs(question).max()), 1e-9) * 127).astype(int).tolist()
        if self.remembered(("vectors", _key_of(scope)), lambda: self.cluster.count(index, clauses)) <= EXACT:
            params = {"field": "codes", "query_value": codes, "space_type": "cosinesimil"}
            script = {"lang": "knn", "source": "knn_score", "params": params}
            query: Json = {"script_score": {"query": clauses, "script": script}}
        else:
            query = {"knn": {"codes": {"vector": codes, "k": min(DEEPER * units, MOST_HITS), "filter": clauses}}}
        rows = self.cluster.hits(index, query, min(units, MOST_HITS), _source=["document", "codes", "scale"])
        if not rows:
            return []
        found = [row["_source"] for row in rows]
        vectors = QuantisedVectors(
            np.array([row["codes"] for row in found], dtype=np.int8),
            np.array([row["scale"] for row in found], dtype=np.float32),
        )
        cosines = np.round(vectors.cosines(question[None, :])[:, 0], DECIMALS)
        best: dict[int, float] = {}
        for row, cosine in zip(found, cosines.tolist(), strict=True):
            best[row["document"]] = max(best.get(row["document"], -1.0), cosine)
        return self._ranked(best)

    def _ranked(self, best: Mapping[int, float]) -> list[RankedDocument]:
        """Documents by number with their scores, best first."""
        keys: dict[int, DocumentKey] = self.remembered("keys", dict)
        missing = [number for number in best if keys.get(number) not in self._rows]
        rows = self.cluster.sources(self.index(DOCUMENTS), [str(number) for number in missing], SOUGHT_ALONE)
        for number in missing:
            row = rows[str(number)]
            keys[number] = DocumentKey(row["sha256"], row["id"])
            self._rows[keys[number]] = row
        found = [RankedDocument(keys[number], score) for number, score in best.items()]
        return sorted(found, key=lambda one: (-one.score, one.key))

    def further(self, scope: Scope, without: Sequence[DocumentKey], units: int) -> Sequence[DocumentKey]:
        if without:
            return self._further(scope, without, units)
        found: list[DocumentKey] = self.remembered(
            ("further", _key_of(scope), units), lambda: self._further(scope, (), units)
        )
        return list(found)

    def _further(self, scope: Scope, without: Sequence[DocumentKey], units: int) -> list[DocumentKey]:
        known, missing = set(without), units
        query = {"bool": {"filter": self._within(scope)}}
        order: list[Any] = [{"sha256": "asc"}, {"id": "asc"}]
        chosen: list[DocumentKey] = []
        after: Json = {}
        while missing > 0:
            rows = self.cluster.hits(self.index(DOCUMENTS), query, 1000, order, **READ, **after)
            for row in rows:
                key = DocumentKey(row["_source"]["sha256"], row["_source"]["id"])
                if key not in known and missing > 0:
                    self._rows[key] = row["_source"]
                    chosen.append(key)
                    missing -= row["_source"]["unit_count"]
            if len(rows) < 1000:
                break
            after = {"search_after": rows[-1]["sort"]}
        return chosen

    def unit_count(self, documents: Sequence[DocumentKey]) -> int:
        return sum(row["unit_count"] for row in self._found(documents))

    def _found(self, documents: Sequence[DocumentKey]) -> list[Json]:
        """The rows of these documents; those that are gone are left out."""
        missing = [key for key in documents if key not in self._rows]
        for first in range(0, len(missing), 1000):
            some = missing[first : first + 1000]
            clauses = [*self.seen, {"terms": {"id": [key.id for key in some]}}]
            rows = self.cluster.hits(self.index(DOCUMENTS), {"bool": {"filter": clauses}}, len(some), **READ)
            by_id = {row["_source"]["id"]: row["_source"] for row in rows}
            self._rows |= {key: by_id.get(key.id) for key in some}
        return [row for key in documents if (row := self._rows[key]) is not None]

    def units(
        self,
        documents: Sequence[DocumentKey],
        stems: Sequence[str],
        defined: Sequence[str] = (),
        questions: Vectors | None = None,
    ) -> CandidateUnits:
        rows = sorted(self._found(documents), key=lambda row: int(row["number"]))
        fragments = Fragments(self._postings(rows), [_key(row) for row in rows], self.language)
        layout = fragments.layout(range(len(rows)))
        cosines = embedded = None
        if questions is not None and self.state.dimensions:
            cosines, embedded = self._cosines(rows, layout, questions)
        return counted_units(fragments, layout, stems, defined, cosines, embedded)

    def _postings(self, rows: Sequence[Json]) -> list[Fragment]:
        stored = self.blobs.fetch([(row["number"], POSTINGS, manifest_of(row)) for row in rows])
        found = []
        for row in rows:
            data = stored[row["number"], POSTINGS]
            if data is None:
                raise DamagedDocumentError(row["id"], "its postings are missing or not what was stored")
            found.append(postings_of(data))
        return found

    def _cosines(
        self, rows: Sequence[Json], layout: UnitLayout, questions: Vectors
    ) -> tuple[NDArray[np.float64], Flags]:
        embedded = [has_vectors(row, self.generation) for row in rows]
        wanted = [row for row, has in zip(rows, embedded, strict=True) if has]
        stored = self.blobs.fetch([(row["number"], vectors_part(row), manifest_of(row)) for row in wanted])
        found = np.zeros((len(layout), len(questions)))
        for at, (row, has) in enumerate(zip(rows, embedded, strict=True)):
            if has:
                data = stored[row["number"], vectors_part(row)]
                if data is None:
                    raise DamagedDocumentError(row["id"], "its vectors are missing or not what was stored")
                first = int(layout.firsts[at])
                found[first : first + int(layout.sizes[at])] = unpack_vectors(data).cosines(questions)
        return np.round(found, DECIMALS), np.array(embedded, dtype=np.bool_)[layout.owners]

    def load(self, documents: Sequence[DocumentKey]) -> Sequence[LoadedDocument]:
        if len(documents) > MOST_LOADED:
            raise UsageError(f"at most {MOST_LOADED} documents can be loaded at once, not {len(documents)}")
        return loaded_documents(self.blobs, self._found(documents))


def _key_of(scope: Scope) -> object:
    return None if scope.where is None else scope.where.key, scope.holding


def loaded_documents(blobs: Blobs, rows: Sequence[Json]) -> list[LoadedDocument]:
    """Documents with their texts and units."""
    parts = {row["number"]: [*LOADED, *([BOXES] if BOXES in manifest_of(row) else [])] for row in rows}
    stored = blobs.fetch([(row["number"], part, manifest_of(row)) for row in rows for part in parts[row["number"]]])
    found = []
    for row in rows:
        loaded = loaded_document(row, {part: stored[row["number"], part] for part in parts[row["number"]]})
        if loaded.document.sha256 != row["sha256"]:
            raise DamagedDocumentError(row["id"], "its text is not what was stored")
        found.append(loaded)
    return found


def _key(row: Json) -> DocumentKey:
    return record_of(row, 0).key
