"""Which documents a phrase names, by the words of file names, titles, parties and first pages and their rarity."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pincite.retrieve.shelf import GRAM, NAMED, Shelf
from pincite.retrieve.shelves import Shelves

IN_NAME, RUN_TOGETHER, IN_HEAD = 1.0, 0.9, 0.55
"""How much a word counts in a file name, title or party; inside a run-together file name; on the first page."""

Called = tuple[NDArray[np.int64], NDArray[np.float64]]
"""Documents, in order, each with how much a word counts there."""


class Names:
    """What the documents on the shelves are called."""

    def __init__(self, shelves: Shelves) -> None:
        self.shelves = shelves
        self.count = shelves.document_count
        self._found: dict[str, Called] = {}

    def weights(self, word: str) -> Called:
        """The documents that a word may stand for, each with how much it counts there."""
        if word not in self._found:
            if len(self._found) > 4096:
                self._found.clear()
            self._found[word] = self._weights(word)
        return self._found[word]

    def _weights(self, word: str) -> Called:
        documents, weights = [np.zeros(0, np.int64)], [np.zeros(0)]
        for at, shelf in enumerate(self.shelves.shelves):
            here, counted = _called(shelf, word)
            documents.append(here + self.shelves.first_document[at])
            weights.append(counted)
        all_documents, all_weights = np.concatenate(documents), np.concatenate(weights)
        alive = self.shelves.alive[all_documents]
        return all_documents[alive], all_weights[alive]

    def names(self, word: str, document: int) -> bool:
        """Whether a word may stand for this document."""
        documents, _ = self.weights(word)
        place = int(np.searchsorted(documents, document))
        return place < len(documents) and int(documents[place]) == document

    def key(self, document: int) -> tuple[str, str]:
        """What decides between documents that are named equally well."""
        return self.shelves.keys[document]

    def rarity(self, word: str) -> int:
        """In how many documents' names (not first pages) a word stands; 0 where in none."""
        return int(np.count_nonzero(self.weights(word)[1] >= RUN_TOGETHER))

    def score(self, words: Mapping[str, float]) -> NDArray[np.float64]:
        """For every document the share of the words' rarity that its name and first page hold, from 0 to 1.

        The value of a word says how much it matters: a name more than a kind of agreement.
        """
        scores = np.zeros(len(self.shelves))
        total = 0.0
        for word, importance in words.items():
            documents, weights = self.weights(word)
            idf = importance * float(np.log(1 + self.count / max(1, len(documents))))
            total += idf
            scores[documents] += idf * weights
        return scores / total if total else scores


def _called(shelf: Shelf, word: str) -> Called:
    """The documents of one shelf that a word may stand for."""
    number = shelf.names.terms.get(word)
    documents, weights = np.zeros(0, np.int64), np.zeros(0)
    if number is not None:
        held, counts = shelf.names.of(number)
        documents, weights = held.astype(np.int64), np.where(counts >= NAMED, IN_NAME, IN_HEAD)
    inside = _run_together(shelf, word)
    if not len(inside):
        return documents, weights
    both = np.union1d(documents, inside)
    merged = np.zeros(len(both))
    merged[np.searchsorted(both, documents)] = weights
    places = np.searchsorted(both, inside)
    merged[places] = np.maximum(merged[places], RUN_TOGETHER)
    return both, merged


def _run_together(shelf: Shelf, word: str) -> NDArray[np.int64]:
    """The documents whose file name, run together, holds the word: all its pieces first, then the name itself."""
    if len(word) < GRAM:
        return np.zeros(0, np.int64)
    numbers = [shelf.grams.terms.get(word[at : at + GRAM]) for at in range(len(word) - GRAM + 1)]
    if None in numbers:
        return np.zeros(0, np.int64)
    rarest = min((shelf.grams.of(number)[0] for number in numbers if number is not None), key=len)
    found = [document for document in rarest.tolist() if word in shelf.squashed[document]]
    return np.array(found, dtype=np.int64)
