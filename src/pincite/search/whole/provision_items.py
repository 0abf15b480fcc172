"""Finds an item of a provision: "(b)" of 7.2(b)."""

import re
from collections.abc import Sequence

from pincite.segment.numerals import numeral
from pincite.text.passage import Edges

_ITEM_REFERS = re.compile(
    r"(?:(?:sections?|clauses?|paragraphs?|subsections?|items?)|\)\s*(?:and|or|to|through))\s*$", re.IGNORECASE
)


def item_of(text: str, edges: Edges, labels: Sequence[str]) -> Edges:
    """The item of a provision that labels such as "(b)", "(ii)" lead to; as far as there is one."""
    start, end = edges
    for label in labels:
        begin = _label(text, label, start, end)
        if begin is None:
            break
        following = next_label(label)
        stop = _label(text, following, begin + 1, end) if following else None
        start, end = begin, stop if stop is not None else end
        while end > start and text[end - 1].isspace():
            end -= 1
    return start, end


def _label(text: str, label: str, start: int, end: int) -> int | None:
    """Where an item begins: at the start of a line, or else inside one."""
    inner = re.escape(label.strip("()"))
    line = re.compile(rf"(?:^|\n)[ \t]*(\(?{inner}\)|{inner}\.)(?=\s)").search(text, start, end)
    if line:
        return line.start(1)
    for found in re.compile(rf"(?<![\w)])\({inner}\)(?=[\s\u00a0A-Z])").finditer(text, start, end):
        if not _ITEM_REFERS.search(text, max(start, found.start() - 15), found.start()):
            return found.start()
    return None


def next_label(label: str) -> str | None:
    """The label behind one: (c) behind (b), (iii) behind (ii)."""
    inner = label.strip("()")
    if inner.isdigit():
        return f"({int(inner) + 1})"
    value = numeral(inner.upper()) if len(inner) > 1 or inner.lower() == "i" else 0
    if value:
        following = _ROMAN[value + 1] if value + 1 < len(_ROMAN) else None
        return following and f"({following if inner.islower() else following.upper()})"
    return f"({chr(ord(inner) + 1)})" if len(inner) == 1 and inner.lower() < "z" else None


_ROMAN = (*("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"), *("xi", "xii", "xiii", "xiv", "xv"))
