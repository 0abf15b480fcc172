"""Serialisation of everything that crosses the engine contract: JSON that any transport can carry."""

from typing import Any

from pincite.documents.profile import Profile
from pincite.engine import contract, records, unit_vectors
from pincite.engine.configuration import Configuration
from pincite.postings.fragment import IndexedDocument
from pincite.query.names import NameCandidate, NameEvidence, NameStatistics
from pincite.text import Document, Filter, Source
from pincite.text.boxes import Boxes
from pincite.text.document import DocumentKey
from pincite.text.typed_json import TypedJson
from pincite.text.units import Context, LoadedDocument, Units

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


_CODEC = TypedJson(CROSSING.values())


def dump(value: Any) -> bytes:
    """A value as bytes.

    >>> load(dump(DocumentKey("5e88", "quay.txt")))
    DocumentKey(sha256='5e88', id='quay.txt')
    """
    return _CODEC.dump(value)


def load(data: bytes) -> Any:
    """The value that `dump` was given."""
    return _CODEC.load(data)
