"""The title that the first page of a PDF shows in large letters."""

from collections.abc import Sequence
from statistics import median

from pincite.documents.pdf_layout import PageLine

LARGER = 1.2
"""How much larger than most letters those of a title are."""
MOST_LINES, MOST_WORDS = 4, 24


def large_title(pages: Sequence[Sequence[PageLine]]) -> str:
    """The largest letters of the first page, if they are larger than the text and few; "" otherwise."""
    first = [line for line in (pages[0] if pages else ()) if any(map(str.isalpha, line.text))]
    if len(first) < 3:
        return ""
    usual = median(line.height for page in pages[:3] for line in page for _ in range(max(1, len(line.text) // 20)))
    tallest = max(line.height for line in first)
    if tallest < LARGER * usual:
        return ""
    chosen = [at for at, line in enumerate(first) if line.height > 0.92 * tallest]
    if chosen[-1] - chosen[0] >= MOST_LINES or len(chosen) > MOST_LINES:
        return ""
    title = " ".join(" ".join(first[at].text.split()) for at in chosen)
    return title if len(title.split()) <= MOST_WORDS else ""
