"""Documents ready to be stored: their units, their profile, and what users say of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from pincite.documents.hidden import with_hidden
from pincite.documents.profile import Profile, profile
from pincite.engine.contract import Store
from pincite.engine.records import DocumentRecord, File, PreparedDocument, PreparedFile, described
from pincite.engine.structure import STRUCTURE_VERSION
from pincite.index.metadata import Metadata
from pincite.postings.fragment import IndexedDocument
from pincite.segment import Segmenter
from pincite.text import Document
from pincite.text.units import Context, LoadedDocument, Units


@dataclass(frozen=True, slots=True)
class Preparation:
    """Prepares documents: what users said of them before, and over it what they say now."""

    segment: Segmenter
    before: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    metadata: Metadata = field(default_factory=Metadata)
    types: ClassVar[tuple[type, ...]] = (PreparedDocument, IndexedDocument, Profile, Units, Context)
    """What a prepared document consists of, beside the document."""

    def said(self, document_id: str) -> dict[str, str]:
        return self.metadata.of(document_id, self.before.get(document_id, {}))

    def __call__(self, document: Document) -> PreparedDocument:
        return prepared(document, self.said(document.id), self.segment)


def prepared(document: Document, said: Mapping[str, str], segment: Segmenter) -> PreparedDocument:
    """A document ready to be stored: what users say of it overrules what its reader and its first page say."""
    document = with_hidden(document)
    return _profiled(document, said, Units.of(segment(document)), STRUCTURE_VERSION)


def described_again(store: Store, file: File, said: Callable[[str], Mapping[str, str]]) -> PreparedFile:
    """A file whose documents are stored again with their texts and units, because users say other things of them.
    `said` gives what they say by the id of a document."""
    records = store.records_of(file.root, file.path)
    loaded = [store.load([record.id])[0] for record in records]
    return PreparedFile(
        file,
        tuple(
            _profiled(as_read(found, record), said(record.id), found.units, record.structure)
            for found, record in zip(loaded, records, strict=True)
        ),
    )


def described_as(prepared: PreparedDocument, said: Mapping[str, str]) -> PreparedDocument:
    """A document that was prepared without knowing what users say of it, and is described as they say."""
    document = replace(prepared.indexed.document, title=prepared.read_title, metadata=prepared.found)
    return _profiled(document, said, prepared.indexed.units, prepared.structure)


def as_read(loaded: LoadedDocument, record: DocumentRecord) -> Document:
    """A stored document as its reader gave it: with the reader's title and metadata, before anybody corrected them."""
    document = loaded.document
    return replace(document, title=record.read_title, metadata=record.found)


def _profiled(document: Document, said: Mapping[str, str], units: Units, structure: int) -> PreparedDocument:
    found = profile(replace(document, metadata={**document.metadata, **said}))
    metadata = described(said, document.metadata, found)
    indexed = IndexedDocument(replace(document, title=found.title, metadata=metadata), found, units)
    return PreparedDocument(indexed, dict(said), dict(document.metadata), document.title, structure)
