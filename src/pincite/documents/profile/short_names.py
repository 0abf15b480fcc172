"""The short name by which a citation calls a party."""

import re
from collections.abc import Sequence

from pincite.documents.profile.parties import is_person, is_role
from pincite.documents.profile.vocabulary import FIRM_SUFFIX

_BODY = re.compile(
    r"\b(?:council|cooperative|county|city|state|board|commission|department|ministry|agency|school|hospital|club|church|p\.c)\b",
    re.IGNORECASE,
)
"""Words of the names of bodies, which are no surnames."""
_PLAIN = frozenset("the of and first national bank united states american general new north south city".split())


def short_name(name: str, defined: Sequence[str] = ()) -> str:
    """The short name that a document defines for a party, else its surname or the first word that tells it apart.

    >>> short_name("Halden Robotics, Inc."), short_name("Maria L. Orrick"), short_name("Bank of China Ltd", ["BOC"])
    ('Halden', 'Orrick', 'Bank of China')
    >>> short_name("mPhase Technologies Inc.", ["Lucent", "mPhase"])
    'mPhase'
    """
    for short in defined:
        if not is_role(short) and short.split()[0].casefold() in name.casefold().split():
            return short
    person = is_person(name) and not FIRM_SUFFIX.search(name) and not _BODY.search(name)
    words = re.sub(r"[,.]+$", "", name if person else FIRM_SUFFIX.sub("", name)).replace(",", " ").split()
    if not words:
        return name
    if person:
        return words[-1].rstrip(".")
    return words[0] if words[0].casefold() not in _PLAIN and len(words[0]) > 2 else " ".join(_whole(name))


def _whole(name: str) -> list[str]:
    """A name without its legal form."""
    words = name.replace(",", " ").split()
    while len(words) > 1 and FIRM_SUFFIX.fullmatch(words[-1]):
        words.pop()
    return words
