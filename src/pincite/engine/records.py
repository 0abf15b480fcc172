"""What an engine keeps a record of: files, the documents they gave, and small records of the server."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

from pincite.documents.profile import Profile
from pincite.engine.structure import STRUCTURE_VERSION
from pincite.postings.fragment import IndexedDocument
from pincite.text.document import DocumentKey

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some entries of a longer list; `next` is the cursor of the following page, "" on the last one."""

    items: Sequence[T]
    next: str = ""


class File(NamedTuple):
    """A file that was read: what it was like then, what of it could not be read, and what else was noticed."""

    root: str
    path: str
    size: int
    modified: int
    sha256: str
    failures: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Root(NamedTuple):
    """A folder or file that was added: the name that begins the ids of its documents, and where it lies."""

    name: str
    path: str


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A document ready to be stored."""

    indexed: IndexedDocument
    metadata: Mapping[str, str] = field(default_factory=dict)
    """What users say of it."""
    found: Mapping[str, str] = field(default_factory=dict)
    """What its reader found out, such as the date and sender of an e-mail."""
    read_title: str = ""
    """The title that its reader gave, which stands in again when a correction is taken back."""
    structure: int = STRUCTURE_VERSION
    """The version of what was made of it."""


@dataclass(frozen=True, slots=True)
class PreparedFile:
    """A file ready to be stored: its documents replace those that it gave before."""

    file: File
    documents: tuple[PreparedDocument, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """A document without its text."""

    number: int
    """Its place in the order in which documents were added."""
    id: str
    root: str
    path: str
    title: str
    metadata: Mapping[str, str]
    """What users say of it."""
    found: Mapping[str, str]
    """What its reader found out, such as the date and sender of an e-mail."""
    profile: Profile
    sha256: str
    added: str
    pages: int
    characters: int
    unit_count: int
    has_vectors: bool
    read_title: str = ""
    """The title that its reader gave."""
    structure: int = STRUCTURE_VERSION
    """The version of what was made of it."""

    @property
    def key(self) -> DocumentKey:
        return DocumentKey(self.sha256, self.id)

    @property
    def described(self) -> dict[str, str]:
        """What filters see."""
        return described(self.metadata, self.found, self.profile)


class StoredRecord(NamedTuple):
    """A small record, such as a key or a job. `version` counts its changes."""

    key: str
    value: str
    version: int


class MissingVectors(NamedTuple):
    """A document whose units are not embedded yet."""

    id: str
    units: int


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What a check found: figures to show, and what is wrong."""

    figures: Mapping[str, str]
    faults: tuple[str, ...] = ()


def described(metadata: Mapping[str, str], found: Mapping[str, str], profile: Profile) -> dict[str, str]:
    """What filters see of a document: what its first page and its reader say, overruled by what users say."""
    guessed = {
        "kind": profile.kind,
        "parties": "; ".join(profile.parties),
        "short_parties": "; ".join(profile.short_parties),
        "part": profile.part,
        "amends": profile.amends,
        "court": profile.court,
        "docket": profile.docket,
    }
    known = {**guessed, **found, **metadata, "date": profile.iso_date}
    return {key: value for key, value in known.items() if value.strip("; ")}


def storable(text: str) -> str:
    """A name or message that can be stored, also where a file name is not valid Unicode.

    >>> storable("caf\\udce9.txt")
    'caf\\\\udce9.txt'
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
