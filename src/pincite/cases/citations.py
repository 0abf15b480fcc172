"""The authorities that a text names, found by eyecite (the extra `cases`), with their offsets."""

from typing import NamedTuple

from pincite.errors import UsageError


class Citation(NamedTuple):
    """Where a citation stands, and what it says."""

    start: int
    end: int
    text: str


def citations(text: str) -> list[Citation]:
    """Citations by reporter, in order; eyecite knows those of the United States best."""
    try:
        from eyecite import get_citations
    except ImportError:
        raise UsageError("citations are found by eyecite: pip install 'pincite[cases]'") from None
    found = [(citation.span(), citation.matched_text()) for citation in get_citations(text)]
    return [Citation(start, end, text[start:end]) for (start, end), matched in found if text[start:end] == matched]


def without_citations(text: str) -> str:
    """The text with its citations blanked, of the same length."""
    for start, end, _ in citations(text):
        text = text[:start] + " " * (end - start) + text[end:]
    return text
