"""The word of a collection that is nearest in spelling to one that it does not hold."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
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
ANYWHERE = 0
"""Counts the documents that hold a word anywhere, beside those that are called by it."""
MOST_COMPARED = 1_000_000
"""Words of a collection up to which spelling is compared."""
MOST_NEAR = 30
RARE, RARE_IN_ONE, TYPO = 2, 8, 8
"""A word in no more units than RARE, or RARE_IN_ONE of a single document, is a typing error of the documents if a near
one stands in TYPO times as many."""
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
        "rs",
        "ers",
        "ors",
        "ees",
        "e",
        "ds",
    ]
)
"""Words that differ by these are different words, not typing errors."""
FORMS = ("er", "ers", "or", "ors", "ee", "ees", "ise", "ised", "ize", "able", "ness", "less", "like", "y")
"""What makes another word of an English word: "funder", "finalise"."""
OPENINGS = ("out", "over", "under", "un", "re", "non", "sub", "pre", "co", "de", "dis", "mis", "inter", "up", "off")
ALIKE = (frozenset("aeiouy"), frozenset("szc"), frozenset("ckq"), frozenset("mn"), frozenset("gj"), frozenset("fv"))
"""Letters that are mistaken for each other."""


_VOWEL_OF_ENDING = re.compile(r"[aeiou](?=(?:nc(?:e|es|y|ies)|nts?|bl[ey]|bility|rs?)$)")
"""The vowel of an ending that is often mistaken for another: severance, subcontractor, payable."""


class Vocabulary(Protocol):
    """What comparing spellings needs of a collection."""

    @property
    def language(self) -> Language: ...

    def frequency(self, stem: str) -> int:
        """In how many units a stem occurs."""

    def counted(self, word: str, least: int = 1) -> int:
        """How many documents are called by a word, or hold it on their first page; with `NAMED` only the former, with
        `ANYWHERE` those, too, whose text holds it so spelt, as far as that is known."""

    def spelt_like(self, word: str, most: int) -> Sequence[str]:
        """The words of names and texts that differ from one in at most so many letters, or a few more."""


class SimilarWords:
    """The spelling of the words of a collection: of the names of documents, and of their texts."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary

    def nearest(self, word: str) -> str:
        """The known word nearest to an unknown one; "" where the word is known or English, or none is near."""
        if len(word) < SHORTEST_NAME or not word.isalpha() or word in common_words() or self._is_known(word):
            return ""
        is_form = self._is_form(word)
        near = [other for other in self._near(word) if self._may_be_meant(word, other, is_form=is_form)]
        found = self._best(word, near)
        held = self._held(word) if self.vocabulary.counted(word, ANYWHERE) else 0
        return found if not held or self._frequency(found) >= TYPO * held else ""

    def _near(self, word: str) -> list[str]:
        """The words near to one that begin with the same letter; to a short one only names."""
        most = _most(word)
        spelt = dict.fromkeys((*self.vocabulary.spelt_like(word, most), *_english_like(word, most)))
        near = [other for other in spelt if other[0] == word[0] and other != word]
        return near if len(word) >= SHORTEST else [other for other in near if self._is_name(other)]

    def _may_be_meant(self, word: str, other: str, *, is_form: bool) -> bool:
        """Whether one word can be a typing error for another. One that is built like a word, "sublets" or "funder", can
        only be an error for the same word: "severence"."""
        if _sounds_alike(word, other):
            return True
        if is_form:
            stems = self.vocabulary.language.stems
            return stems(word) == stems(other) and not _is_inflected(word, other)
        return self._is_name(other) or not _is_inflected(word, other)

    def _is_form(self, word: str) -> bool:
        """Whether a word that no document holds is another form of one that is held, or of an English word."""
        if self.vocabulary.counted(word, ANYWHERE):
            return False
        stems = self.vocabulary.language.stems(word)
        if any(map(self.vocabulary.frequency, stems)) or _english_stems(self.vocabulary.language).issuperset(stems):
            return True
        bare = [word.removesuffix(ending) for ending in FORMS if word.endswith(ending)]
        bare += [word.removesuffix("s")[:-1]] if word.endswith(("er", "ers")) else []  # a coder codes
        bare += [word.removeprefix(opening) for opening in OPENINGS if word.startswith(opening)]
        return any(len(base) >= SHORTEST_NAME and base in common_words() for base in bare)

    def _best(self, word: str, near: Iterable[str]) -> str:
        """The nearest one that some document still holds; of several a name, then one that lacks no letter that was
        typed, then the more frequent one. A name that is no English word may differ in any letters, other words only as
        people mistype them."""
        from rapidfuzz.distance import OSA

        ranked, most = [], 1 if self.vocabulary.counted(word, ANYWHERE) else _most(word)
        for other in near:
            is_name = self._is_name(other)
            is_strange = is_name and other not in common_words()
            cost = OSA.distance(word, other) if is_strange else typing_cost(word, other)
            lacking = (Counter(word) - Counter(other)).total()
            if cost <= most and (is_strange or not lacking or len(word) != SHORTEST):
                ranked.append((cost, not is_name, lacking, -_shared(word, other), -self._frequency(other), other))
        ranked = [one for one in ranked if one[-2] < 0]
        return min(ranked)[-1] if ranked else ""

    def _is_known(self, word: str) -> bool:
        """Whether a document is called by the word, or documents hold it so spelt, and several units."""
        if not self.vocabulary.language.stems(word) or self._is_name(word):
            return True
        documents = self.vocabulary.counted(word, ANYWHERE)
        return documents > 0 and self._held(word) > (RARE if documents > 1 else RARE_IN_ONE)

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
        """How many documents are called by a word, or hold it on their first page, or anywhere."""
        found = 0
        for fragment, first in zip(self.fragments.fragments, self.fragments.first_document.tolist(), strict=False):
            for postings in (fragment.names, fragment.spellings) if least == ANYWHERE else (fragment.names,):
                number = postings.terms.get(word)
                if number is not None:
                    places, counts = postings.of(number)
                    found += int(self.fragments.alive[places[counts >= least].astype("int64") + first].sum())
        return found

    def spelt_like(self, word: str, most: int) -> Sequence[str]:
        return _extract(word, self._words, most) if len(self._words) <= MOST_COMPARED else []

    @cached_property
    def _words(self) -> list[str]:
        """The words of names, first pages and texts. Words that only documents hold which are gone, or must not be
        seen, would stand in the way of others."""
        known: set[str] = set()
        for fragment, first in zip(self.fragments.fragments, self.fragments.first_document.tolist(), strict=False):
            alive = self.fragments.alive[first : first + len(fragment)]
            for postings in (fragment.names, fragment.spellings):
                counted = np.concatenate(([0], np.cumsum(alive[postings.units])))
                held = np.diff(counted[postings.first]) > 0
                known.update(
                    word for word, here in zip(postings.terms, held, strict=True) if here and _may_be_near(word)
                )
        return sorted(known)


