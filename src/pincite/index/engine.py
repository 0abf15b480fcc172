"""What an engine is: where a collection of documents lives, can be changed and searched. The embedded one is the first.

An engine may keep its documents anywhere: nothing here hands out an array or a file of it.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pincite.documents.failures import Unreadable
from pincite.index.configuration import Configuration
from pincite.index.records import File, Listed
from pincite.models import Encoder, Progress
from pincite.retrieve import ContextConfig, SpanConfig
from pincite.retrieve.answers import Answer, Reading
from pincite.text import Document, Filter


@dataclass(frozen=True, slots=True)
class Incoming:
    """A file that was read, to be stored: its documents replace those that the same file gave before."""

    file: File
    documents: tuple[Document, ...]
    failures: tuple[Unreadable, ...] = ()
    metadata: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """What the user says of the documents, by id."""

    def said(self, document: Document) -> Mapping[str, str]:
        return self.metadata.get(document.id, {})


@dataclass(frozen=True, slots=True)
class Question:
    """A question with everything that may be set about its answer."""

    text: str
    k: int = 10
    where: Filter | None = None
    spans: SpanConfig = field(default_factory=SpanConfig)
    config: ContextConfig = field(default_factory=ContextConfig)
    """Weights of the parts, k1, b: free for every question."""
    dense: bool = True
    """False leaves the vectors out."""
    reading: Reading | None = None
    """Reads the best units again."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found: figures to show, what is wrong, and whether all is well."""

    figures: dict[str, str]
    faults: tuple[str, ...]


class Engine(ABC):
    """One collection. Changes are whole or do not happen; a search sees one state, the latest at its beginning."""

    @property
    @abstractmethod
    def configuration(self) -> Configuration:
        """The pipeline that the documents were prepared with."""

    @abstractmethod
    def roots(self) -> dict[str, str]:
        """The places that documents came from, by the name that begins their ids."""

    @abstractmethod
    def files(self, root: str | None = None) -> dict[tuple[str, str], File]:
        """The files that were read, by (root, path), also those that could not be."""

    @abstractmethod
    def documents(self) -> list[Listed]:
        """Every document without its text."""

    @abstractmethod
    def document(self, document_id: str) -> Document:
        """A document with its text, and its boxes where it has any."""

    @abstractmethod
    def resolve(self, name: str) -> str:
        """The id of the document that a name means: an id, or a part of an id or title that only one has."""

    @abstractmethod
    def matching(self, where: Filter) -> list[str]:
        """The ids of the documents that a filter admits; an unknown key is an error that lists the known ones."""

    @abstractmethod
    def put(self, files: Sequence[Incoming], root: str, root_path: str) -> None:
        """Stores what files gave, in one change."""

    @abstractmethod
    def note_files(self, files: Sequence[File]) -> None:
        """Notes that files were looked at again and hold what they held."""

    @abstractmethod
    def remove(self, document_ids: Iterable[str], *, purge: bool = False) -> int:
        """Removes the documents with these ids, in one change, and says how many. With `purge` no byte of their text is
        left; ids that are gone already are passed over then, so that a purge that was stopped can be finished."""

    @abstractmethod
    def forget_files(self, files: Iterable[tuple[str, str]]) -> int:
        """Removes files with all documents they gave, in one change, and says how many documents those were."""

    @abstractmethod
    def embed(self, encoder: Encoder, progress: Progress | None = None, name: str = "") -> int:
        """Makes the vectors that are missing, a batch after the other, and says for how many documents. `name` is what
        the encoder is loaded by, where that is not its own name."""

    @abstractmethod
    def tidy(self) -> None:
        """Brings recent changes into the shape that is searched fastest. Answers are the same before and after."""

    @abstractmethod
    def search(self, questions: Sequence[Question]) -> list[Answer]:
        """An answer for each question, all from one state."""

    @abstractmethod
    def check(self, *, repair: bool = False, questions: int = 200) -> Checked:
        """Compares everything with the truth, and measures the approximate search against the exact one."""

    @abstractmethod
    def close(self) -> None:
        """Lets go of files and locks."""
