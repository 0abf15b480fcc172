"""Titles that formats declare."""

TITLE_LENGTH = 200
"""Characters that a title keeps."""


def clean_title(title: str) -> str:
    """A format's own title, shortened and on one line; "" if it has no letters.

    >>> clean_title("Lease of\\n  Unit 4"), clean_title("2021-03")
    ('Lease of Unit 4', '')
    """
    line = " ".join(title.split())
    return line[:TITLE_LENGTH] if any(map(str.isalpha, line)) else ""