def _most(word: str) -> int:
    """How many letters of a word may be wrong."""
    return 2 if len(word) >= LONG else 1


def typing_cost(typed: str, meant: str) -> int:
    """How unlikely a word was typed for another: 1 for each letter that is left out, doubled, swapped with the next or
    mistaken for one that sounds alike; 2 for any other letter too many or mistaken.

    >>> typing_cost("tennant", "tenant"), typing_cost("recieve", "receive"), typing_cost("hawzer", "hawser")
    (1, 1, 1)
    >>> typing_cost("parity", "party"), typing_cost("poach", "porch")
    (2, 2)
    """
    rows = [list(range(len(meant) + 1))]
    for at, letter in enumerate(typed, start=1):
        surplus = 1 if at > 1 and letter == typed[at - 2] else 2
        row = [rows[-1][0] + surplus]
        for to, other in enumerate(meant, start=1):
            swapped = at > 1 and to > 1 and letter == meant[to - 2] and other == typed[at - 2]
            wrong = 0 if letter == other else 1 if any({letter, other} <= alike for alike in ALIKE) else 2
            costs = [rows[-1][to] + surplus, row[-1] + 1, rows[-1][to - 1] + wrong]
            row.append(min([*costs, rows[-2][to - 2] + 1] if swapped else costs))
        rows.append(row)
    return rows[-1][-1]


@cache
def _english_stems(language: Language) -> frozenset[str]:
    """The stems of the common English words."""
    return frozenset(language.stems(" ".join(sorted(common_words()))))


def _english_like(word: str, most: int) -> list[str]:
    """The common English words that differ from one in at most so many letters."""
    return _extract(word, _english(), most)


@cache
def _english() -> list[str]:
    return sorted(word for word in common_words() if _may_be_near(word))


def _extract(word: str, words: Sequence[str], most: int) -> list[str]:
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    found = process.extract(word, words, scorer=OSA.distance, score_cutoff=most, limit=MOST_NEAR)
    return [other for other, _, _ in found]


def _may_be_near(word: str) -> bool:
    return len(word) >= SHORTEST_NAME and word.isalpha()


def _sounds_alike(word: str, other: str) -> bool:
    """Whether two words differ in the vowel of an ending alone: "subcontracter" for "subcontractor"."""
    return _VOWEL_OF_ENDING.sub("_", word) == _VOWEL_OF_ENDING.sub("_", other)


def _is_inflected(word: str, other: str) -> bool:
    """Whether two words are the same but for an ending: "repaid" is no error for "repair"."""
    shared = _shared(word, other)
    one, two = sorted((word[shared:], other[shared:]), key=len)
    if (one, two) == ("", "e"):
        return False
    return one in ENDINGS and two in ENDINGS and (not one or one not in two or two.endswith("s"))


def _shared(word: str, other: str) -> int:
    """How many letters two words begin with in common."""
    return next(
        (at for at, pair in enumerate(zip(word, other, strict=False)) if pair[0] != pair[1]), min(len(word), len(other))
    )
