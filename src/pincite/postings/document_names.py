"""Which documents words may name: by file names, titles, parties, first pages, and rare words of the text."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pincite.postings.fragment import GRAM, NAMED, Fragment, pieces_of
from pincite.postings.fragments import Fragments
from pincite.query.names import IN_BODY, IN_HEAD, IN_NAME, RUN_TOGETHER, NameStatistics

RARE, RARE_SHARE = 3, 0.02
"""A word of the text may name its documents if no more than this many hold it, or this share of all."""
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
        named, counted = np.concatenate(documents), np.concatenate(weights)
        alive = self.fragments.alive[named]
        return _greater((named[alive], counted[alive]), self._rare(word))

    def _rare(self, word: str) -> Called:
        """The documents whose text holds a word that stands in few."""
        none = np.zeros(0, np.int64), np.zeros(0)
        stems = self.fragments.language.stems(word)
        holding = self.fragments.share_with(word) * self.count
        if len(stems) != 1 or not 0 < holding <= max(RARE, RARE_SHARE * self.count):
            return none
        documents = self.fragments.documents_holding(stems)
        return documents, np.full(len(documents), IN_BODY)

    def statistics(self, word: str) -> NameStatistics:
        """How well a word tells documents apart."""
        documents, weights = self.weights(word)
        named = int(np.count_nonzero(weights >= RUN_TOGETHER))
        return NameStatistics(len(documents), named, self.fragments.share_with(word))

    def best(self, words: Sequence[str], limit: int) -> tuple[list[int], NDArray[np.float64]]:
        """The places of the documents that these words speak for, rare words more than common ones, at most `limit`,
        and for each word how much it counts there."""
        scores = np.zeros(len(self.fragments))
        for word in words:
            documents, weights = self.weights(word)
            scores[documents] += weights * np.log(1 + self.count / max(1, len(documents)))
        keys = self.fragments.keys
        places = np.flatnonzero(scores)
        if len(places) > limit:
            bound = np.partition(scores[places], len(places) - limit)[len(places) - limit]
            places = places[scores[places] >= bound]
        chosen = sorted(places.tolist(), key=lambda place: (-scores[place], keys[place]))[:limit]
        counted = np.zeros((len(words), len(chosen)))
        for row, word in zip(counted, words, strict=True):
            row[:] = _at(self.weights(word), chosen)
        return chosen, counted


def _at(called: Called, places: Sequence[int]) -> NDArray[np.float64]:
    """How much a word counts at these places."""
    documents, weights = called
    if not len(documents):
        return np.zeros(len(places))
    found = np.minimum(np.searchsorted(documents, places), len(documents) - 1)
    return np.where(documents[found] == places, weights[found], 0.0)


def _greater(one: Called, other: Called) -> Called:
    """The documents of both, each with the greater weight."""
    if not len(other[0]):
        return one
    both = np.union1d(one[0], other[0])
    weights = np.zeros(len(both))
    for documents, counted in (one, other):
        places = np.searchsorted(both, documents)
        weights[places] = np.maximum(weights[places], counted)
    return both, weights


def _called(fragment: Fragment, word: str) -> Called:
    """The documents of one fragment whose name or first page holds a word."""
    number = fragment.names.terms.get(word)
    documents, weights = np.zeros(0, np.int64), np.zeros(0)
    if number is not None:
        named, counts = fragment.names.of(number)
        documents, weights = named.astype(np.int64), np.where(counts >= NAMED, IN_NAME, IN_HEAD)
    inside = _run_together(fragment, word)
    return _greater((documents, weights), (inside, np.full(len(inside), RUN_TOGETHER)))


def _run_together(fragment: Fragment, word: str) -> NDArray[np.int64]:
    """The documents whose file name, run together, holds the word: all its pieces first, then the name itself."""
    if len(word) < GRAM:
        return np.zeros(0, np.int64)
    numbers = [fragment.grams.terms.get(piece) for piece in pieces_of(word)]
    if None in numbers:
        return np.zeros(0, np.int64)
    rarest = min((fragment.grams.of(number)[0] for number in numbers if number is not None), key=len)
    found = [document for document in rarest.tolist() if word in fragment.squashed[document]]
    return np.array(found, dtype=np.int64)
