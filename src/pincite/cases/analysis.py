"""Analysis: the text of a case becomes terms (words, stems, pairs of words) without stop words."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from pincite.errors import one_of
from pincite.text.stopwords import NLTK_ENGLISH

_THE_33 = """
a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was
will with
"""
LUCENE_ENGLISH = frozenset(_THE_33.split())
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

    def term(self, word: str) -> str:
        """The term of a word in lower case; "" for a stop word.

        >>> [Analysis().term(word) for word in ("the", "appeals", "were", "dismissed")]
        ['', 'appeal', 'were', 'dismiss']
        """
        return _terms(self.stemmer, self.stop_words)[word]


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
