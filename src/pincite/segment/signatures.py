"""Recognises where the signatures of a document start, what signs it, and how people are reached."""

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
_REACHED = re.compile(
    r"[\s\[(*_]*(?:"
    r"(?:fax|facsimile|telefax|telecopy|telecopier|telephone|phone|tel)\b\.?(?:\s+(?:no\b\.?|number))?\s*(?:[:#]|[+(]?\d)"
    r"|(?:attn|attention|e-?mail|with\s+a\s+copy\s+to)\b\.?\s*:|c/o\s|p\.?\s?o\.?\s+box\b|(?:suite|floor|room)\s+\d"
    r"|\d{1,5}\s+[^\n]{1,50}\b(?:street|avenue|road|boulevard|drive|lane|plaza|parkway|square|st\.|ave\.|rd\.|blvd\.?)[^\n]{0,20}$)",
    re.IGNORECASE,
)
"""The start of a line of an address: "Fax:", "Attention:", "c/o", a street with its number."""
_CODE = re.compile(
    r"\(\d{3}\)\s*\d{3}-\d{4}|\b\d{3}[-. ]\d{3}[-. ]\d{4}\b|\w@\w[\w.-]*\.[a-z]{2,}\b"
    r"|\b(?:[A-Z]{2}|[A-Z][a-z]{3,})[.,]?\s+\d{5}(?:-\d{4})?\s*$"
)
"""A telephone number, an e-mail address, or a state with its postal code at the end."""


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


def is_contact(line: str) -> bool:
    """Whether a line says where somebody is reached.

    >>> [is_contact(line) for line in ("Fax: 212 555 0199", "450 South Quay Street", "Fax Machines", "12. Streets")]
    [True, True, False, False]
    """
    return bool(_REACHED.match(line) or _CODE.search(line))
