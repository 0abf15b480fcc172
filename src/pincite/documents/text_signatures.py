"""Recognises formats that are text themselves, by the first bytes of a file."""

import re

_HTML = re.compile(
    rb"\s*+(?:<\?xml[^>]*+>\s*+)?+(?:<!--(?>.*?-->)\s*+)*+<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
"""Nothing that was matched is tried in another way: hostile input takes no longer than any other."""
_HEADER = re.compile(rb"(?:From [^\n]*\n)?[A-Za-z][A-Za-z0-9-]*:[ \t\r\n]")
_TRANSPORT_HEADER = re.compile(
    rb"^(?:received|return-path|message-id|mime-version|delivered-to):", re.IGNORECASE | re.MULTILINE
)
_AUTHOR_HEADER = re.compile(rb"^(?:from|to|subject|date):", re.IGNORECASE | re.MULTILINE)
_EMPTY_LINE = re.compile(rb"\r?\n\r?\n")


def looks_like_html(head: bytes, named: bool) -> bool:
    """Whether a file starts as a web page does. If it is `named` as one, any tag is enough.

    >>> looks_like_html(b"<!DOCTYPE html><p>Rent", False), looks_like_html(b"<p>Rent", False)
    (True, False)
    """
    return bool(_HTML.match(head)) or (named and b"<" in head)


def looks_like_mail(head: bytes, named: bool) -> bool:
    """Whether a file starts with the headers of an e-mail. If it is `named` as one, any header is enough.

    >>> looks_like_mail(b"Subject: Rent\\nMessage-ID: <1@acme>\\n\\nIt is due.", False)
    True
    """
    headers = _EMPTY_LINE.split(head, maxsplit=1)[0]
    if not _HEADER.match(headers):
        return False
    return named or bool(_TRANSPORT_HEADER.search(headers) and _AUTHOR_HEADER.search(headers))
