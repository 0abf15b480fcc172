"""The name of an official form: beside its number, or the first line in capitals below it."""

import re

from pincite.documents.profile.head import Head, cleaned, is_boilerplate

FORM_HEAD = 400
"""Characters in which the number of an official form stands."""
FIRST_LINES = 14
"""Lines in which its name stands."""
FEWEST_WORDS, MOST_WORDS = 2, 16

_NUMBER = re.compile(
    r"\b(?:AO|JS|SF|OPM|DD|GSA|VA|HUD|SSA|CMS|I)[ -]?\d{1,4}[A-Z]?\b.{0,40}\(?\b[Rr]ev\b|\bOMB\s+(?:No|Control)"
    r"|\bForm\s+(?!(?:[SFND]|SB|[0-9]+)-)[A-Z]{0,3}-?\d+\b"
)
"""The number of an official form. Those of the Securities and Exchange Commission stand over exhibits, too."""
_BESIDE = re.compile(r"\bForm\s+[A-Z]{0,3}-?\d+[A-Z]?\s*[,:–—-]\s+(?P<title>[A-Z][^\n]{3,90}?)[ \t]*(?=\n|\Z| {3,})")
_RUNS_ON = re.compile(r"\b(?:for|of|to|and|the|or|in|with|by)$", re.IGNORECASE)
_CELL = re.compile(r"[ \t]{3,}")


def is_official_form(head: Head) -> bool:
    """Whether the number of an official form stands at the top."""
    return bool(_NUMBER.search(head.text[head.body_start : head.body_start + FORM_HEAD]))


def form_title(head: Head) -> str:
    """The name of an official form; "" where a document is none.

    >>> from pincite.text import Document
    >>> from pincite.documents.profile.head import head_of
    >>> text = "OPM Form 71   Rev. September 2009\\n\\n  REQUEST FOR LEAVE\\n\\n1. Name"
    >>> form_title(head_of(Document("d", text), text))
    'REQUEST FOR LEAVE'
    """
    if not is_official_form(head):
        return ""
    if beside := _BESIDE.search(head.text[head.body_start : head.body_start + 2 * FORM_HEAD]):
        return _beside(head.text[head.body_start :], beside)
    for line in head.lines[:FIRST_LINES]:
        cells = [cleaned(cell) for cell in _CELL.split(line.text)]
        for cell in cells:
            words = [word for word in cell.split() if word.isalpha()]
            if FEWEST_WORDS <= len(words) <= MOST_WORDS and cell.isupper() and not is_boilerplate(cell):
                return cell
    return ""


def _beside(text: str, found: re.Match[str]) -> str:
    """The title behind the number, with the words below it where it runs on."""
    title = found.group("title").strip()
    line = text.rfind("\n", 0, found.start()) + 1
    below = text.find("\n", found.end())
    if _RUNS_ON.search(title) and below >= 0:
        column = max(0, found.start() - line - 3)
        end = text.find("\n", below + 1)
        rest = text[below + 1 : end if end >= 0 else len(text)][column:].strip()
        return f"{title} {_CELL.split(rest)[-1]}" if rest else title
    return title
