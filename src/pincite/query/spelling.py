"""Typing errors: a word that no document holds is read as the nearest word that one does, and that is said."""

import re
from typing import NamedTuple

from pincite.query.foreign import language_of
from pincite.query.names import NameSource

MOST = 12
"""Words of a question that are looked at."""

_WORD = re.compile(r"[^\W\d_]+")
_ABBREVIATIONS = re.compile(r"(?-i:[A-Z]{2,5}s)|m?ndas|msas|dpas|sows|slas|spas|apas|eulas", re.IGNORECASE)
"""Abbreviations in the plural, which look like errors to a collection that holds them in the singular."""
_CONTRACTED = frozenset(
    [
        *("dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "werent", "cant", "couldnt", "wont", "wouldnt"),
        *("shouldnt", "hasnt", "havent", "hadnt", "whats", "thats", "youre", "theyre", "weve", "theyve"),
    ]
)
"""Words without their apostrophe."""
LONGEST_ABBREVIATION = 5
"""Capitals of an abbreviation, which is no error."""
_QUOTED = re.compile(r"[\"“”][^\"“”]*[\"“”]")


class SpellingCorrection(NamedTuple):
    """A word as it was typed, and as it was read."""

    typed: str
    read: str


def corrected(query: str, names: NameSource) -> tuple[str, tuple[SpellingCorrection, ...]]:
    """The query with its typing errors mended. What is quoted stays as it is, and what is no English."""
    if language_of(query):
        return query, ()
    quoted = [match.span() for match in _QUOTED.finditer(query)]
    places = [
        match
        for match in _WORD.finditer(query)
        if not any(start <= match.start() < end for start, end in quoted)
        and not _is_code(query, match)
        and not _is_no_error(query, match.group())
    ]
    near = names.similar_words(list(dict.fromkeys(match.group().lower() for match in places))[: 4 * MOST])
    found: dict[str, SpellingCorrection] = {}
    text, at = [], 0
    for match in places:
        read = near.get(match.group().lower())
        if not read or len(found) >= MOST:
            continue
        typed = match.group()
        read = read.upper() if typed.isupper() else read.capitalize() if typed[0].isupper() else read
        found.setdefault(typed, SpellingCorrection(typed, read))
        text += [query[at : match.start()], read]
        at = match.end()
    return "".join([*text, query[at:]]), tuple(found.values())


def _is_no_error(query: str, word: str) -> bool:
    """Whether a word looks like an error and is none: an abbreviation, or without its apostrophe."""
    is_short = len(word) <= LONGEST_ABBREVIATION and word.isupper() and not query.isupper()
    return is_short or word.lower() in _CONTRACTED or _ABBREVIATIONS.fullmatch(word) is not None


def _is_code(query: str, match: re.Match[str]) -> bool:
    """Whether letters are a part of a number, a file name or an address."""
    before, after = query[: match.start()][-1:], query[match.end() :][:2]
    return before in tuple("_@/0123456789") or after[:1] in tuple("_@0123456789") or bool(re.match(r"\.\w", after))


def notes(corrections: tuple[SpellingCorrection, ...]) -> tuple[str, ...]:
    """What is said of the corrections."""
    return tuple(f"read {correction.typed!r} as {correction.read!r}" for correction in corrections)
