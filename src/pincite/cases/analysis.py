"""Analysis: the text of a case becomes terms (words, stems, pairs of words) without stop words."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from pincite.errors import one_of
from pincite.text.stopwords import NLTK_ENGLISH

_WORD = re.compile(r"[^\W_]+")
LUCENE_ENGLISH = frozenset(
    _WORD.findall(
        "a an and are as at be but by for if in into is it no not of on or such that the their then there these they "
        "this to was will with"
    )
)
"""The 33 stop words of Lucene's English analyser."""

STEMMERS = ("porter", "english", "none")
"""The names of the stemmers; "english" is Snowball's."""
STOP_WORDS: dict[str, frozenset[str]] = {"lucene": LUCENE_ENGLISH, "nltk": NLTK_ENGLISH, "none": frozenset()}
"""The lists of stop words by name."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """How the words of a text become terms."""

    stemmer: str = "porter"
    stop_words: str = "lucene"
    bigrams: bool = False
    """Adds pairs of neighbouring terms."""

    def __post_init__(self) -> None:
        if self.stemmer not in STEMMERS:
            raise one_of("stemmer", self.stemmer, STEMMERS)
        if self.stop_words not in STOP_WORDS:
            raise one_of("list of stop words", self.stop_words, list(STOP_WORDS))

    def terms(self, text: str) -> list[str]:
        """The terms of a text in order, followed by the pairs where they are wanted.

        >>> Analysis().terms("The appeals were dismissed.")
        ['appeal', 'were', 'dismiss']
        """
        terms = _terms(self.stemmer, self.stop_words)
        found = [term for word in _WORD.findall(text.lower()) if (term := terms[word])]
        if self.bigrams:
            found += [f"{one} {two}" for one, two in pairwise(found)]
        return found


class _TermCache(dict[str, str]):
    """The term of each word, computed once; "" for a stop word."""

    def __init__(self, stem: Callable[[str], str], stop: frozenset[str]) -> None:
        self.stem, self.stop = stem, stop

    def __missing__(self, word: str) -> str:
        term = "" if word in self.stop else self.stem(word)
        self[word] = term
        return term


@cache
def _terms(stemmer: str, stop_words: str) -> _TermCache:
    if stemmer == "none":
        return _TermCache(str, STOP_WORDS[stop_words])
    from Stemmer import Stemmer

    snowball: Any = Stemmer(stemmer)
    return _TermCache(snowball.stemWord, STOP_WORDS[stop_words])
