"""The indices of a collection: every field is declared, none is made up by the cluster."""

from typing import Any

from pincite.index.opensearch.location import ClusterLocation
from pincite.search.scoring import ContextConfig

FORMAT = 1
"""The version of these mappings. A collection of a newer one is not touched."""
DOCUMENTS, UNITS, VECTORS, FILES, ROOTS, BLOBS, META, RECORDS, ORIGINALS = (
    "documents",
    "units",
    "vectors",
    "files",
    "roots",
    "blobs",
    "meta",
    "records",
    "originals",
)
USUAL_LENGTH = 25
"""Stems of a usual unit. The cluster chooses candidates with it; their scores are computed again with the real mean."""

Json = dict[str, Any]

_KEYWORD: Json = {"type": "keyword"}
_LONG: Json = {"type": "long"}
_KEPT: Json = {"type": "object", "enabled": False}
_LIFE: Json = {"born": _LONG, "died": _LONG}
_FILTERED: Json = {
    "id": _KEYWORD,
    "matter": _KEYWORD,
    "date": _KEYWORD,
    "kind": _KEYWORD,
    "keys": _KEYWORD,
    "pairs": _KEYWORD,
    "numbers": _KEYWORD,
    "dates": _KEYWORD,
    "parties": {"type": "wildcard"},
}
SPELT: Json = {"type": "keyword", "doc_values": False}
_WORDS: Json = {"type": "text", "analyzer": "whitespace", "index_options": "docs", "norms": False}
_COUNTED: Json = {"type": "text", "analyzer": "whitespace", "index_options": "freqs", "similarity": "candidates"}

_MAPPINGS: dict[str, Json] = {
    DOCUMENTS: {
        **_LIFE,
        **_FILTERED,
        "number": _LONG,
        "root": _KEYWORD,
        "path": _KEYWORD,
        "sha256": _KEYWORD,
        "likeness": _KEYWORD,
        "shown": {"type": "wildcard"},
        "unit_count": _LONG,
        "stem_count": _LONG,
        "called": _KEYWORD,
        "head": _KEYWORD,
        "grams": _KEYWORD,
        "squashed": _KEYWORD,
        "spelt": SPELT,
        "stems": _WORDS,
        "vectors_born": _LONG,
        "vectors_died": _LONG,
        "kept": _KEPT,
    },
    UNITS: {
        **_LIFE,
        **_FILTERED,
        "document": _LONG,
        "unit": {"type": "integer"},
        "stems": _COUNTED,
        "above": _WORDS,
    },
    FILES: {**_LIFE, "place": _KEYWORD, "root": _KEYWORD, "path": _KEYWORD, "kept": _KEPT},
    ROOTS: {**_LIFE, "name": _KEYWORD, "path": _KEYWORD},
    BLOBS: {"number": _LONG, "data": {"type": "binary"}},
    META: {"kept": _KEPT},
    ORIGINALS: {
        "name": _KEYWORD,
        "blob": _KEYWORD,
        "written": {"type": "double"},
        "kept": _KEPT,
        "data": {"type": "binary"},
    },
    RECORDS: {"kind": _KEYWORD, "key": _KEYWORD, "version": _LONG, "kept": _KEPT},
}
INDICES = tuple(_MAPPINGS)
"""The indices that every collection has; those of vectors are made when there are some."""


def index_name(collection: str, which: str) -> str:
    """The alias of an index.

    >>> index_name("contracts", "units")
    'pincite-contracts-units'
    """
    return f"pincite-{collection}-{which}"


def index_body(location: ClusterLocation, which: str) -> Json:
    """What an index is created with."""
    return _body(location, which, which, _MAPPINGS[which], sharded=which in (DOCUMENTS, UNITS, BLOBS, ORIGINALS))


def vectors_name(dimensions: int) -> str:
    """Vectors of one size lie in an index of their own."""
    return f"{VECTORS}-{dimensions}"


def vectors_body(location: ClusterLocation, dimensions: int) -> Json:
    """What an index of vectors is created with: 8 bits a dimension, neighbours by Lucene's graph."""
    method = {
        "name": "hnsw",
        "engine": "lucene",
        "space_type": "cosinesimil",
        "parameters": {"m": 16, "ef_construction": 128},
    }
    codes = {"type": "knn_vector", "dimension": dimensions, "data_type": "byte", "method": method}
    fields = {
        **_LIFE,
        **_FILTERED,
        "document": _LONG,
        "unit": {"type": "integer"},
        "scale": {"type": "float", "index": False},
        "codes": codes,
    }
    body = _body(location, vectors_name(dimensions), VECTORS, fields, sharded=True)
    body["settings"]["index"]["knn"] = True
    return body


def _body(location: ClusterLocation, name: str, which: str, fields: Json, *, sharded: bool) -> Json:
    settings: Json = {
        "number_of_shards": location.shards if sharded else 1,
        "number_of_replicas": location.replicas,
    }
    if which not in (META, RECORDS, BLOBS, ORIGINALS):
        settings["refresh_interval"] = "-1"  # a change refreshes what it touched, before it is seen
    if which == UNITS:
        settings["similarity"] = {"candidates": _similarity()}
    return {
        "settings": {"index": settings},
        "mappings": {"dynamic": "strict", "_meta": {"format": FORMAT}, "properties": fields},
        "aliases": {index_name(location.name, name): {}},
    }


def _similarity() -> Json:
    """BM25's part of a term in a unit. The weight of the term comes with the question: it counts the documents that a
    caller may see, and no others."""
    k1, b = ContextConfig().k1, ContextConfig().b
    norm = f"{k1} * ({1 - b} + {b} * doc.length / {float(USUAL_LENGTH)})"
    return {"type": "scripted", "script": {"source": f"return query.boost * doc.freq / (doc.freq + {norm});"}}
