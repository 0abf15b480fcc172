"""What a file name says: its words, and a title made of them where the text gives none."""

import re
from pathlib import PurePosixPath
from urllib.parse import unquote

LEAST_LETTERS = 3
"""Letters of a title that is left of a file name."""

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])")
_SEPARATORS = re.compile(r"[\W_]+")
_LABELS = re.compile(
    r"^(?:(?:\d{5,}|(?:19|20)\d\d[-. ]?[01]\d[-. ]?[0-3]\d|ex(?:hibit)?s?[-. ]*\d+(?:[.-]\d+)*(?:\s?\([a-z0-9]\))?)"
    r"(?=[\s,–-]|$)[\s,.–-]*)+",
    re.IGNORECASE,
)
"""Numbers of a filing, dates and exhibit numbers before the title in a file name."""
_BLANKS = re.compile(r"(?:[_+]|%20|\s)+")


def file_words(document_id: str) -> tuple[str, ...]:
    """The words of a file name: split at separators, camel case, percent-encoding and digits.

    >>> file_words("nda/SqillerBetaTesters_EX-10.1.txt")
    ('Sqiller', 'Beta', 'Testers', 'EX', '10', '1')
    """
    words = [word for part in _SEPARATORS.split(file_stem(document_id)) for word in _CAMEL.split(part)]
    return tuple(word for word in words if word)


def file_stem(document_id: str) -> str:
    """The name of the file without its folder and ending.

    >>> file_stem("policies/Gifts%20Policy.md")
    'Gifts Policy'
    """
    name = unquote(PurePosixPath(document_id).name)
    return name.rsplit(".", 1)[0] if "." in name else name


def title_of_file(document_id: str) -> str:
    """A title made of the file name.

    >>> title_of_file("templates/DOCUMENT_RETENTION_POLICY.md"), title_of_file("github-gifts-policy.md")
    ('DOCUMENT RETENTION POLICY', 'github gifts policy')
    >>> title_of_file("104519_1998-11-17_AMENDMENT TO LEASE.txt"), title_of_file("20200309 - EX-10.1(a) - Quay NDA.pdf")
    ('AMENDMENT TO LEASE', 'Quay NDA')
    """
    stem = _BLANKS.sub(" ", file_stem(document_id)).strip(" -.")
    stem = stem if " " in stem else stem.replace("-", " ")
    rest = _LABELS.sub("", stem).strip(" -–.,")
    return rest if sum(map(str.isalpha, rest)) >= LEAST_LETTERS else stem
