"""The seeds' tokens: Treebank words of lower-cased text, letters and digits only."""

import itertools
import re
from functools import cache
from typing import TYPE_CHECKING

from pincite.errors import UsageError
from pincite.text.sentences import sentence_spans
from pincite.text.stopwords import GLASGOW_ENGLISH, NLTK_ENGLISH

if TYPE_CHECKING:
    from nltk.tokenize.destructive import NLTKWordTokenizer

_SKLEARN_WORD = re.compile(r"(?u)\b\w\w+\b")


def words(text: str) -> list[str]:
    """Treebank words of the lower-cased text that are letters and digits only, stop words kept.

    >>> words("The Recipient's copies (if any) shall be returned.")
    ['the', 'recipient', 'copies', 'if', 'any', 'shall', 'be', 'returned']
    """
    tokenize = _treebank().tokenize
    lowered = text.lower()
    return [
        token for start, end in sentence_spans(lowered) for token in tokenize(lowered[start:end]) if token.isalnum()
    ]


def content_words(text: str) -> list[str]:
    """`words` without NLTK's English stop words: what the seeds' BM25 counts.

    >>> content_words("The Recipient's copies (if any) shall be returned.")
    ['recipient', 'copies', 'shall', 'returned']
    """
    return [token for token in words(text) if token not in NLTK_ENGLISH]


def word_pairs(text: str) -> list[str]:
    """Words and pairs of neighbouring words without stop words, as scikit-learn's vectorizer makes them.

    >>> word_pairs("the secret recipe of the cake")
    ['secret', 'recipe', 'cake', 'secret recipe', 'recipe cake']
    """
    singles = [token for token in _SKLEARN_WORD.findall(text.lower()) if token not in GLASGOW_ENGLISH]
    return singles + [f"{left} {right}" for left, right in itertools.pairwise(singles)]


@cache
def _treebank() -> "NLTKWordTokenizer":
    try:
        from nltk.tokenize.destructive import NLTKWordTokenizer
    except ImportError:
        raise UsageError("the seeds' tokenizer needs nltk: pip install 'pincite[evaluate]'") from None
    return NLTKWordTokenizer()
