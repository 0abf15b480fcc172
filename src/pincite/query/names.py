"""What a collection knows about the words of a question as names of documents."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from pincite.text.document import DocumentKey


class NameStatistics(NamedTuple):
    """How a word tells documents apart."""

    documents: int = 0
    """How many documents it may stand for, by their names or first pages."""
    named: int = 0
    """How many have it in their file name, title or parties."""
    share: float = 0.0
    """The share of all documents whose text holds it; 0 for a word that names no document."""


class NamedDocument(NamedTuple):
    """A document that words name: how much of what they say it holds, from 0 to 1, and which of them."""

    key: DocumentKey
    score: float
    words: tuple[str, ...]


class NameEvidence(Protocol):
    """What parsing a question needs of a collection."""

    @property
    def document_count(self) -> int:
        """How many documents there are."""

    def name_statistics(self, words: Iterable[str]) -> Mapping[str, NameStatistics]:
        """The statistics of each word."""

    def documents_named(self, words: Mapping[str, float], least: float, limit: int) -> Sequence[NamedDocument]:
        """The documents that words with these weights name best, best first, at most `limit`; each has at least the
        share `least` of the best one's score."""
