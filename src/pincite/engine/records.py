"""What an engine keeps a record of: files, the documents they gave, and small records of the server."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

from pincite.documents.profile import Profile
from pincite.engine.structure import STRUCTURE_VERSION
from pincite.postings.fragment import IndexedDocument
from pincite.text.conditions import MATTER
from pincite.text.document import DocumentKey

T = TypeVar("T")
TEXTS = "texts"
"""The matter of texts that programs add, unless they name another."""


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
        return {**described(self.metadata, self.found, self.profile), MATTER: self.matter}

    @property
    def matter(self) -> str:
        """The matter that it belongs to: the one that users name, or else the folder or file that was added."""
        return matter_of(self.metadata, self.root)


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
    is_whole: bool = True
    """Whether everything could be looked at; the faults say what could not."""


def matter_of(metadata: Mapping[str, str], root: str) -> str:
    """The matter of a document of which users say this, and which came from that root."""
    return metadata.get(MATTER) or root or TEXTS


def described(metadata: Mapping[str, str], found: Mapping[str, str], profile: Profile) -> dict[str, str]:
    """What filters see of a document: what its first page and its reader say, overruled by what users say. A document
    cannot say itself which matter it belongs to."""
    guessed = {
        "kind": profile.kind,
        "parties": "; ".join(profile.parties),
        "short_parties": "; ".join(profile.short_parties),
        "part": profile.part,
        "amends": profile.amends,
        "court": profile.court,
        "docket": profile.docket,
    }
    read = {key: value for key, value in found.items() if key != MATTER}
    known = {**guessed, **read, **metadata, "date": profile.iso_date}
    return {key: value for key, value in known.items() if value.strip("; ")}


_UNSEEN = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]")
"""Control characters, also those that change the direction of writing."""


def storable(text: str) -> str:
    r"""A name or message that can be stored and shown. What is not valid Unicode is escaped, and so are control
    characters and overrides of the direction of writing, which make a name look like another.

    >>> storable("caf\udce9.txt"), storable("invoice\u202efdp.exe")
    ('caf\\udce9.txt', 'invoice\\u202efdp.exe')
    """
    return _UNSEEN.sub(
        lambda found: found[0].encode("unicode_escape").decode("ascii"),
        text.encode("utf-8", "backslashreplace").decode("utf-8"),
    )
