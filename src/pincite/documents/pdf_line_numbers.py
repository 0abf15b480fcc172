"""Numbered lines of pleadings and transcripts: the numbers in the left margin are no part of the text."""

import re
from dataclasses import replace

from pincite.documents.pdf_layout import Line

LEAST = 20
"""A page counts as numbered if the numbers at its lines' beginnings run from 1 to at least this."""

_NUMBER = re.compile(r"([0-9]{1,2})(?:\s+|$)")


def without_line_numbers(pages: list[list[Line]]) -> list[list[Line]]:
    """The pages without the numbers of their lines, if at least half of the pages have such numbers."""
    runs = [_run(page) for page in pages]
    if 2 * sum(map(bool, runs)) < sum(map(bool, pages)):
        return pages
    return [
        [rest for line in page for rest in ([_stripped(line)] if id(line) in run else [line]) if rest is not None]
        for page, run in zip(pages, runs, strict=True)
    ]


def _run(page: list[Line]) -> set[int]:
    """The lines that begin with 1, 2, 3 and so on down the page, with the numbers below each other."""
    found: list[Line] = []
    for line in sorted(page, key=lambda line: -line.baseline):
        number = _NUMBER.match(line.text)
        if number and int(number[1]) == len(found) + 1 and (not found or _is_below(found[0], line)):
            found.append(line)
    return set(map(id, found)) if len(found) >= LEAST else set()


def _is_below(first: Line, line: Line) -> bool:
    """Whether two numbers share their left or their right edge, and the text is not turned."""
    upright = abs(line.left - float(line.boxes[0, 0])) < 0.1
    digits = len(_digits(line))
    return upright and (
        abs(first.left - line.left) < 2 or abs(float(first.boxes[0, 2]) - float(line.boxes[digits - 1, 2])) < 2
    )


def _digits(line: Line) -> str:
    found = _NUMBER.match(line.text)
    return found[1] if found else ""


def _stripped(line: Line) -> Line | None:
    """A line without its number; None if nothing is left."""
    found = _NUMBER.match(line.text)
    if found is None or found.end() == len(line.text):
        return None
    text, boxes = line.text[found.end() :], line.boxes[found.end() :]
    word = len(text.split(maxsplit=1)[0])
    return replace(
        line,
        text=text,
        boxes=boxes,
        left=float(boxes[0, 0]),
        first_word=float(boxes[word - 1, 2] - boxes[0, 0]),
        cells=max(1, line.cells - (found.end() - len(found[1]) > 1)),
    )
