"""Joins lines into paragraphs, and decides which hyphens at line ends belong to a word."""

import re
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from pincite.documents.pdf_layout import PageLine

FAR_ASIDE = 14.0
"""How far from the start of a line, in letters, the next one of its paragraph may begin: else it is of a column."""
HYPHENATED = frozenset(
    """anti audio bi co counter cross de double ex extra first four full half high inter intra ill in-kind large late
    long low mid mini multi near neo non off on one over part past peer per post pre pro pseudo quasi re second self
    semi short single sub super third three top trans two ultra un under up well wide year""".split()
)
"""First parts of words that usually keep their hyphen."""

_MARK = re.compile(
    r"""(?:
    (?:ARTICLE|Article|PART|Part|SCHEDULE|Schedule|EXHIBIT|Exhibit|ANNEX|Annex|APPENDIX|Appendix|SECTION|Section|CLAUSE|Clause)
        \s+(?:[IVXLC]+|[0-9]+(?:\.[0-9]+)*|[A-Z])(?:[.:)]|\s|$)
    |§\s*[0-9]
    |[0-9]{1,3}(?:\.[0-9]{1,3})+[.)]?(?:\s|$)
    |[0-9]{1,3}[.)](?:\s|$)
    |[IVXLC]{1,6}\.\s
    |\(?(?:[a-zA-Z]|[ivx]{2,5}|[0-9]{1,3})\)(?:\s|$)
    |[A-Z]\.\s
    |\[[0-9]{1,3}\]\s
    |[-–—•●▪■◦‣·*o]\s
    )""",
    re.VERBOSE,
)
_BULLET = re.compile(r"[•●▪■◦‣·]\s")
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_LAST_PART = re.compile(r"([^\W_]+(?:[-'’][^\W_]+)*)[-\u00ad]$")
_FIRST_PART = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_ENDS = frozenset(".;:?!")
_CLOSERS = "”\"’')]*"
_DASHES = ("-", "\u00ad")
_LEADERS = re.compile(r"(?:[.·…_]\s?){4,}\s*\S{0,8}$")
"""Dots that lead to a page number, or a line to write on. Nothing continues after them."""


def paragraphs(pages: list[list[PageLine]]) -> Iterator[list[PageLine]]:
    """The lines of each paragraph. A paragraph may continue in the next column or on the next page."""
    lines = [line for page in pages for line in page]
    rights = _rights(lines)
    pitch = _usual_pitch(lines)
    current: list[PageLine] = []
    for i, line in enumerate(lines):
        if current:
            before, after = lines[i - 2] if i > 1 else None, lines[i + 1] if i + 1 < len(lines) else None
            above, below = _pitch(before, current[-1]), _pitch(line, after)
            if current[-1].block == line.block:
                ends = _breaks(current, line, rights[i - 1], pitch, [size for size in (above, below) if size])
            else:
                ends = not _runs_on(current[-1], line, rights[i - 1])
            if ends:
                yield current
                current = []
        current.append(line)
    if current:
        yield current


def _pitch(one: PageLine | None, two: PageLine | None) -> float:
    """The distance between the baselines of two lines; 0 if they differ in column or size."""
    if one is None or two is None or one.block != two.block or not _same_size(one, two):
        return 0.0
    return max(0.0, one.baseline - two.baseline)


def _same_size(one: PageLine, two: PageLine) -> bool:
    return 0.87 < one.height / two.height < 1.15


def _usual_pitch(lines: list[PageLine]) -> float:
    """The most common distance between lines, as a multiple of their height."""
    ratios = [_pitch(a, b) / b.height for a, b in pairwise(lines) if _pitch(a, b)]
    if not ratios:
        return 1.2
    values, counts = np.unique(np.round(ratios, 1), return_counts=True)
    return float(values[counts.argmax()])


def _rights(lines: list[PageLine]) -> list[float]:
    """How far each line could have reached: as far as the lines around it, else as far as the column."""
    rights: list[float] = []
    start = 0
    while start < len(lines):
        end = start
        while end < len(lines) and lines[end].block == lines[start].block:
            end += 1
        column = max(line.right for line in lines[start:end])
        at = start
        while at < end:
            stop = at + 1
            while stop < end and _is_close(lines[stop - 1], lines[stop]):
                stop += 1
            own = sorted(line.right for line in lines[at:stop])
            alike = len(own) > 2 and own[-2] > own[-1] - 0.12 * (own[-1] - min(line.left for line in lines[at:stop]))
            rights += [own[-1] if alike else column] * (stop - at)
            at = stop
        start = end
    return rights


