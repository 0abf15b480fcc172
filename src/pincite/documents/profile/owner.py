"""The organisation whose policy or terms a document holds."""

import re
from collections import Counter

from pincite.documents.profile.parties import is_role

_FIRM = re.compile(
    r"(?<![\w.])((?:[A-Z][\w&.'’-]*\s+(?:&\s+)?){0,4}[A-Z][\w&.'’-]*,?\s+(?:Inc|LLC|Ltd|Limited|Corp|Corporation|GmbH"
    r"|B\.V|PLC|plc|ULC|Pty)\b\.?)"
)
_NAME = re.compile(r"(?<=[a-z,;]\s)([A-Z][a-zA-Z]+[a-z][A-Za-z]*)(?=[\s,.’'])")
_COMMON = frozenset(
    """the this our your you we if and or any such inc policy terms service services user users content website site
    privacy account european union state states united america california english monday january february march april
    may june july august september october november december personal information data internet cookies api us eu
    retention document records management general premium conditions notice statement guide guidelines agreement
    program""".split()
)
_CALLED_WE = re.compile(
    r"(?P<name>(?:[A-Z][\w&.'’-]*,?\s+(?:&\s+)?){0,4}[A-Z][\w&.'’-]*)\s*\(\s*(?:referred\s+to\s+as\s+|collectively,?\s+)?[“\"](?:[Ww]e|[Uu]s|[Oo]ur)\b"
)
"""The organisation that a text calls "we"."""
_WE_AT = re.compile(r"\b[Ww]e,?\s+at\s+(?P<name>[A-Z]\w+)|\bAt\s+(?P<other>[A-Z]\w+),\s+we\b")
MOST_OFTEN = 4
"""Times that a name without a legal form must stand in a text to be its owner's."""


def find_owner(text: str, title: str) -> str:
    """The name in the title that the text repeats; else who is "we"; else the company named most often; else ""."""
    firms: Counter[str] = Counter(" ".join(name.split()) for name in _FIRM.findall(text[:60_000]))
    names = Counter(name for name in _NAME.findall(text[:60_000]) if name.lower() not in _COMMON)
    often = firms.most_common()
    for word in map(str, re.findall(r"[A-Z]\w+", title)):
        if word.lower() not in _COMMON and not is_role(word) and names[word] >= MOST_OFTEN:
            return next((firm for firm, _ in often if firm.split()[0].strip(",") == word), word)
    if (called := _CALLED_WE.search(text[:60_000])) and not is_role(called.group("name")):
        return " ".join(called.group("name").split())
    if at := _WE_AT.search(text[:60_000]):
        return at.group("name") or at.group("other")
    return often[0][0] if often else ""
