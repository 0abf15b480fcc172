"""Filters as queries of the cluster: the same documents that `Filter.fits` admits."""

import json
import math
import struct
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from pincite.text import Filter
from pincite.text.conditions import AND, DATE, KIND, MATTER, NOT, OR, PARTIES, PARTY, number_of
from pincite.text.dates import iso_date
from pincite.text.kinds import kind_key

Json = dict[str, Any]

BETWEEN = "\x1f"
"""Stands between a key and its value."""
LONGEST = 1000
"""Characters of a value that are compared one by one; a longer one goes by its hash."""
EVERYTHING: Json = {"match_all": {}}
NOTHING: Json = {"match_none": {}}


def filter_fields(document_id: str, described: Mapping[str, str]) -> Json:
    """What filters compare, as fields of a row."""
    numbers = {key: number_of(value) for key, value in described.items()}
    dates = {key: iso_date(value) for key, value in described.items()}
    parties = f"{described.get(PARTIES, '')}; {described.get(PARTY, '')}".casefold()
    return {
        "id": document_id,
        "matter": described.get(MATTER, ""),
        "date": described.get(DATE, ""),
        "kind": described.get(KIND, ""),
        "keys": sorted(described),
        "pairs": [
            *(_pair(key, value) for key, value in sorted(described.items())),
            *([_begun(KIND, described[KIND])] if KIND in described else []),
        ],
        "numbers": [
            f"{key}{BETWEEN}{_sortable(value)}"
            for key, value in numbers.items()
            if value is not None and not math.isnan(value)
        ],
        "dates": [f"{key}{BETWEEN}{day}" for key, day in dates.items() if day],
        "parties": parties,
    }


def filter_query(where: Filter | None) -> list[Json]:
    """The clauses that a row must fulfil; none where nothing is asked for."""
    if where is None:
        return []
    clauses: list[Json] = []
    if where.documents:
        clauses.append({"terms": {"id": list(where.documents)}})
    if where.matters:
        clauses.append({"terms": {"matter": list(where.matters)}})
    clauses += [_equal(key, value) for key, value in where.metadata.items()]
    if where.condition:
        clauses.append(_condition(json.loads(where.condition)))
    if where.after or where.before:
        edges = {"gte": where.after or "0", **({"lte": where.before} if where.before else {})}
        clauses.append({"range": {"date": edges}})
    return clauses


def _condition(given: Json) -> Json:
    clauses = [_entry(key, value) for key, value in given.items()]
    return clauses[0] if len(clauses) == 1 else {"bool": {"filter": clauses}}


def _entry(key: str, value: Any) -> Json:
    if key == AND:
        return {"bool": {"filter": list(map(_condition, value))}}
    if key == OR:
        return _any(list(map(_condition, value)))
    if key == NOT:
        return _not(_condition(value))
    if isinstance(value, Mapping):
        return {"bool": {"filter": [_operator(key, name, operand) for name, operand in value.items()]}}
    return _operator(key, "in" if isinstance(value, list) else "eq", value)


def _operator(key: str, name: str, value: Any) -> Json:
    match name:
        case "eq":
            return _equal(key, str(value))
        case "in":
            return _any([_equal(key, str(one)) for one in value])
        case "exists":
            known = {"term": {"keys": PARTIES if key == PARTY else key}}
            return known if value else _not(known)
        case "prefix":
            return {"prefix": {"pairs": _begun(key, value)}}
    return _range(key, name, value)


def _range(key: str, name: str, value: Any) -> Json:
    """A range within the values of one key, which lie together."""
    field, bound = ("dates", iso_date(value)) if isinstance(value, str) else ("numbers", _sortable(float(value)))
    edges = {"gte": key + BETWEEN, "lt": key + chr(ord(BETWEEN) + 1)}
    if name in ("gt", "gte"):
        edges.pop("gte")
    else:
        edges.pop("lt")
    return {"range": {field: {**edges, name: f"{key}{BETWEEN}{bound}"}}}


def _equal(key: str, value: str) -> Json:
    if key == PARTY:
        escaped = value.casefold().replace("\\", "\\\\").replace("*", "\\*").replace("?", "\\?")
        return {"wildcard": {"parties": {"value": f"*{escaped}*"}}}
    return {"term": {"pairs": _pair(key, value)}}


def _pair(key: str, value: str) -> str:
    folded = kind_key(value) if key == KIND else value.casefold()
    if len(folded) > LONGEST:
        folded = f"{folded[:LONGEST]}{BETWEEN}{sha256(folded.encode('utf-8', 'surrogatepass')).hexdigest()}"
    return f"{key}{BETWEEN}{folded}"


def _begun(key: str, value: str) -> str:
    """A pair whose value is compared from its beginning. A kind is kept for it as it is written, too."""
    return f"={key}{BETWEEN}{value.casefold()[:LONGEST]}" if key == KIND else _pair(key, value)


def _sortable(number: float) -> str:
    """A number as letters in the order of numbers.

    >>> sorted([2.5, -7.0, 10.0, -0.5], key=_sortable)
    [-7.0, -0.5, 2.5, 10.0]
    """
    bits = int.from_bytes(struct.pack(">d", number + 0.0), "big")
    return f"{bits ^ (0xFFFFFFFFFFFFFFFF if bits >> 63 else 1 << 63):016x}"


def _any(clauses: list[Json]) -> Json:
    return {"bool": {"should": clauses, "minimum_should_match": 1}}


def _not(clause: Json) -> Json:
    return {"bool": {"must_not": [clause]}}
