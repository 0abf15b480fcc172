"""The short names by which a citation calls the parties."""

import re
from collections.abc import Sequence

from pincite.documents.profile.parties import is_person, is_role
from pincite.documents.profile.vocabulary import FIRM_SUFFIX, MONTHS, STATES

MOST_WORDS = 6
"""Words of a short name."""
LONG_NAME = 3
"""Words from which a name is called by its first two."""

_BODY = re.compile(
    r"\b(?:council|cooperative|county|city|state|board|commission|department|ministry|agency|school|hospital|club|church|p\.c)\b",
    re.IGNORECASE,
)
"""Words of the names of bodies, which are no surnames."""
_PLAIN = re.compile(
    rf"(?:first|second|national|united|states|american|america|general|new|north|south|east|west|northern|southern|eastern"
    rf"|western|central|city|bank|international|industrial|commercial|global|universal|federal|federated|associated|allied"
    rf"|affiliated|consolidated|european|asian|african|pacific|atlantic|standard|premier|mutual|royal|public|private|u\.?s\.?a?"
    rf"|uk|\d+|{STATES})\.?",
    re.IGNORECASE,
)
"""Words that do not tell one company from another."""
_TRADE = frozenset(
    """technology technologies robotics pharmaceutical pharmaceuticals pharma biotech biosciences biopharma
    therapeutics communications telecommunications telecom energy network networks international capital solutions
    software service services resources products sciences media entertainment financial finance management
    investments investment logistics foods health healthcare electronics semiconductor mining petroleum insurance
    realty properties motors consulting marketing interactive online global worldwide bioworks diagnostics
    biologics labs nutrition parent holdco bidco""".split()
)
"""What a company trades in, behind its name."""
_LINKS = frozenset("of and & for de du des la the - –".split())
_BRANCH = re.compile(r",?\s+(?:[A-Z][\w.]+\s+){1,2}branch$", re.IGNORECASE)
_VEHICLE = re.compile(
    r"\b(?:merger|acquisition)\s+(?:sub|subsidiary|corp|corporation|inc|llc|co|limited|ltd)\b|\bmerger\b.*\bsub\b",
    re.IGNORECASE,
)
"""A company that exists only for a merger: its parent tells the agreement from others."""
_MONTH = re.compile(rf"(?:{MONTHS})(?:[\W\d_].*)?", re.IGNORECASE)


def short_parties(names: Sequence[str], defined: Sequence[str] = ()) -> tuple[str, ...]:
    """The two parties as a citation names them: of a group of companies the first, and no company that exists only for
    the merger, where others are left.

    >>> short_parties(["Halden Parent, LLC", "Halden Merger Sub, Inc.", "Orrick, Inc."])
    ('Halden', 'Orrick')
    >>> short_parties(["December 5", "Orrick, Inc.", "Maria L. Tensaw"])
    ('Orrick', 'Tensaw')
    """
    known = [name for name in names if not _is_month(name)]
    acting = [name for name in known if not _VEHICLE.search(name)]
    found: dict[str, str] = {}
    for name in acting if len(acting) > 1 else known:
        short = short_name(name, defined)
        found.setdefault(short.split()[0].casefold(), short)
    return tuple(found.values())[:2]


def short_name(name: str, defined: Sequence[str] = ()) -> str:
    """The short name that a document defines for a party, else its surname or the words that tell it apart.

    >>> short_name("Halden Robotics, Inc."), short_name("Maria L. Orrick"), short_name("Bank of China Ltd", ["BOC"])
    ('Halden', 'Orrick', 'Bank of China')
    >>> short_name("mPhase Technologies Inc.", ["Lucent", "mPhase"]), short_name("The Harbor Manhattan Bank")
    ('mPhase', 'Harbor Manhattan')
    >>> short_name("CHINA SHIPPERS BANK CO., LTD., NEW YORK BRANCH"), short_name("U.S. Pilots Corp.", ["USP"])
    ('CHINA SHIPPERS', 'U.S. Pilots')
    """
    name = re.sub(r"^the\s+", "", _BRANCH.sub("", name), flags=re.IGNORECASE)
    own = name.casefold().replace(",", " ").split()
    for short in defined:
        words = short.casefold().split()
        if words and not is_role(short) and all(any(part.startswith(word) for part in own) for word in words):
            return short
    if is_person(name) and not FIRM_SUFFIX.search(name) and not _BODY.search(name):
        return re.sub(r"[,.]+$", "", name).split()[-1].rstrip(".")
    return " ".join(_telling(_whole(name), defined)) or name


def _telling(words: Sequence[str], defined: Sequence[str]) -> Sequence[str]:
    """The words of a company's name, without its legal form, that tell it from others."""
    if len(words) > 1 and re.fullmatch(r"[A-Z]\.", words[0]):
        words = words[1:]  # "F. Hoffmann-La Roche"
    first = words[0] if words else ""
    is_plain = bool(_PLAIN.fullmatch(first)) or len(first) < 2
    initials = "".join(word[0] for word in words if word.casefold() not in _LINKS).casefold()
    if len(words) >= LONG_NAME and (is_plain or words[1].casefold() in _LINKS):
        for short in defined:
            if len(initials) > 2 and short.isupper() and short.casefold() == initials:
                return [short]
    if len(words) < LONG_NAME:
        return words[:1] if len(words) == 2 and not is_plain and words[1].casefold() in _TRADE else words
    if words[1].casefold() in _LINKS:
        return _cut(words[:MOST_WORDS])
    if not is_plain:
        return words[:2]
    return _cut(words[:MOST_WORDS] if _PLAIN.fullmatch(words[1]) else words[:3])


def _cut(words: Sequence[str]) -> Sequence[str]:
    """Words without a link at their end."""
    while len(words) > 1 and words[-1].casefold() in _LINKS:
        words = words[:-1]
    return words


def _whole(name: str) -> list[str]:
    """A name without its legal form."""
    words = name.replace(",", " ").split()
    while len(words) > 1 and FIRM_SUFFIX.fullmatch(words[-1]):
        words.pop()
    return words


def _is_month(name: str) -> bool:
    """Whether a name is a date that was taken for one: a month alone or with a day."""
    found = _MONTH.fullmatch(name.strip())
    return bool(found) and not re.search(r"[^\W\d_]", re.sub(rf"^(?:{MONTHS})", "", name.strip(), flags=re.IGNORECASE))
