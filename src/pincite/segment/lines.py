"""Joins the lines of a legal text into paragraphs, without empty signature lines."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pincite.segment.division import Division
from pincite.segment.numbering import NumberMark, mark_of
from pincite.segment.unfinished import awaits_number, is_unfinished
from pincite.segment.verbs import is_sentence
from pincite.text.lines import text_lines
from pincite.text.passage import Edges

_SIGNATURE = re.compile(
    r"[\s\ufeff]*+(?:(?:by|name|title|its|date|dated|signed|signature|witness|place)\s*+:?)?[\s_.…:/]*+$", re.IGNORECASE
)
"""A signature line that is not filled in."""
CAPITALS_LENGTH = 90
"""Characters up to which a line in capitals may be a heading."""
FULL_LINE = (45, 110)
"""Characters of a line that was broken off because it was full: the sentence goes on in the next one."""
PAGE_GAP = 4
"""Line breaks that may stand between the halves of a sentence that goes on over a page."""
WIDEST_ROW = 140
"""Characters of the rows of tables in a text that was wrapped at a fixed width."""
_REFERENCE = re.compile(r"[\s,]*(?:\([a-z0-9]+\)[\s,]*)*(?:[a-z]|[.,;]\s*$)")
"""What follows a number that refers to a clause and opens none: "Section 32.3 of the Contract"."""
_KEYWORD = re.compile(r"[^\W\d_]|§")
"""The first letter of a number with a keyword: "Section 6", "EXHIBIT B"."""
_LISTED = re.compile(r"[;,]\s*(?:and|or|and/or)\s*\Z", re.IGNORECASE)
"""The end of an item of a list."""
_EMPTY_ABOVE = re.compile(r"\n[ \t\u00a0]*\n[ \t\u00a0]*\Z")
_EMPTY_BELOW = re.compile(r"[ \t\u00a0]*\n[ \t\u00a0]*\n")
_ENDS = frozenset('.;:?!”"’')

_Piece = tuple[int, int, Division | None]


class LineBlock(NamedTuple):
    """A paragraph: its offsets, the number that starts it, and the division that it opens."""

    start: int
    end: int
    mark: NumberMark | None
    division: Division | None = None


def blocks(text: str, divisions: Sequence[Division] = ()) -> Iterator[LineBlock]:
    """The paragraphs of a text in order, with wrapped lines joined. Each division starts a paragraph."""
    lines = [
        (start, end) for start, end in text_lines(text) if not is_empty_signature(text[start : min(end, start + 81)])
    ]
    wrapped, narrow = _is_wrapped(lines), _is_narrow(lines)
    block: LineBlock | None = None
    for start, end, division in _cut(text, lines, divisions):
        mark = mark_of(text, start, end)
        if block and not division and _goes_on(text, block, (start, end), mark, wrapped=wrapped, narrow=narrow):
            block = block._replace(end=end)
            continue
        if block:
            yield block
        block = LineBlock(start, end, mark, division)
    if block:
        yield block


def _cut(text: str, lines: Sequence[Edges], divisions: Sequence[Division]) -> Iterator[_Piece]:
    """The lines, cut where divisions start. The lines of a division's title are one."""
    open_title: _Piece | None = None
    for start, end, division in _pieces(text, lines, divisions):
        if open_title and not division:
            open_title = (open_title[0], end, open_title[2])
        else:
            if open_title:
                yield open_title
            open_title = (start, end, division)
        title = open_title[2]
        if title is None or open_title[1] >= title.end:
            yield open_title
            open_title = None
    if open_title:
        yield open_title


def _pieces(text: str, lines: Sequence[Edges], divisions: Sequence[Division]) -> Iterator[_Piece]:
    """The lines, cut where divisions start."""
    coming = 0
    for begin, end in lines:
        start, division = begin, None
        while coming < len(divisions) and divisions[coming].start < end:
            at = max(begin, divisions[coming].start)
            if at > start:
                stop = start + len(text[start:at].rstrip())
                if stop > start:
                    yield start, stop, division
            start, division = at, divisions[coming]
            coming += 1
        yield start, end, division


def is_empty_signature(line: str) -> bool:
    """Whether a line is a signature line that is not filled in.

    >>> is_empty_signature("By: ________"), is_empty_signature("By: Jane Roe"), is_empty_signature("Date.")
    (True, False, False)
    """
    if len(line) > 80 or not _SIGNATURE.match(line):
        return False
    return ":" in line or "_" in line or not any(map(str.isalpha, line))


def _is_wrapped(lines: list[Edges]) -> bool:
    """Whether the lines were wrapped at a fixed width: most have a similar length, and hardly any is longer. Rows of
    tables are wider than text."""
    lengths = sorted(end - start for start, end in lines)
    if len(lengths) < 12:
        return False
    low, high = FULL_LINE
    return lengths[int(len(lengths) * 0.98)] <= WIDEST_ROW and low <= lengths[int(len(lengths) * 0.7)] <= high


def _goes_on(text: str, block: LineBlock, line: Edges, mark: NumberMark | None, *, wrapped: bool, narrow: bool) -> bool:
    """Whether a line continues a block. The title of a division is a block of its own."""
    if block.division and block.end <= block.division.end:
        return False
    return _continues(text, (block.start, block.end), line, mark, wrapped=wrapped, narrow=narrow)


