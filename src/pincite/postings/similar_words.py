"""The word of a collection that is nearest in spelling to one that it does not hold."""

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from pincite.models.vocabulary import common_words
from pincite.postings.fragment import NAMED
from pincite.postings.fragments import Fragments

SHORTEST = 5
"""Shorter words are only read as a name of a document: too many others are near."""
SHORTEST_NAME = 4
LONG = 8
"""From this length on two letters may be wrong, below it one."""
MOST_COMPARED = 1_000_000
"""Words of a collection up to which spelling is compared."""
MOST_NEAR = 30
RARE, TYPO = 2, 30
"""A word in no more units than RARE is a typing error of the documents if a near one stands in TYPO times as many."""


class SimilarWord(NamedTuple):
    """A word near to another one; `is_stem` where only its stem is known."""

    word: str
    is_stem: bool = False


class SimilarWords:
    """The spelling of the words of some fragments: of names and first pages, and the stems of all texts."""

    def __init__(self, fragments: Fragments) -> None:
        self.fragments = fragments

    def nearest(self, word: str) -> SimilarWord | None:
        """The known word nearest to an unknown one; None where the word is known or English, or none is near."""
        if len(word) < SHORTEST_NAME or not word.isalpha() or word in common_words() or self._is_known(word):
            return None
        if len(self._words) + len(self._stems) > MOST_COMPARED:
            return None
        if len(word) < SHORTEST:
            return self._best(word, (other for other in self._near(word, self._words, 1) if self._is_name(other)))
        found = self._best(word, self._near(word, self._words))
        if self._held(word):
            return found if found and self._frequency(found.word) >= TYPO * self._held(word) else None
        stems = self.fragments.language.stems(word)
        if found is None and len(stems) == 1 and len(stems[0]) > SHORTEST:
            known = [other for other in self._near(stems[0], self._stems, 1) if self.fragments.frequency(other)]
            return SimilarWord(known[0], is_stem=True) if known else None
        return found

    def _near(self, word: str, words: list[str], most: int | None = None) -> list[str]:
        """The words near to one, the nearest first; they begin with the same letter."""
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        most = most or (2 if len(word) >= LONG else 1)
        found = process.extract(word, words, scorer=OSA.distance, score_cutoff=most, limit=MOST_NEAR)
        return [other for other, _, _ in sorted(found, key=lambda one: (one[1], one[0])) if other[0] == word[0]]

    def _best(self, word: str, near: Iterable[str]) -> SimilarWord | None:
        """The nearest one that some document still holds; of several a name, then the more frequent one."""
        from rapidfuzz.distance import OSA

        ranked = [
            (OSA.distance(word, other), not self._is_name(other), -_shared(word, other), -self._frequency(other), other)
            for other in near
        ]
        ranked = [one for one in ranked if one[3] < 0]
        return SimilarWord(min(ranked)[-1]) if ranked else None

    @cached_property
    def _words(self) -> list[str]:
        known: set[str] = set()
        for fragment in self.fragments.fragments:
            known.update(word for word in fragment.names.terms if len(word) >= SHORTEST_NAME and word.isalpha())
        return sorted(known)

    @cached_property
    def _stems(self) -> list[str]:
        known: set[str] = set()
        for fragment in self.fragments.fragments:
            known.update(stem for stem in fragment.units.terms if len(stem) >= SHORTEST_NAME and stem.isalpha())
        return sorted(known)

    def _is_known(self, word: str) -> bool:
        """Whether a document holds the word or is called by it."""
        return not self.fragments.language.stems(word) or self._held(word) > RARE or self._counted(word, NAMED) > 0

    def _held(self, word: str) -> int:
        """In how many units the stem of a word stands."""
        return max(map(self.fragments.frequency, self.fragments.language.stems(word)), default=0)

    def _frequency(self, word: str) -> int:
        """In how many units the stem of a word stands; more for a word of a name or a first page."""
        return sum(map(self.fragments.frequency, self.fragments.language.stems(word))) + self._counted(word)

    def _is_name(self, word: str) -> bool:
        return self._counted(word, NAMED) > 0

    def _counted(self, word: str, least: int = 1) -> int:
        """How many documents are called by a word, or hold it on their first page."""
        found = 0
        for fragment, first in zip(self.fragments.fragments, self.fragments.first_document.tolist(), strict=False):
            number = fragment.names.terms.get(word)
            if number is not None:
                places, counts = fragment.names.of(number)
                found += int(self.fragments.alive[places[counts >= least].astype("int64") + first].sum())
        return found


def _shared(word: str, other: str) -> int:
    """How many letters two words begin with in common."""
    return next((at for at, pair in enumerate(zip(word, other, strict=False)) if pair[0] != pair[1]), len(word))
