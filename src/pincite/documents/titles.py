"""The title of a document whose format has none: its first line with letters."""

from pincite.text.canonical import BOM

LONGEST = 120


def first_line(text: str) -> str:
    """The first line that has any letters, without the signs that set it off.

    >>> first_line("2021-03\\n== LEASE ==\\nRent")
    'LEASE'
    """
    lines = (line.strip(BOM + " \t#*=-_") for line in text[:2000].split("\n"))
    return next((line[:LONGEST] for line in lines if any(map(str.isalpha, line))), "")


def tidy(title: str) -> str:
    """A format's own title on one line and not too long; "" if it has no letters."""
    line = " ".join(title.split())
    return line[:LONGEST] if any(map(str.isalpha, line)) else ""
