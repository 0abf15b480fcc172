"""Puts spaces for marks of suppressed citations, paragraph numbers and French lines, so that offsets stay the same."""

import re

_MARKS = re.compile(
    r"<?(?:FRAGMENT|REFERENCE|CITATION|DATE)_SUPPRESSED>?|\[(?:DATE|REFERENCE|CITATION)_SUPPRESSED\]"
    r"|^[ \t]*\[\d{1,4}\](?=\s)|^\ufeff",
    re.MULTILINE,
)
_PARAGRAPH = re.compile(r"^[ \t]*\[(\d{1,4})\](?=\s)", re.MULTILINE)
_BLOCK = re.compile(r"[^\n]+")
_WORD = re.compile(r"[^\W\d_]+")
_FRENCH = set(
    re.findall(r"\w+", "le la les des du une est que qui dans pour sur par pas ne au aux ce il elle sont avec")
)
_ENGLISH = set(
    re.findall(r"\w+", "the of and to in that is was for it with as be by on not this are from which had has")
)
LEAST = 8
"""The fewest words from which the language of a line is told."""


def masked(text: str, *, drop_french: bool = False) -> str:
    """The text with spaces instead of suppression marks and paragraph numbers and, if wanted, of French lines.

    >>> masked("[1] See <FRAGMENT_SUPPRESSED> at 3.")
    '    See                       at 3.'
    """
    marked = any(sign in text for sign in ("SUPPRESSED", "[", "\ufeff"))
    blanked = _MARKS.sub(_blank, text) if marked else text
    return (
        _BLOCK.sub(lambda found: _blank(found) if is_french(found.group()) else found.group(), blanked)
        if drop_french
        else blanked
    )


def suppressed(text: str) -> list[tuple[int, int]]:
    """The offsets of the marks that stand for a suppressed citation, reference or fragment."""
    return [found.span() for found in _MARKS.finditer(text) if "SUPPRESSED" in found.group()]


def paragraphs(text: str) -> list[tuple[int, int]]:
    """The paragraph numbers of a judgment, each with its offset."""
    return [(int(found.group(1)), found.start()) for found in _PARAGRAPH.finditer(text)]


def is_french(line: str) -> bool:
    """Whether a line has more than twice as many common French words as common English ones. A short line has not."""
    words = [word.lower() for word in _WORD.findall(line)]
    if len(words) < LEAST:
        return False
    return sum(word in _FRENCH for word in words) > 2 * sum(word in _ENGLISH for word in words)


def _blank(found: "re.Match[str]") -> str:
    return " " * len(found.group())
