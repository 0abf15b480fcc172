"""When the scoring of the seeds counts a passage as right, and the tokens that it compares."""

from functools import lru_cache

from pincite.text.tokens import words

SEEDS = "*Context-Aware Legal Information Retrieval*, 2025, its scoring guide"


@lru_cache(maxsize=4096)
def folded(text: str) -> str:
    """The text in lower case, with one space for each run of white space.

    >>> folded("  The\\n Rent ")
    'the rent'
    """
    return " ".join(text.replace("\ufeff", " ").lower().split())


def is_match(passage: str, answer: str) -> bool:
    """Whether one of two folded texts contains the other."""
    return bool(passage) and bool(answer) and (answer in passage or passage in answer)


@lru_cache(maxsize=4096)
def token_set(text: str) -> frozenset[str]:
    """The distinct tokens of a text."""
    return frozenset(words(text))
