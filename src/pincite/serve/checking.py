"""What a question, a number or a filter from outside must be like before anything is done with it."""

import re
from collections.abc import Mapping, Sequence

from pincite.serve.failures import Invalid
from pincite.serve.settings import Settings
from pincite.text import Filter
from pincite.text.dates import iso_date

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


def checked_hits(k: int, settings: Settings) -> int:
    if not 1 <= k <= settings.most_hits:
        raise Invalid(f"k must be from 1 to {settings.most_hits}, not {k}")
    return k


def checked_filter(
    documents: Sequence[str] = (), metadata: Mapping[str, str] | None = None, after: str = "", before: str = ""
) -> Filter | None:
    """A filter, or None where nothing is asked for."""
    said = {key: value for key, value in (metadata or {}).items() if value}
    days = []
    for name, text in (("after", after), ("before", before)):
        day = iso_date(text) if text else ""
        if text and not day:
            raise Invalid(f"{name}: {text[:40]!r} is not a date; write 2024-03-31")
        days.append(day)
    found = Filter(tuple(documents), said, *days)
    return None if found == Filter() else found


def checked_range(start: int | None, end: int | None, length: int) -> tuple[int, int]:
    """A stretch of a text of that length; None is its beginning or end."""
    first, last = 0 if start is None else start, length if end is None else end
    if not 0 <= first <= last <= length:
        raise Invalid(f"from {first} to {last} is outside the text, which has {length} characters")
    return first, last
