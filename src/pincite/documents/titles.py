"""Titles of documents: the one that the format gives, or the first line with letters."""

from pincite.text.canonical import BOM

TITLE_LENGTH = 120
"""Characters that a title keeps."""
_SEARCHED_LENGTH = 2000
_ORNAMENTS = BOM + " \t#*=-_"


def first_line(text: str) -> str:
    """The first line with letters, without the signs around it.

    >>> first_line("2021-03\\n== LEASE ==\\nRent")
    'LEASE'
    """
    lines = (line.strip(_ORNAMENTS) for line in text[:_SEARCHED_LENGTH].split("\n"))
    return next((line[:TITLE_LENGTH] for line in lines if any(map(str.isalpha, line))), "")


def clean_title(title: str) -> str:
    """A format's own title, shortened and on one line; "" if it has no letters.

    >>> clean_title("Lease of\\n  Unit 4"), clean_title("2021-03")
    ('Lease of Unit 4', '')
    """
    line = " ".join(title.split())
    return line[:TITLE_LENGTH] if any(map(str.isalpha, line)) else ""
