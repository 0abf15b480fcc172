"""Upkeep of a collection on a cluster: rows that nobody looks at any more go, and everything is verified."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pincite.engine.records import CheckReport
from pincite.errors import PinciteError
from pincite.index.opensearch.mappings import BLOBS, DOCUMENTS, FILES, ROOTS, UNITS, vectors_name
from pincite.index.opensearch.rows import BOXES, LOADED, POSTINGS, has_vectors, manifest_of, vectors_part
from pincite.index.opensearch.view import loaded_documents

if TYPE_CHECKING:
    from pincite.index.opensearch.engine import OpenSearchEngine

Json = dict[str, Any]

KEEP_SECONDS = 600
"""Rows that died stay so long: a search that began before may still look at them."""
AT_ONCE = 100
"""Documents checked at once."""


def sweep(engine: "OpenSearchEngine", keep_seconds: float = KEEP_SECONDS) -> int:
    """Deletes what died a while ago and what given-up changes left behind, and says how many rows those were."""
    state = engine.states.read()
    old = [number for number, at in state.done if at < engine.cluster.now() - keep_seconds]
    given_up = [number for number in state.abandoned if number < state.begun]
    if not old and not given_up:
        return 0
    dead: list[Json] = [{"terms": {"born": given_up}}]
    if old:
        died: Json = {"bool": {"filter": [{"range": {"died": {"lte": max(old)}}}]}}
        died["bool"]["must_not"] = [{"terms": {"died": given_up}}]
        dead.append(died)
    query = {"bool": {"should": dead, "minimum_should_match": 1}}
    deleted = 0
    with engine.lease():
        rows = engine.cluster.every(engine.index(DOCUMENTS), query, "number", _source=["number"])
        numbers = [row["_source"]["number"] for row in rows]
        which = [DOCUMENTS, UNITS, FILES, ROOTS]
        if state.dimensions:
            which.append(vectors_name(state.dimensions))
        for name in which:
            deleted += engine.cluster.delete_rows(engine.index(name), query)
        for first in range(0, len(numbers), AT_ONCE):
            some = {"terms": {"number": numbers[first : first + AT_ONCE]}}
            engine.cluster.delete_rows(engine.index(BLOBS), some)
    return deleted


def check_collection(engine: "OpenSearchEngine", *, repair: bool = False) -> CheckReport:
    """Verifies every stored part, and that every unit and vector of a document can be found. Where the cluster has lost
    shards it says which, and verifies nothing: what is not there cannot be told from what never was."""
    health = engine.cluster.request("GET", f"/_cluster/health/{engine.index('*')}", level="shards")
    figures = {"cluster": f"{health['status']}, {health['number_of_nodes']} nodes"}
    if lost := _lost_shards(health):
        return CheckReport({**figures, "documents": "not verified"}, tuple(lost), is_whole=False)
    view = engine.present()
    faults: list[str] = []
    after, checked = -1, 0
    while rows := view.document_rows(None, AT_ONCE, after=after):
        after, checked = rows[-1]["number"], checked + len(rows)
        for row in rows:
            faults += _document_faults(engine, row, view.generation)
        faults += _count_faults(engine, UNITS, view.seen, {row["number"]: row for row in rows})
        if view.state.dimensions:
            embedded = {row["number"]: row for row in rows if has_vectors(row, view.generation)}
            faults += _count_faults(engine, vectors_name(view.state.dimensions), view.seen, embedded)
    statistics = view.statistics
    figures |= {
        "documents": str(checked),
        "units": str(statistics.units),
        "documents with vectors": str(statistics.with_vectors),
        "encoder": view.configuration.encoder or "none yet",
        "vector search": "by the cluster",
    }
    return CheckReport(figures, tuple(faults))


def _lost_shards(health: Json) -> list[str]:
    """A line for each shard of which no copy is there."""
    return [
        f"shard {number} of {name} is lost: no node has a copy; bring its nodes back, or restore a backup"
        for name, index in sorted(health["indices"].items())
        for number, shard in sorted(index["shards"].items())
        if not shard["primary_active"]
    ]


def _document_faults(engine: "OpenSearchEngine", row: Json, generation: int) -> list[str]:
    parts = [*LOADED, POSTINGS, *([BOXES] if BOXES in manifest_of(row) else [])]
    if has_vectors(row, generation):
        parts.append(vectors_part(row))
    try:
        stored = engine.blobs.fetch([(row["number"], part, manifest_of(row)) for part in parts])
        missing = [part for part in parts if stored[row["number"], part] is None]
        if not missing:
            loaded_documents(engine.blobs, [row])
    except PinciteError as error:
        return [str(error)]
    return [f"{row['id']}: its {part} are missing or not what was stored; add its file again" for part in missing]


def _count_faults(engine: "OpenSearchEngine", which: str, seen: Sequence[Json], rows: dict[int, Json]) -> list[str]:
    """Documents that have fewer or more rows than units."""
    clauses = [*seen, {"terms": {"document": list(rows)}}]
    counted = {"documents": {"terms": {"field": "document", "size": len(rows) + 1}}}
    body = {"query": {"bool": {"filter": clauses}}, "size": 0, "aggs": counted}
    buckets = engine.cluster.search(engine.index(which), body)["aggregations"]["documents"]["buckets"]
    counts = {bucket["key"]: bucket["doc_count"] for bucket in buckets}
    return [
        f"{row['id']}: {counts.get(number, 0)} of its {row['unit_count']} units stand in {which}; add its file again"
        for number, row in rows.items()
        if counts.get(number, 0) != row["unit_count"]
    ]
