"""From what lawyers call a clause to the words that such a clause is drafted in."""

from functools import lru_cache

from pincite.text.english import ENGLISH
from pincite.text.language import Language


@lru_cache(maxsize=256)
def drafted_as(question: str, language: Language = ENGLISH) -> str:
    """The words that what is asked for is usually drafted in; "" where the thesaurus does not know it.

    >>> drafted_as("Is there a cap on liability?")
    'liability shall not exceed aggregate amount limitation of liability'
    """
    keys = language.thesaurus_keys
    return " ".join(words for key, words in language.thesaurus.items() if keys[key].search(question))
