"""What a question, a request or a range from outside must be like before anything is done with it."""

import re

from pincite.search import SearchRequest
from pincite.serve.errors import Invalid
from pincite.serve.settings import Settings

_BINARY = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def checked_question(text: str, settings: Settings) -> str:
    """A question that can be searched for: not empty, not too long, no binary data."""
    if not text.strip():
        raise Invalid("the question is empty; ask for something")
    if len(text) > settings.query_characters:
        raise Invalid(
            f"the question has {len(text):,} characters, the limit is {settings.query_characters:,}; shorten it"
        )
    if _BINARY.search(text) or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise Invalid("the question holds binary data; write it as text")
    return text


def checked_request(request: SearchRequest, settings: Settings) -> SearchRequest:
    """A request that may be answered: its question is one, and it does not ask for too many hits."""
    checked_question(request.query, settings)
    if not 1 <= request.k <= settings.most_hits:
        raise Invalid(f"k must be from 1 to {settings.most_hits}, not {request.k}")
    return request


def checked_range(start: int | None, end: int | None, length: int) -> tuple[int, int]:
    """A unit_range of a text of that length; None is its beginning or end."""
    first, last = 0 if start is None else start, length if end is None else end
    if not 0 <= first <= last <= length:
        raise Invalid(f"from {first} to {last} is outside the text, which has {length} characters")
    return first, last
