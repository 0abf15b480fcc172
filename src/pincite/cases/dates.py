"""The date of a decision, read from the first lines of a judgment."""

import re

from pincite.text.dates import iso_date

HEAD = 3000
_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
_DATE = re.compile(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?\s+(?:{_MONTH}),?\s+\d{{4}}|(?:{_MONTH})\s+\d{{1,2}},?\s+\d{{4}}|\d{{4}}-\d{{2}}-\d{{2}})\b",
    re.IGNORECASE,
)


def decided(text: str) -> str:
    """The first date in the head of a judgment, as YYYY-MM-DD; "" where there is none.

    >>> decided("Masud Khan v State\\nSupreme Court of India\\n26 September 1973")
    '1973-09-26'
    """
    for found in _DATE.finditer(text[:HEAD]):
        date = iso_date(re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "", found.group()))
        if date:
            return date
    return ""
