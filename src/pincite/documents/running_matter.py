"""Finds what belongs to the page and not to the text: page numbers and repeated headers and footers."""

import re
from collections import Counter
from collections.abc import Sequence

from pincite.documents.line_gaps import hidden_lines
from pincite.text.lines import text_lines
from pincite.text.passage import Edges

REPEATED_LINES = 4
"""Times that a short line must occur to count as a running header or footer."""

_PAGE_NUMBER = re.compile(
    r"^[\s\ufeff]*(?:page\s+)?[-–—]?\s*(?:[0-9]{1,4}|[ivxlc]{1,6}|[A-Z]{1,2}-[0-9]{1,3})\s*[-–—]?(?:\s+of\s+[0-9]{1,4})?\s*$",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"(?:article|part|schedule|exhibit|annex|appendix|section|clause|§)\s*(?:[ivxlc]+|[0-9]+|[a-z])\b"
    r"|[0-9]{1,3}(?:\.[0-9]{1,3})*[.)]?(?=\s)|[ivx]{1,6}\.\s|\(?(?:[a-z]|[ivx]{2,5}|[0-9]{1,2})\)|[a-z]\.\s|[-•●▪·*o]\s",
    re.IGNORECASE,
)
"""A line that starts like this is a heading or an item, however often it occurs."""


def running_matter(text: str) -> list[Edges]:
    """The edges to hide, in order and apart. What stays reads right when it is joined.

    >>> text = "The tenant shall pay\\n\\n- 12 -\\n\\nthe rent."
    >>> "".join(text[start:end] for start, end in ((0, 21), (30, 39))), running_matter(text)
    ('The tenant shall pay\\nthe rent.', [(21, 30)])
    """
    lines = list(text_lines(text))
    numbers = [end - start <= 80 and bool(_PAGE_NUMBER.match(text[start:end])) for start, end in lines]
    repeated = _repeated([text[start:end] for (start, end), number in zip(lines, numbers, strict=True) if not number])
    flags = [number or text[start:end] in repeated for (start, end), number in zip(lines, numbers, strict=True)]
    return hidden_lines(text, lines, flags)


def _repeated(lines: Sequence[str]) -> set[str]:
    """Short lines that occur again and again: running headers and footers."""
    counts = Counter(line for line in lines if 8 <= len(line) <= 90)
    return {
        line
        for line, count in counts.items()
        if count >= REPEATED_LINES and count * 400 > len(lines) and _is_header(line)
    }


def _is_header(line: str) -> bool:
    return line[-1] not in ".;:," and not _NUMBERED.match(line) and sum(map(str.isalpha, line)) >= 6
