"""What a file name says: its words, and a title made of them where the text gives none."""

import re
from pathlib import PurePosixPath
from urllib.parse import unquote

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])")
_SEPARATORS = re.compile(r"[\W_]+")
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
    """
    stem = _BLANKS.sub(" ", file_stem(document_id)).strip(" -.")
    return stem if " " in stem else stem.replace("-", " ")