def _continues(text: str, current: Edges, line: Edges, mark: NumberMark | None, *, wrapped: bool, narrow: bool) -> bool:
    """Whether a line continues the paragraph before it."""
    first, last = text[line[0]], text[current[1] - 1]
    gap = text.count("\n", current[1], line[0])
    is_row = "|" in text[line[0] : line[1]] or "|" in text[max(current[0], current[1] - FULL_LINE[1]) : current[1]]
    is_open = narrow and gap == 1 and (last.isalpha() or last in ",-–&$") and not is_row
    broken = is_open and _is_full_line(text, current)
    if mark is not None and mark.strong:
        return not is_row and (
            (broken and bool(_REFERENCE.match(text, mark.end, line[1])))
            or (gap == 1 and _completes(text, current, mark, line))
        )
    if wrapped and gap <= 1:
        return mark is None and _in_one_paragraph(text, current, line)
    if mark is not None:
        return False
    if not is_row and (_breaks_off(text, current, gap) or (gap == 1 and _is_pair(text, current, line))):
        return True
    if _is_capitals(text, *line):
        return not is_row and gap == 1 and _goes_on_in_capitals(text, current)
    return last not in _ENDS and (first.islower() or broken)


def _completes(text: str, current: Edges, mark: NumberMark, line: Edges) -> bool:
    """Whether a number with which a line starts completes the sentence of the line before: it is a reference."""
    end = current[1]
    if awaits_number(text, end):
        return True
    refers = bool(_REFERENCE.match(text, mark.end, line[1]))
    if not _KEYWORD.match(mark.text) or _LISTED.search(text, max(current[0], end - 10), end):
        return refers and is_unfinished(text, end, in_list=False)
    return is_unfinished(text, end) or (_is_full_line(text, current) and ends_small(text, end))


def ends_small(text: str, end: int) -> bool:
    """Whether the last word before an offset is one in small letters, without a sign behind it."""
    words = text[max(0, end - 40) : end].split()
    return bool(words) and words[-1].isalpha() and words[-1].islower()


def _breaks_off(text: str, current: Edges, gap: int) -> bool:
    """Whether a sentence breaks off before a line: in the middle of a page, or at its end, where an empty line stands
    between. There only a paragraph counts, because the lines of a cover break off, too."""
    if gap <= 1:
        return is_unfinished(text, current[1], in_list=gap == 1)
    if current[1] - current[0] <= CAPITALS_LENGTH or gap > PAGE_GAP:
        return False
    return is_unfinished(text, current[1], in_list=False)


def _is_pair(text: str, current: Edges, line: Edges) -> bool:
    """Whether two short lines stand alone between empty lines, as a heading or name that was broken in two."""
    if max(current[1] - current[0], line[1] - line[0]) >= FULL_LINE[0] or "\n" in text[current[0] : current[1]]:
        return False
    above, below = text[current[0] : current[1]], text[line[0] : line[1]]
    if not all(half[0].isupper() and half[-1].isalpha() and not half.isupper() for half in (above, below)):
        return False
    return _EMPTY_ABOVE.search(text, max(0, current[0] - 40), current[0]) is not None and bool(
        _EMPTY_BELOW.match(text, line[1])
    )


def _tail(text: str, current: Edges) -> Edges:
    """The last characters of a paragraph, as many as a heading may have."""
    return max(current[0], current[1] - CAPITALS_LENGTH), current[1]


def _is_narrow(lines: Sequence[Edges]) -> bool:
    """Whether hardly any line is longer than lines that were wrapped at a fixed width."""
    lengths = sorted(end - start for start, end in lines)
    return len(lengths) >= 12 and lengths[int(len(lengths) * 0.95)] <= FULL_LINE[1]


def _is_full_line(text: str, current: Edges) -> bool:
    """Whether the last line of a paragraph is as long as lines that were wrapped at a fixed width."""
    length = current[1] - max(current[0], text.rfind("\n", current[0], current[1]) + 1)
    return FULL_LINE[0] <= length <= FULL_LINE[1]


def _in_one_paragraph(text: str, current: Edges, line: Edges) -> bool:
    """Whether wrapped lines belong together: the first breaks off, neither is a heading in capitals, or both are a
    sentence in capitals."""
    if is_unfinished(text, current[1]):
        return True
    tail = _tail(text, current)
    if _is_capitals(text, *line):
        if _goes_on_in_capitals(text, current):
            return True
        return _is_mostly_capitals(text[tail[0] : tail[1]]) and is_sentence(text[tail[0] : line[1]])
    is_long = tail[0] > current[0]
    return is_long or not _is_capitals(text, *current) or is_sentence(text[current[0] : current[1]])


def _goes_on_in_capitals(text: str, current: Edges) -> bool:
    """Whether the last line of a paragraph is full and ends no sentence, so that a line in capitals goes on with it:
    it is in capitals, too, or ends with a small word."""
    if text[current[1] - 1] in _ENDS or not _is_full_line(text, current):
        return False
    start, end = _tail(text, current)
    return ends_small(text, end) or _is_mostly_capitals(text[start:end])


def _is_mostly_capitals(words: str) -> bool:
    """Whether words are in capitals, but for the numbers of list items.

    >>> _is_mostly_capitals("(a) NO WARRANTY IS GIVEN"), _is_mostly_capitals("(a) No Warranty is given")
    (True, False)
    """
    capitals, small = sum(map(str.isupper, words)), sum(map(str.islower, words))
    return capitals >= 4 and small * 10 <= capitals


def _is_capitals(text: str, start: int, end: int) -> bool:
    """Whether a line is in capitals."""
    if end - start > CAPITALS_LENGTH:
        return False
    line = text[start:end]
    return line.isupper() and sum(map(str.isalpha, line)) >= 4
