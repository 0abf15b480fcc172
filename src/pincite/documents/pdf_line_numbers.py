"""Removes the line numbers in the left margin of pleadings and transcripts."""

import re
from dataclasses import replace

from pincite.documents.pdf_layout import PageLine

NUMBERED_LINES = 20
"""Lines of a page that must be numbered, from 1 without a gap."""

_NUMBER = re.compile(r"([0-9]{1,2})(?:\s+|$)")


def without_line_numbers(pages: list[list[PageLine]]) -> list[list[PageLine]]:
    """The pages without line numbers, if at least half of the pages have them."""
    runs = [_run(page) for page in pages]
    if 2 * sum(map(bool, runs)) < sum(map(bool, pages)):
        return pages
    return [
        [rest for line in page for rest in ([_stripped(line)] if id(line) in run else [line]) if rest is not None]
        for page, run in zip(pages, runs, strict=True)
    ]


def _run(page: list[PageLine]) -> set[int]:
    """The ids of the lines that begin with 1, 2, 3 and so on down the page, with the numbers aligned."""
    numbered: list[PageLine] = []
    for line in sorted(page, key=lambda line: -line.baseline):
        number = _NUMBER.match(line.text)
        if number and int(number[1]) == len(numbered) + 1 and (not numbered or _is_aligned(numbered[0], line)):
            numbered.append(line)
    return set(map(id, numbered)) if len(numbered) >= NUMBERED_LINES else set()


def _is_aligned(first: PageLine, line: PageLine) -> bool:
    """Whether two numbers share their left or right edge, and the text is not turned."""
    upright = abs(line.left - float(line.boxes[0, 0])) < 0.1
    digits = len(_digits(line))
    return upright and (
        abs(first.left - line.left) < 2 or abs(float(first.boxes[0, 2]) - float(line.boxes[digits - 1, 2])) < 2
    )


def _digits(line: PageLine) -> str:
    number = _NUMBER.match(line.text)
    return number[1] if number else ""


def _stripped(line: PageLine) -> PageLine | None:
    """A line without its number; None if nothing else is on it."""
    number = _NUMBER.match(line.text)
    if number is None or number.end() == len(line.text):
        return None
    text, boxes = line.text[number.end() :], line.boxes[number.end() :]
    word = len(text.split(maxsplit=1)[0])
    return replace(
        line,
        text=text,
        boxes=boxes,
        left=float(boxes[0, 0]),
        first_word=float(boxes[word - 1, 2] - boxes[0, 0]),
        cells=max(1, line.cells - (number.end() - len(number[1]) > 1)),
    )
