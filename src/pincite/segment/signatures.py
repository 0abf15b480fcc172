"""Recognises where the signatures of a document start, and what signs it."""

import re

_START = re.compile(
    r"[\s\[(*_]*(?:in\s+witness,?\s+where\s?of|\[?signature\s+pages?\b|signatures?\s+(?:on|follow)"
    r"|(?:very\s+truly|sincerely|yours)\b)",
    re.IGNORECASE,
)
_LINE = re.compile(
    r"[\s\[(*_]*(?:(?:by|name|title|its|date|dated|signed|signature|witness|place|address|print|attest)\b[^\n]{0,25}:|/s/|_{4,})",
    re.IGNORECASE,
)


def starts_signatures(text: str, start: int) -> bool:
    """Whether the signatures start at an offset.

    >>> starts_signatures("IN WITNESS WHEREOF, the parties sign.", 0)
    True
    """
    return bool(_START.match(text, start))


def is_signature(text: str, start: int) -> bool:
    """Whether a line belongs to a signature.

    >>> is_signature("Name: Jane Roe", 0), is_signature("Names of things", 0)
    (True, False)
    """
    return bool(_LINE.match(text, start))
