"""What an engine keeps a record of: the files that were read, and the documents they gave, without their texts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pincite.documents.profile import Profile


class File(NamedTuple):
    """A file that was read: what it was like then, and what of it could not be read."""

    root: str
    path: str
    size: int
    modified: int
    sha256: str
    failures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Listed:
    """A document in the list of an index."""

    number: int
    id: str
    root: str
    path: str
    title: str
    metadata: Mapping[str, str]
    """What the user said of it."""
    found: Mapping[str, str]
    """What its reader found out, such as the date and sender of an e-mail."""
    profile: Profile
    sha256: str
    added: str
    pages: int
    characters: int
    unit_count: int
    has_vectors: bool

    @property
    def described(self) -> dict[str, str]:
        return described(self.metadata, self.found, self.profile)


def described(metadata: Mapping[str, str], found: Mapping[str, str], profile: Profile) -> dict[str, str]:
    """What filters see of a document: what its first page and its reader say, and over it what the user said."""
    guessed = {"kind": profile.kind, "parties": "; ".join(profile.parties)}
    return {key: value for key, value in {**guessed, **found, **metadata, "date": profile.iso_date}.items() if value}


def storable(text: str) -> str:
    """A name or message that can be stored, also where a file's name is no Unicode.

    >>> storable("caf\\udce9.txt")
    'caf\\\\udce9.txt'
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
