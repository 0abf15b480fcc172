"""Which documents a phrase names, by the words of file names, titles, parties and first pages and their rarity."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pincite.postings.fragment import GRAM, NAMED, Fragment
from pincite.postings.fragments import Fragments
from pincite.query.names import NamedDocument, NameStatistics

IN_NAME, RUN_TOGETHER, IN_HEAD = 1.0, 0.9, 0.55
"""How much a word counts in a file name, title or party; inside a run-together file name; on the first page."""

MOST_REMEMBERED = 4096
"""Words remembered with their documents."""

Called = tuple[NDArray[np.int64], NDArray[np.float64]]
"""Documents, in order, each with how much a word counts there."""


class DocumentNames:
    """What the documents of some fragments are called."""

    def __init__(self, fragments: Fragments) -> None:
        self.fragments = fragments
        self.count = fragments.document_count
        self._found: dict[str, Called] = {}

    def weights(self, word: str) -> Called:
        """The documents that a word may stand for, each with how much it counts there."""
        found = self._found.get(word)
        if found is None:
            if len(self._found) > MOST_REMEMBERED:
                self._found.clear()
            found = self._weights(word)
            self._found[word] = found
        return found

    def _weights(self, word: str) -> Called:
        documents, weights = [np.zeros(0, np.int64)], [np.zeros(0)]
        for at, fragment in enumerate(self.fragments.fragments):
            here, counted = _called(fragment, word)
            documents.append(here + self.fragments.first_document[at])
            weights.append(counted)
        all_documents, all_weights = np.concatenate(documents), np.concatenate(weights)
        alive = self.fragments.alive[all_documents]
        return all_documents[alive], all_weights[alive]

    def names(self, word: str, document: int) -> bool:
        """Whether a word may stand for this document."""
        documents, _ = self.weights(word)
        place = int(np.searchsorted(documents, document))
        return place < len(documents) and int(documents[place]) == document

    def statistics(self, word: str) -> NameStatistics:
        """How well a word tells documents apart by their names."""
        documents, weights = self.weights(word)
        named = int(np.count_nonzero(weights >= RUN_TOGETHER))
        return NameStatistics(len(documents), named, self.fragments.share_with(word) if named else 0.0)

    def best(self, words: Mapping[str, float], least: float, limit: int) -> list[NamedDocument]:
        """The documents that words with these weights name best, best first."""
        scores = self.score(words)
        best = float(scores.max()) if len(scores) else 0.0
        if best <= 0:
            return []
        keys = self.fragments.keys
        places = np.flatnonzero(scores >= least * best).tolist()
        places.sort(key=lambda place: (-scores[place], keys[place]))
        return [
            NamedDocument(keys[place], float(scores[place]), tuple(word for word in words if self.names(word, place)))
            for place in places[:limit]
        ]

    def score(self, words: Mapping[str, float]) -> NDArray[np.float64]:
        """For every document the share of the words' rarity that its name and first page hold, from 0 to 1.

        The value of a word says how much it matters: a name more than a kind of agreement.
        """
        scores = np.zeros(len(self.fragments))
        total = 0.0
        for word, importance in words.items():
            documents, weights = self.weights(word)
            idf = importance * float(np.log(1 + self.count / max(1, len(documents))))
            total += idf
            scores[documents] += idf * weights
        return scores / total if total else scores


def _called(fragment: Fragment, word: str) -> Called:
    """The documents of one fragment that a word may stand for."""
    number = fragment.names.terms.get(word)
    documents, weights = np.zeros(0, np.int64), np.zeros(0)
    if number is not None:
        named, counts = fragment.names.of(number)
        documents, weights = named.astype(np.int64), np.where(counts >= NAMED, IN_NAME, IN_HEAD)
    inside = _run_together(fragment, word)
    if not len(inside):
        return documents, weights
    both = np.union1d(documents, inside)
    merged = np.zeros(len(both))
    merged[np.searchsorted(both, documents)] = weights
    places = np.searchsorted(both, inside)
    merged[places] = np.maximum(merged[places], RUN_TOGETHER)
    return both, merged


def _run_together(fragment: Fragment, word: str) -> NDArray[np.int64]:
    """The documents whose file name, run together, holds the word: all its pieces first, then the name itself."""
    if len(word) < GRAM:
        return np.zeros(0, np.int64)
    numbers = [fragment.grams.terms.get(word[at : at + GRAM]) for at in range(len(word) - GRAM + 1)]
    if None in numbers:
        return np.zeros(0, np.int64)
    rarest = min((fragment.grams.of(number)[0] for number in numbers if number is not None), key=len)
    found = [document for document in rarest.tolist() if word in fragment.squashed[document]]
    return np.array(found, dtype=np.int64)
