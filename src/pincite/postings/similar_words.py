"""The word of a collection that is nearest in spelling to one that it does not hold."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Protocol

import numpy as np

from pincite.models.vocabulary import common_words
from pincite.postings.fragment import NAMED
from pincite.postings.fragments import Fragments
from pincite.text.language import Language

SHORTEST = 5
"""Shorter words are only read as a name of a document: too many others are near."""
SHORTEST_NAME = 4
LONG = 8
"""From this length on two letters may be wrong, below it one."""
MOST_COMPARED = 1_000_000
"""Words of a collection up to which spelling is compared."""
MOST_NEAR = 30
RARE, TYPO = 2, 8
"""A word in no more units than RARE is a typing error of the documents if a near one stands in TYPO times as many."""
ENDINGS = frozenset(
    [
        "",
        "s",
        "es",
        "d",
        "ed",
        "r",
        "er",
        "or",
        "ee",
        "y",
        "ies",
        "ing",
        "al",
        "ly",
        "t",
        "ant",
        "ent",
        "ment",
        "able",
        "ion",
    ]
)
"""Words that differ by these are different words, not typing errors."""


class Vocabulary(Protocol):
    """What comparing spellings needs of a collection."""

    @property
    def language(self) -> Language: ...

    def frequency(self, stem: str) -> int:
        """In how many units a stem occurs."""

    def counted(self, word: str, least: int = 1) -> int:
        """How many documents are called by a word, or hold it on their first page; with `NAMED` only the former."""

    def spelt_like(self, word: str, most: int) -> Sequence[str]:
        """The words of names and first pages that differ from one in at most so many letters, or a few more."""


class SimilarWords:
    """The spelling of the words by which documents are called, and of their first pages."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary

    def nearest(self, word: str) -> str:
        """The known word nearest to an unknown one; "" where the word is known or English, or none is near."""
        if len(word) < SHORTEST_NAME or not word.isalpha() or word in common_words() or self._is_known(word):
            return ""
        near = [other for other in self._near(word) if self._is_name(other) or not _is_inflected(word, other)]
        if len(word) < SHORTEST:
            return self._best(word, (other for other in near if self._is_name(other)))
        found = self._best(word, near)
        held = self._held(word)
        return found if not held or self._frequency(found) >= TYPO * held else ""

    def _near(self, word: str) -> list[str]:
        """The words near to one that begin with the same letter."""
        near = self.vocabulary.spelt_like(word, 2 if len(word) >= LONG else 1)
        return [other for other in near if other[0] == word[0] and other != word]

    def _best(self, word: str, near: Iterable[str]) -> str:
        """The nearest one that some document still holds; of several a name, then the more frequent one."""
        from rapidfuzz.distance import OSA

        ranked = [
            (OSA.distance(word, other), not self._is_name(other), -_shared(word, other), -self._frequency(other), other)
            for other in near
        ]
        ranked = [one for one in ranked if one[3] < 0]
        return min(ranked)[-1] if ranked else ""

    def _is_known(self, word: str) -> bool:
        """Whether a document is called by the word, or several units hold it."""
        stems = self.vocabulary.language.stems(word)
        return not stems or self._held(word) > RARE or self.vocabulary.counted(word, NAMED) > 0

    def _held(self, word: str) -> int:
        """In how many units, or on how many first pages, the stem of a word stands."""
        units = max(map(self.vocabulary.frequency, self.vocabulary.language.stems(word)), default=0)
        return max(units, self.vocabulary.counted(word))

    def _frequency(self, word: str) -> int:
        """In how many units the stem of a word stands; more for a word of a name or a first page."""
        return sum(map(self.vocabulary.frequency, self.vocabulary.language.stems(word))) + self.vocabulary.counted(word)

    def _is_name(self, word: str) -> bool:
        return self.vocabulary.counted(word, NAMED) > 0


class FragmentVocabulary:
    """The words of some fragments."""

    def __init__(self, fragments: Fragments) -> None:
        self.fragments = fragments
        self.language = fragments.language
        self.frequency = fragments.frequency

    def counted(self, word: str, least: int = 1) -> int:
        """How many documents are called by a word, or hold it on their first page."""
        found = 0
        for fragment, first in zip(self.fragments.fragments, self.fragments.first_document.tolist(), strict=False):
            number = fragment.names.terms.get(word)
            if number is not None:
                places, counts = fragment.names.of(number)
                found += int(self.fragments.alive[places[counts >= least].astype("int64") + first].sum())
        return found

    def spelt_like(self, word: str, most: int) -> Sequence[str]:
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        if len(self._words) > MOST_COMPARED:
            return []
        found = process.extract(word, self._words, scorer=OSA.distance, score_cutoff=most, limit=MOST_NEAR)
        return [other for other, _, _ in found]

    @cached_property
    def _words(self) -> list[str]:
        """The words by which documents are called, and those of their first pages. Words that only documents hold which
        are gone, or must not be seen, would stand in the way of others."""
        known: set[str] = set()
        for fragment, first in zip(self.fragments.fragments, self.fragments.first_document.tolist(), strict=False):
            names = fragment.names
            alive = self.fragments.alive[first : first + len(fragment)]
            counted = np.concatenate(([0], np.cumsum(alive[names.units])))
            held = np.diff(counted[names.first]) > 0
            known.update(word for word, here in zip(names.terms, held, strict=True) if here and _may_be_near(word))
        return sorted(known)


def _may_be_near(word: str) -> bool:
    return len(word) >= SHORTEST_NAME and word.isalpha()


def _is_inflected(word: str, other: str) -> bool:
    """Whether two words are the same but for an ending: "repaid" is no error for "repair"."""
    shared = _shared(word, other)
    one, two = sorted((word[shared:], other[shared:]), key=len)
    return one in ENDINGS and two in ENDINGS and (not one or one not in two)


def _shared(word: str, other: str) -> int:
    """How many letters two words begin with in common."""
    return next(
        (at for at, pair in enumerate(zip(word, other, strict=False)) if pair[0] != pair[1]), min(len(word), len(other))
    )
