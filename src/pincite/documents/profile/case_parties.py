"""The parties that one side of a caption names, and the short form by which a citation names them."""

import re
from collections.abc import Iterator

from pincite.documents.profile.vocabulary import LEGAL_FORM

MOST_PARTIES = 6
"""Parties of one side that are kept."""

_DOES = re.compile(r"[;,]?\s*(?:and\s+)?(?:JOHN\s+)?DOES\s+(?:\d|I\b).*$", re.IGNORECASE)
_CAPACITY = re.compile(
    r"""(?:,|\s(?=in\s+(?:his|her|their|its|the\s+matter)\b|individually\b|on\s+behalf\b|et\s+al\b|by\s+and\s+through\b))\s*
    (?:in\s+(?:his|her|their|its)|individually|on\s+(?:behalf|her|his)|et\s+al|et\s+ux|by\s+(?:and\s+through|his|her|their)
    |(?:survivor|widow|widower|heirs?|parents?|mother|father|next\s+friend|successor|beneficiary)\s+(?:of|to)|as\s+\w+|solely|for\s+(?:himself|herself|themselves)|deceased|and\s+all\s+others|its\s+successors
    |(?:an?|the)\s+(?:[\w.]+\s+){0,4}?(?:corporation|company|partnership|individual|association|trust|municipality|entity
    |city|person)
    |(?:(?:Acting|Deputy|Assistant|Chief|Former|Interim|United\s+States|U\.S\.|State|President|Executive)\s+)*
    (?:Secretary|Attorney\s+General|Commissioner|Director|Warden|Sheriff|Governor|Administrator|Superintendent|Trustee
    |Executor|Executrix|Administratrix|Postmaster|Solicitor\s+General|Receiver|Mayor|Chairman|Guardian))\b.*$""",
    re.IGNORECASE | re.VERBOSE,
)
_MATTER = re.compile(r"^\s*In\s+the\s+Matter\s+of\s+(?:(?:the\s+)?Application\s+of\s+)?", re.IGNORECASE)
_ET_AL = re.compile(r",?\s+et\s+al\.?,?$", re.IGNORECASE)
_NUMBER = re.compile(r"\s*\(\d{1,2}\)\s*")
_BETWEEN = re.compile(
    rf";\s*(?:and\s+|&\s+)?|(?<=[\w.]),?\s+(?:and|AND)\s+(?=(?:the\s+|THE\s+)?[A-Z])|(?:{LEGAL_FORM.pattern}),\s+(?=[A-Z]\w)",
)
_ONE_BODY = re.compile(
    r"\b(?:Department|Bureau|Board|Commission|Committee|Office|Secretary|Ministry|Division|Agency|Centers?"
    r"|Administration|Institute|University|College|Bank|Firm|Estate)\b|^\W*\w+\W*$",
    re.IGNORECASE,
)
"""What stands before "and" inside one name: "Department of Health and Human Services", "Securities and Exchange"."""
_BODY = re.compile(
    r"\b(?:District|Council|County|City|State|States|Board|Commission|Committee|Department|University|College|Bank|School"
    r"|Authority|Association|Union|United|Trust|Group|Partners|Partnership|Services?|Systems?|Ministry|Agency|Bureau"
    r"|Commissioner|Parish|League|Cooperative|Society|Foundation|Institute|Fund|Holdings|Enterprises|Industries|Hospital"
    r"|Center|Clinic|Church|Office|Village|Town|Township|Borough|Project|Network|Software|Technologies|Energy|Power|Coal"
    r"|Estate|Railroad|Railway|Airlines|Insurance|Mutual|Farms?|Friends|Citizens|National|American|Federal|Republic|of)\b",
    re.IGNORECASE,
)
_NATION = re.compile(r"UNITED\s+STATES\s+OF\s+AMERICA", re.IGNORECASE)
_INITIAL = re.compile(r"[A-Z]\.?")
_GENERATION = re.compile(r",?\s+(?:Jr|Sr|II|III|IV)\.?$", re.IGNORECASE)
_NAME_WORD = re.compile(r"[A-Z][A-Za-z'’.-]*")


def case_parties(side: str) -> list[str]:
    """The parties on one side of a caption, without what says in which capacity they sue.

    >>> case_parties("ACME, INC., a Delaware corporation, and MARK T. PERRY, in his official capacity")
    ['ACME, INC.', 'MARK T. PERRY']
    >>> case_parties("Securities and Exchange Commission")
    ['Securities and Exchange Commission']
    """
    side = _DOES.sub("", _MATTER.sub("", " ".join(side.split())))
    pieces = [piece for numbered in _NUMBER.split(side) for piece in _split(numbered)]
    names = (bare(_CAPACITY.sub("", piece)) for piece in pieces)
    return [name for name in dict.fromkeys(names) if len(name) > 1 and name[0].isalnum()][:MOST_PARTIES]


def _split(side: str) -> Iterator[str]:
    """The names that stand between ";", "and" and the commas behind legal forms."""
    at = 0
    for found in _BETWEEN.finditer(side):
        before = side[at : found.start()]
        joined = found.group().strip(" ,").casefold() == "and"
        if joined and not LEGAL_FORM.search(before) and (_ONE_BODY.search(before) or _CAPACITY.search(before)):
            continue
        form = LEGAL_FORM.match(found.group())
        yield side[at : found.start() + (form.end() if form else 0)]
        at = found.end()
    yield side[at:]


def bare(name: str) -> str:
    """A name without "et al." and marks around it; the dot of a legal form stays."""
    name = _ET_AL.sub("", name.strip(" ,;:*")).strip(" ,;:*")
    return name if not name.endswith(".") or _ends_in_abbreviation(name) else name[:-1]


def _ends_in_abbreviation(name: str) -> bool:
    last = name.split()[-1]
    return bool(LEGAL_FORM.fullmatch(last)) or last.count(".") > 1 or len(last) <= 3


def short_party(name: str, body: str) -> str:
    """A party as a citation names it: persons by the surname, by which the text calls them.

    >>> short_party("DAVID R. HOLLIS", ""), short_party("Public Records Watch", "The Watch asks")
    ('HOLLIS', 'Public Records Watch')
    >>> short_party("Ann Moore", "Moore sues."), short_party("Lakeside Marina", "The Marina sues.")
    ('Moore', 'Lakeside Marina')
    """
    if _NATION.fullmatch(name):
        return name[: len("United States")]
    whole = _GENERATION.sub("", name)
    words = whole.split()
    if not 2 <= len(words) <= 4 or LEGAL_FORM.search(name) or _BODY.search(whole):
        return name
    if not all(_NAME_WORD.fullmatch(word) for word in words):
        return name
    surname = words[-1].rstrip(".,")
    initials = any(_INITIAL.fullmatch(word) for word in words[:-1])
    thing = re.search(rf"\b[Tt]he {re.escape(surname.capitalize())}\b", body) is not None
    if initials or (len(words) == 2 and not thing) or (len(words) > 2 and _called_by(surname, words[-2], body)):
        return surname
    return name


def _called_by(surname: str, before: str, body: str) -> bool:
    """Whether a text calls somebody by the last word of the name alone, with no article before it."""
    alone = re.compile(
        rf"(?<!\bthe )(?<!\bThe )(?<!\b{re.escape(before.capitalize())} )\b{re.escape(surname.capitalize())}\b"
    )
    return alone.search(body) is not None
