"""Dates as people write them, brought into one form that can be compared."""

import re
from datetime import date

from pincite.text.english import ENGLISH
from pincite.text.language import Language

_ISO = re.compile(r"\s*(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?\s*(?:[T ]\d{1,2}:\d{2}.*)?")
_DAY_FIRST = re.compile(r"\s*(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?\s+(?:day\s+of\s+)?([A-Za-z]{3,9})\.?,?\s+(\d{4})\s*")
_MONTH_FIRST = re.compile(r"\s*([A-Za-z]{3,9})\.?\s+(?:(\d{1,2})(?:st|nd|rd|th)?,?\s+)?(\d{4})\s*")


def iso_date(text: str, language: Language = ENGLISH) -> str:
    """The date as YYYY-MM-DD, the first day where only a month or year is given; "" for anything else.

    >>> iso_date("3rd day of March 2021"), iso_date("March 3, 2021"), iso_date("March 2021"), iso_date("03/04/2021")
    ('2021-03-03', '2021-03-03', '2021-03-01', '')
    """
    if found := _ISO.fullmatch(text):
        return _written(found.group(1), found.group(2) or "1", found.group(3) or "1")
    if found := _DAY_FIRST.fullmatch(text):
        return _written(found.group(3), _month(found.group(2), language), found.group(1))
    if found := _MONTH_FIRST.fullmatch(text):
        return _written(found.group(3), _month(found.group(1), language), found.group(2) or "1")
    return ""


def _month(name: str, language: Language) -> str:
    numbers = {month[:3]: number for number, month in enumerate(language.months, start=1)}
    return str(numbers.get(name[:3].lower(), 0))


def _written(year: str, month: str, day: str) -> str:
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return ""
