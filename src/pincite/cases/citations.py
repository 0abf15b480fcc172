"""Citations of authorities in a text, with their offsets, found by eyecite (the extra `cases`)."""

from typing import NamedTuple

from pincite.errors import UsageError


class Citation(NamedTuple):
    """A citation and its offsets in the text."""

    start: int
    end: int
    text: str


def citations(text: str) -> list[Citation]:
    """Citations by reporter, in order. eyecite knows those of the United States best."""
    try:
        from eyecite import get_citations
    except ImportError:
        raise UsageError("citations in judgments need eyecite: pip install 'pincite[cases]'") from None
    found = [(citation.span(), citation.matched_text()) for citation in get_citations(text)]
    return [Citation(start, end, text[start:end]) for (start, end), matched in found if text[start:end] == matched]


def without_citations(text: str) -> str:
    """The text with spaces instead of its citations, so that offsets stay the same."""
    for start, end, _ in citations(text):
        text = text[:start] + " " * (end - start) + text[end:]
    return text
