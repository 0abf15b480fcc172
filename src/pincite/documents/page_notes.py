"""What a page says about itself: that its rest is blank, that signatures follow, whose signature page it is."""

import re
from collections.abc import Iterator

from pincite.text.passage import Edges

_BLANK = (
    r"(?:the\s+)?(?:remainder|remaining|rest|balance)(?:\s+portion)?\s+of\s+(?:this|the)?\s*page\b"
    r"|(?:this\s+|the\s+rest\s+of\s+this\s+)?(?:page|space)\s+(?:is\s+|has\s+been\s+)?(?:intentionally|left|deliberately)\b"
)
_SIGNED = (
    r"(?:(?:the\s+)?(?:counterpart\s+)?signatures?(?:\s+(?:pages?|blocks?))?(?:\s+(?:to|directly|next|immediately|and\s+\w+))?"
    r"\s+(?:follow|appear|begin|on\s+(?:the\s+)?(?:next|following))\w*"
    r"|(?:the\s+)?(?:next|following)\s+page\s+is\s+(?:the\s+|a\s+)?signature\s+page"
    r"|(?:counterpart\s+|company\s+|lender\s+)?signature\s+pages?\s+(?:to|of|for|[-–—])\s"
    r"|(?:signatures?|text|continued?|continues)\s+(?:continue[sd]?\s+)?on\s+(?:the\s+)?(?:next|following)\s+page)"
)
_BRACKETED = re.compile(
    rf"[\[(<{{]\s*(?:{_BLANK}|{_SIGNED}|signature\s+pages?\s*[\])>])[^\[\]<>{{}}\n]{{0,160}}?[\])>}}](?:[.;]|(?=\s|$))"
    r"|\[\s*signature\s+pages?\s*\]",
    re.IGNORECASE,
)
_LINE = re.compile(rf"(?:{_BLANK}|{_SIGNED})", re.IGNORECASE)
_SENTENCE = re.compile(r"\b(?:shall|may|must|will|agree|hereof|deliver|facsimile|electronic|executed)\b", re.IGNORECASE)
LONGEST = 160
"""Characters that such a note may have."""


def page_notes(text: str) -> Iterator[Edges]:
    """The notes in brackets, wherever they stand.

    >>> [text[slice(*edges)] for text in ("End. [Signature page follows]",) for edges in page_notes(text)]
    ['[Signature page follows]']
    """
    for match in _BRACKETED.finditer(text):
        if not _SENTENCE.search(match.group()):
            yield match.span()


def is_page_note(line: str) -> bool:
    """Whether a line without brackets is such a note and nothing else.

    >>> is_page_note("Remainder of page intentionally left blank"), is_page_note("Signature pages may follow by fax.")
    (True, False)
    """
    return len(line) <= LONGEST and bool(_LINE.match(line.lstrip("-–—*[( "))) and not _SENTENCE.search(line)
