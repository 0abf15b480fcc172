"""Whether words look like a running title."""

from collections.abc import Sequence

MARKS = '*([{"“'
"""What may stand before the first word of a title."""
_SMALL = frozenset("a an and by for from in of on or the to with".split())
_PARTS = frozenset("article part schedule exhibit annex appendix section clause chapter".split())
_ABBREVIATIONS = frozenset("inc. corp. co. ltd. llc. l.p. l.l.c. p.c. s.a. n.a. jr. sr.".split())
"""Words with a full stop at the end of a title."""

_KNOWN = frozenset(
    ("confidential", "conformed copy", "execution copy", "execution version", "privileged and confidential")
)


def is_title(words: Sequence[str]) -> bool:
    """Whether words can be a running title: capitalised but for small ones, not a number, and no sentence.

    >>> is_title("Lease of Twelve Flats".split()), is_title("the lease of".split()), is_title("Section 4 Rent".split())
    (True, False, False)
    """
    if " ".join(words).lower() in _KNOWN:
        return True
    large = [word for word in words if word.lower() not in _SMALL]
    ends = words[-1][-1] in ".;:," and words[-1].lower() not in _ABBREVIATIONS
    if not large or words[0].lower().strip(".") in _PARTS or ends:
        return False
    letters = sum(map(str.isalpha, "".join(words)))
    is_capitalised = all(not word.lstrip(MARKS)[:1].islower() for word in large) and words[0] not in _SMALL
    is_long = letters >= 8 and (len(large) >= 2 or large[0].isupper())
    return is_capitalised and is_long and words[0].lstrip(MARKS)[:1].isalpha()
