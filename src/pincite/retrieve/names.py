"""Which documents a phrase names, by the words of file names, titles, parties and first pages and their rarity."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pincite.documents.profile import Profile
from pincite.text import Document

IN_NAME, RUN_TOGETHER, IN_HEAD = 1.0, 0.9, 0.55
"""How much a word counts in a file name, title or party; inside a run-together file name; on the first page."""

HEAD = 3000
SHORTEST_PART = 4
"""A word with fewer letters is not looked for inside run-together file names."""

_WORD = re.compile(r"[^\W_]+")
_SQUASH = re.compile(r"[\W_]+")


def name_words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


class Names:
    """An index of what documents are called."""

    def __init__(self, documents: Sequence[Document], profiles: Sequence[Profile]) -> None:
        self.count = len(documents)
        self._postings: defaultdict[str, dict[int, float]] = defaultdict(dict)
        self._squashed: list[str] = []
        for at, (document, profile) in enumerate(zip(documents, profiles, strict=True)):
            called = " ".join([*profile.file_words, profile.title, *profile.parties, *profile.short_names])
            for word in name_words(document.text[:HEAD]):
                self._postings[word][at] = IN_HEAD
            for word in name_words(called):
                self._postings[word][at] = IN_NAME
            self._squashed.append(_SQUASH.sub("", " ".join(profile.file_words)).lower())

    def weights(self, word: str) -> dict[int, float]:
        """The documents that a word may stand for, each with how much it counts there."""
        found = dict(self._postings.get(word, {}))
        if len(word) >= SHORTEST_PART:
            for at, squashed in enumerate(self._squashed):
                if word in squashed and found.get(at, 0.0) < RUN_TOGETHER:
                    found[at] = RUN_TOGETHER
        return found

    def rarity(self, word: str) -> int:
        """In how many documents' names (not first pages) a word stands; 0 where in none."""
        return sum(1 for weight in self.weights(word).values() if weight >= RUN_TOGETHER)

    def score(self, words: Mapping[str, float]) -> NDArray[np.float64]:
        """For every document the share of the words' rarity that its name and first page hold, from 0 to 1.

        The value of a word says how much it matters: a name more than a kind of agreement.
        """
        scores = np.zeros(self.count)
        total = 0.0
        for word, importance in words.items():
            found = self.weights(word)
            idf = importance * float(np.log(1 + self.count / max(1, len(found))))
            total += idf
            for at, weight in found.items():
                scores[at] += idf * weight
        return scores / total if total else scores