def _is_close(one: PageLine, two: PageLine) -> bool:
    pitch = _pitch(one, two)
    return 0 < pitch < 1.45 * two.height


def _ends_sentence(text: str) -> bool:
    return text.rstrip(_CLOSERS)[-1:] in _ENDS


def _breaks(current: list[PageLine], line: PageLine, right: float, usual: float, around: list[float]) -> bool:
    """Whether a line starts a new paragraph in its column."""
    last = current[-1]
    room = right - last.right
    fits = room > line.first_word + 0.25 * line.height
    if _are_apart(last, line, usual, around, fits=fits) or _looks_different(current, line):
        return True
    ended, em = _ends_sentence(last.text), 0.8 * line.height
    moved = line.left - last.left
    if abs(moved) > FAR_ASIDE * em and last.right - last.left < FAR_ASIDE * em + abs(moved):
        return True
    if _MARK.match(line.text):
        opener = last.text.rstrip().endswith(("; and", "; or", ", and", ", or"))
        return ended or fits or opener or abs(moved) > 0.4 * em or last.text.endswith((",", "—"))
    if last.text.endswith(_DASHES) and last.text[-2:-1].isalnum() and line.text[0].isalpha():
        return False
    if fits and (ended or not line.text[0].islower() or room > 0.3 * (right - last.left)):
        return True
    if moved > em:
        return ended and not (len(current) == 1 and _MARK.match(last.text))
    if moved < -em:
        return ended and len(current) > 1 and abs(current[-2].left - last.left) < em
    return False


def _are_apart(last: PageLine, line: PageLine, usual: float, around: list[float], *, fits: bool) -> bool:
    """Whether two lines are farther apart than lines of a paragraph, or are rows of a table or a list of contents."""
    if not _same_size(last, line) or last.cells > 1 or line.cells > 1 or _LEADERS.search(last.text[-200:]):
        return True
    pitch = last.baseline - line.baseline
    even = not fits and any(abs(other - pitch) < 0.05 * pitch for other in around)
    if pitch < 0 or pitch > 1.2 * min(around, default=pitch) + 0.5:
        return True
    return pitch > max(1.3 * usual, 1.1) * line.height and not even


def _looks_different(current: list[PageLine], line: PageLine) -> bool:
    """Whether a line is a list item, or differs from the line before in weight or capitals."""
    last = current[-1]
    if _BULLET.match(line.text) or ((last.bold and len(current) == 1) != line.bold and last.bold != line.bold):
        return True
    return _is_capitals(last.text) and not _is_capitals(line.text)


def _is_capitals(text: str) -> bool:
    return text.isupper() and sum(map(str.isalpha, text)) >= 4


def _runs_on(last: PageLine, line: PageLine, right: float) -> bool:
    """Whether a paragraph continues in the next column or on the next page."""
    if not _same_size(last, line) or last.cells > 1 or line.cells > 1 or _ends_sentence(last.text):
        return False
    if _LEADERS.search(last.text[-200:]):
        return False
    first = line.text[0]
    if last.text.endswith(_DASHES):
        return first.isalnum()
    if first.islower():
        return not _is_capitals(last.text)
    if _MARK.match(line.text) or last.bold != line.bold or _is_capitals(last.text) != _is_capitals(line.text):
        return False
    return right - last.right <= line.first_word + 0.25 * line.height


def words_of(pages: list[list[PageLine]]) -> set[str]:
    """All words that are not broken at a line end, in lower case. They show which hyphens belong to a word."""
    words: set[str] = set()
    for page in pages:
        for line in page:
            words.update(_WORD.findall(line.text.lower()))
    return words


def joint(last: str, line: str, words: set[str]) -> tuple[int, str]:
    """How many characters to cut from the end of a line, and what to put between it and the next line.

    >>> joint("strictly confi-", "dential information", {"dental"})
    (1, '')
    >>> joint("a non-", "disclosure agreement", set())
    (0, '')
    """
    if not last.endswith(_DASHES):
        return (0, "") if last.endswith("—") or last.endswith("/") else (0, " ")
    before, after = _LAST_PART.search(last), _FIRST_PART.match(line)
    if not before or not after:
        return (0, " ") if last.endswith("-") else (1, " ")
    if not after.group()[0].islower():
        return 0, ""
    one, two = before.group(1).lower(), after.group().lower()
    if f"{one}-{two}" in words:
        return 0, ""
    if one + two in words:
        return 1, ""
    return (0, "") if one.rsplit("-", 1)[-1] in HYPHENATED else (1, "")
