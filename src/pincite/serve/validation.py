"""Checks questions, requests and ranges before anything is done with them."""

import re

from pincite.search import SearchRequest
from pincite.serve.errors import Invalid
from pincite.serve.settings import Settings

MOST_DIGITS = 19
"""A cursor is shorter: longer numbers do not fit into 64 bits."""
_BINARY = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def checked_question(text: str, settings: Settings) -> str:
    """The question, if it is not empty, not too long, and text."""
    if not text.strip():
        raise Invalid("the question is empty; enter one")
    if len(text) > settings.query_characters:
        raise Invalid(
            f"the question has {len(text):,} characters; the limit is {settings.query_characters:,}; shorten it"
        )
    if _BINARY.search(text) or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise Invalid("the question contains binary data; write it as text")
    return text


def checked_request(request: SearchRequest, settings: Settings) -> SearchRequest:
    """The request, if its question is valid and it does not ask for too many hits."""
    checked_question(request.query, settings)
    if not 1 <= request.k <= settings.most_hits:
        raise Invalid(f"k must be from 1 to {settings.most_hits}, not {request.k}")
    return request


def checked_cursor(cursor: str) -> str:
    """The cursor of a page of documents, if it can be one."""
    if cursor and not (cursor.isascii() and cursor.isdecimal() and len(cursor) < MOST_DIGITS):
        raise Invalid("invalid cursor: use `next` of the previous page")
    return cursor


def checked_range(start: int | None, end: int | None, length: int) -> tuple[int, int]:
    """A range within a text of that length; None means its beginning or end."""
    first, last = 0 if start is None else start, length if end is None else end
    if not 0 <= first <= last <= length:
        raise Invalid(f"from {first} to {last} is outside the text, which has {length} characters")
    return first, last
