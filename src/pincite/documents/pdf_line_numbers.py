"""Removes the line numbers in the left margin of pleadings and transcripts."""

import re
from dataclasses import replace

from pincite.documents.pdf_layout import PageLine

NUMBERED_LINES = 20
"""Lines of a page that must be numbered, from 1 without a gap."""

CONTINUED = 0.2
"""Share of the numbered lines that go on in lower case, by which line numbers differ from the numbers of a list."""

_NUMBER = re.compile(r"([0-9]{1,2})(?:\s+|$)")


def without_line_numbers(pages: list[list[PageLine]]) -> list[list[PageLine]]:
    """The pages without line numbers: at least half of the pages have them, or the lines beside them run on."""
    runs = [_run(page) for page in pages]
    if 2 * sum(map(bool, runs)) < sum(map(bool, pages)):
        runs = [run if _runs_on(run) else [] for run in runs]
    kept: list[list[PageLine]] = []
    for page, run in zip(pages, runs, strict=True):
        numbered = set(map(id, run))
        rests = ([_stripped(line)] if id(line) in numbered else [line] for line in page)
        kept.append([rest for own in rests for rest in own if rest is not None])
    return kept


def _runs_on(run: list[PageLine]) -> bool:
    """Whether lines are the lines of sentences, or empty, and not the items of a list."""
    rests = [line.text[len(_digits(line)) :].strip() for line in run]
    return sum(not rest or rest[0].islower() for rest in rests) >= CONTINUED * len(run)


def _run(page: list[PageLine]) -> list[PageLine]:
    """The lines that begin with 1, 2, 3 and so on down the page, with the numbers aligned."""
    numbered: list[PageLine] = []
    for line in sorted(page, key=lambda line: -line.baseline):
        number = _NUMBER.match(line.text)
        if number and int(number[1]) == len(numbered) + 1 and (not numbered or _is_aligned(numbered[0], line)):
            numbered.append(line)
    return numbered if len(numbered) >= NUMBERED_LINES else []


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
