"""Serialisation of everything that crosses the engine contract: JSON that any transport can carry."""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from pincite.documents.profile import Profile
from pincite.engine import contract, records, unit_vectors
from pincite.engine.configuration import Configuration
from pincite.errors import DataError
from pincite.postings.fragment import IndexedDocument
from pincite.query.names import NameCandidate, NameEvidence, NameStatistics
from pincite.text import Document, Filter, Source
from pincite.text.boxes import Boxes
from pincite.text.document import DocumentKey
from pincite.text.units import Context, LoadedDocument, Units

TYPE, VALUE = "type", "value"

CROSSING: dict[str, type] = {
    kind.__name__: kind
    for kind in (
        *(contract.Capabilities, contract.CollectionStatistics, contract.TermStatistics, contract.Scope),
        *(contract.RankedDocument, contract.CandidateUnits, unit_vectors.QuantisedVectors, Configuration),
        *(records.Page, records.File, records.Root, records.PreparedDocument, records.PreparedFile),
        *(records.DocumentRecord, records.StoredRecord, records.MissingVectors, records.CheckReport),
        *(
            Profile,
            IndexedDocument,
            NameCandidate,
            NameEvidence,
            NameStatistics,
            Document,
            Filter,
            Source,
            Boxes,
            DocumentKey,
        ),
        *(Context, LoadedDocument, Units),
    )
}
"""The types that cross the contract, by name."""


def dump(value: Any) -> bytes:
    """A value as bytes.

    >>> load(dump(DocumentKey("5e88", "quay.txt")))
    DocumentKey(sha256='5e88', id='quay.txt')
    """
    return json.dumps(_encoded(value)).encode("ascii")


def load(data: bytes) -> Any:
    """The value that `dump` was given."""
    return _decoded(json.loads(data))


def _encoded(value: Any) -> Any:
    if value is None or isinstance(value, str | bool | int | float):
        return value.item() if isinstance(value, np.generic) else value
    if isinstance(value, np.ndarray):
        content = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode("ascii")
        return {TYPE: "array", VALUE: [value.dtype.str, list(value.shape), content]}
    if isinstance(value, bytes):
        return {TYPE: "bytes", VALUE: base64.b64encode(value).decode("ascii")}
    name = type(value).__name__
    if CROSSING.get(name) is type(value):
        names = [field.name for field in fields(value)] if is_dataclass(value) else getattr(value, "_fields", ())
        return {TYPE: name, VALUE: [_encoded(getattr(value, field)) for field in names]}
    if isinstance(value, Mapping):
        return {TYPE: "map", VALUE: [[_encoded(key), _encoded(entry)] for key, entry in value.items()]}
    if isinstance(value, tuple):
        return {TYPE: "tuple", VALUE: [_encoded(entry) for entry in value]}
    if isinstance(value, set | frozenset):
        return {TYPE: "set", VALUE: sorted((_encoded(entry) for entry in value), key=json.dumps)}
    if isinstance(value, Sequence):
        return [_encoded(entry) for entry in value]
    if isinstance(value, np.generic):
        return value.item()
    raise DataError(f"a value of the type {name} cannot cross the engine contract")


def _decoded(value: Any) -> Any:
    if isinstance(value, list):
        return [_decoded(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    name, content = value[TYPE], value[VALUE]
    match name:
        case "array":
            kind, shape, packed = content
            return np.frombuffer(base64.b64decode(packed), dtype=kind).reshape(shape).copy()
        case "bytes":
            return base64.b64decode(content)
        case "map":
            return {_decoded(key): _decoded(entry) for key, entry in content}
        case "tuple":
            return tuple(_decoded(entry) for entry in content)
        case "set":
            return frozenset(_decoded(entry) for entry in content)
    return CROSSING[name](*(_decoded(entry) for entry in content))
