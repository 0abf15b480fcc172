"""The marks of list items: (a), (ii), 7.2, 3., with the series that each counts in and its place there."""

import re
from typing import NamedTuple

from pincite.segment.numerals import numeral

_MARK = re.compile(
    r"[\s\ufeff]*(?:"
    r"\(?(?P<letter>[a-z]{1,2}|[ivxl]{1,6}|[A-Z]|[IVX]{1,5}|[0-9]{1,2})\)(?=\s|[A-Z“\"])"
    r"|(?P<dotted>[0-9]{1,3}(?:\.[0-9]{1,3})+)\b\.?\)?(?=\s)"
    r"|(?P<plain>[0-9]{1,2})\.(?=\s)"
    r"|(?P<point>[a-z]|[ivxl]{2,6})\.(?=\s)"
    r"|(?P<bullet>[-–•●▪·*])(?=\s))"
)
_INSIDE = re.compile(r"(?<=\s)\(?(?P<label>[a-z]{1,2}|[ivxl]{1,6}|[A-Z]|[IVX]{1,5}|[0-9]{1,2})\)(?=\s)")
_REFERS = re.compile(
    r"(?:(?:sections?|clauses?|paragraphs?|subsections?|subparagraphs?|subclauses?|sub-\w+|items?|articles?|parts?|§)"
    r"|\)\s*(?:and|or|to|through))\s*$",
    re.IGNORECASE,
)
"""What stands before a mark that refers to an item and opens none."""
ROMAN = re.compile(r"(?:x{0,3}(?:ix|iv|v?i{0,3})|xl)$", re.IGNORECASE)


_LABEL = re.compile(
    r"(?:^|\n|(?<![ \t])[ \t]{2,}+|\n[ \t]*+)"
    r"((?:\([A-Za-z0-9]{1,4}\)|\d+(?:\.\d+)*\.?|[A-Z][A-Za-z]*(?: [A-Za-z]+){0,4}:)[ \t\xa0]{1,40})$"
)
"""An item's mark, a number or a caption, with blanks behind it."""
LONGEST_LABEL = 90


class ItemMark(NamedTuple):
    """A mark: what kind of series it counts in, and its place there from 1. A bullet has no place: 0."""

    series: str
    value: int
    end: int
    """Where the words behind the mark begin."""


def marks_at(text: str) -> list[ItemMark]:
    """How the mark at the start of a text may be read: "(i)" is the first of Roman numbers or the ninth letter.

    >>> [(mark.series, mark.value) for mark in marks_at("(i) the price")]
    [('roman', 1), ('letter', 9)]
    >>> [(mark.series, mark.value) for mark in marks_at("iv. the costs")], marks_at("The price is due.")
    ([('point roman', 4)], [])
    """
    found = _MARK.match(text)
    if found is None:
        return []
    end = found.end() + len(text[found.end() :]) - len(text[found.end() :].lstrip())
    if dotted := found["dotted"]:
        above, _, last = dotted.rpartition(".")
        return [ItemMark(f"dotted {above}", int(last), end)]
    if plain := found["plain"]:
        return [ItemMark("plain", int(plain), end)]
    if point := found["point"]:
        return [ItemMark(f"point {series}", value, end) for series, value in readings(point)]
    if found["bullet"]:
        return [ItemMark("bullet", 0, end)]
    return [ItemMark(series, value, end) for series, value in readings(found["letter"])]


def readings(label: str) -> list[tuple[str, int]]:
    """The series that a label in brackets may count in, with its place there, likelier first.

    >>> readings("b"), readings("iv"), readings("C"), readings("12")
    ([('letter', 2)], [('roman', 4)], [('capital', 3)], [('number', 12)])
    """
    if label.isdigit():
        return [("number", int(label))]
    suffix = " capital" if label.isupper() else ""
    found = []
    if ROMAN.match(label):
        found.append((f"roman{suffix}", numeral(label.upper()) or 0))
    if len(label) == 1:
        found.append(("capital" if suffix else "letter", ord(label.lower()) - ord("a") + 1))
    elif len(set(label)) == 1 and not found:
        found.append(("capital" if suffix else "letter", 26 + ord(label[0].lower()) - ord("a") + 1))
    return found if label.lower() == "i" else found[::-1]


def inside(text: str, series: str, value: int) -> int | None:
    """Where the item of a series begins inside a text, last one first; None where there is none."""
    for found in reversed(list(_INSIDE.finditer(text))):
        if (series, value) in readings(found["label"]) and not _REFERS.search(text[: found.start()].rstrip(" \t")):
            return found.start()
    return None


def labelled(text: str, start: int) -> int:
    """Where a passage begins with the label before it, which wide blanks have cut off: "(b)          The fee ...".

    >>> labelled("Terms\\n(b)      The fee is due.", 15)
    6
    """
    found = _LABEL.search(text[max(0, start - LONGEST_LABEL) : start])
    return start - (len(found.group(1)) if found else 0)
