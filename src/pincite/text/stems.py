"""Stems: lower-cased runs of letters and digits, cut to their stem, the way questions and clauses are compared."""

import re
from functools import cache
from typing import TYPE_CHECKING

from pincite.text.stopwords import NLTK_ENGLISH

if TYPE_CHECKING:
    from Stemmer import Stemmer

_TOKEN = re.compile(r"[^\W_]+")


class _Stems(dict[str, str]):
    """Remembers the stem of every word it was asked for; "" for a stop word."""

    def __missing__(self, word: str) -> str:
        stem = "" if word in NLTK_ENGLISH or (len(word) == 1 and not word.isdigit()) else _stemmer().stemWord(word)
        self[word] = stem
        return stem


_STEMS = _Stems()


def stems(text: str) -> list[str]:
    """The stems of a text in order, stop words and single letters out.

    >>> stems("The Recipient's obligations are NOT assignable.")
    ['recipi', 'oblig', 'assign']
    """
    return [stem for stem in map(_STEMS.__getitem__, _TOKEN.findall(text.lower())) if stem]


@cache
def _stemmer() -> "Stemmer":
    from Stemmer import Stemmer

    return Stemmer("english")
