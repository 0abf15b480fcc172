"""The first level of the headings that a format marks: styles in Word, <h2>, "##"."""

from collections import Counter
from collections.abc import Sequence

from pincite.segment.division import Division
from pincite.segment.headings import marked_heading

MOST_LEVEL = 5
"""Level up to which a marked heading may be on the first level. Smaller ones are decoration."""


def marked_divisions(text: str, headings: Sequence[tuple[int, int]]) -> list[Division]:
    """The headings of the outermost level that has several. A single one is the title of the document.

    >>> [division.title for division in marked_divisions("# Lease\\n## Term\\n## Rent", [(0, 1), (8, 2), (16, 2)])]
    ['Term', 'Rent']
    """
    found: list[tuple[int, Division]] = []
    for start, level in headings:
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        title = marked_heading(text[start:end])
        if title and level <= MOST_LEVEL and not title.startswith("<"):
            end = start + len(text[start:end].rstrip())
            found.append((level, Division(start, end, title)))
    counts = Counter(level for level, _ in found)
    first = min((level for level, count in counts.items() if count > 1), default=None)
    return [division for level, division in found if level == first]
