"""What a collection knows about the words of a question as names of documents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from pincite.text.document import DocumentKey

IN_NAME, RUN_TOGETHER, IN_HEAD, IN_BODY = 1.0, 0.9, 0.55, 0.3
"""How much a word counts in a file name, title or party; inside a run-together file name; on the first page; and a rare
word anywhere in the text."""


class NameStatistics(NamedTuple):
    """How a word tells documents apart."""

    documents: int = 0
    """How many documents it may stand for: by their names or first pages, or as a rare word of their texts."""
    named: int = 0
    """How many have it in their file name, title or parties."""
    share: float = 0.0
    """The share of all documents whose text holds it."""


class NameCandidate(NamedTuple):
    """A document that words of a question may name, with what is known of it beside its names."""

    key: DocumentKey
    kind: str = ""
    year: str = ""


@dataclass(frozen=True, eq=False)
class NameEvidence:
    """The documents that the words of a question may name, and what speaks for each."""

    words: tuple[str, ...]
    statistics: tuple[NameStatistics, ...]
    """Of each word."""
    documents: tuple[NameCandidate, ...]
    weights: NDArray[np.float64]
    """A row for each word: how much it counts as a name of each document."""


class NameSource(Protocol):
    """What parsing a question needs of a collection."""

    @property
    def document_count(self) -> int:
        """How many documents there are."""

    def name_evidence(self, words: Sequence[str], limit: int) -> NameEvidence:
        """The documents that these words may name, at most `limit`, the likeliest ones."""

    def best_passages(self, question: str, documents: Sequence[DocumentKey]) -> Sequence[float]:
        """For each of these documents how well the words of its best passage match those of a question."""

    def similar_words(self, words: Sequence[str]) -> Mapping[str, str]:
        """For words that no document holds: the word nearest in spelling that some document holds, if one is near."""
