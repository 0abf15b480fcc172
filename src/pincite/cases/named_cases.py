"""The cases that a text names by their parties, whether or not the collection has them."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from pincite.cases.authority import LEFT_OUT, SIDE

_NAME = r"[A-Z][\w.&'’-]{0,30}"
_MORE = r"(?: (?:of|the|for|&|[A-Z][\w.&'’-]{0,30})){0,5}"
_NAMED = re.compile(rf"\b({_NAME}{_MORE}) (?:v|V|vs|Vs|VS|versus)\.? ({_NAME}{_MORE})")
_OPENING = frozenset(("In", "See", "The", "Also", "And", "But", "Cf", "Per", "As", "Following", "Applying", "Citing"))
"""Words with a capital that stand before a name and are no part of it."""
_LONGEST = 1_000_000
"""Characters that are looked through; a longer judgment names its authorities before."""


class NamedCase(NamedTuple):
    """The name of a case as a text writes it, and its offsets."""

    start: int
    end: int
    text: str


def named_cases(text: str) -> dict[tuple[str, str], NamedCase]:
    """The cases that a text names, first mentions in order, by what two spellings of a name share: the last words of
    the first party and the first words of the second.

    >>> list(named_cases("In Masud Khan v. State of Bihar it was held.").items())
    [(('masud khan', 'state bihar'), NamedCase(start=3, end=31, text='Masud Khan v. State of Bihar'))]
    """
    found: dict[tuple[str, str], NamedCase] = {}
    for match in _NAMED.finditer(text, 0, _LONGEST):
        start, first = match.start(), match.group(1).split()
        while len(first) > 1 and first[0].rstrip(".,") in _OPENING:
            start += len(first[0]) + 1
            first = first[1:]
        end = match.start() + len(match.group().rstrip(" .&"))
        for trailing in (" the", " of", " for"):
            end -= len(trailing) if text[start:end].endswith(trailing) else 0
        key = (" ".join(_words(first)[-SIDE:]), " ".join(_words(match.group(2).split())[:SIDE]))
        found.setdefault(key, NamedCase(start, end, text[start:end]))
    return found


def _words(name: Sequence[str]) -> list[str]:
    """The words that every spelling of a name has, as far as it has any."""
    plain = [re.sub(r"\W", "", word).lower() for word in name]
    return [word for word in plain if word and word not in LEFT_OUT] or plain
