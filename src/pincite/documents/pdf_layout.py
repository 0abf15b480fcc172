"""Finds the lines of a page in reading order, in one column or several, in whatever order they were drawn."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.documents.pdf_chars import SOFT_HYPHEN, Floats, Ints, PageCharacters

CELL_GAP = 2.0
"""Gap between the cells of a row, as a multiple of the line height."""
BARE_GAP = 1.1
"""The same if the file has no blank in the gap. Justified lines stretch blanks, so gaps with one must be wider."""
VERSUS_GAP = 6.0
"""Gap behind "v." from which it is no clause number: in a caption the right column begins there."""
COLUMN_CHARS = 16
"""Average length of the lines, and of the pieces of lines, below which text does not count as a column."""
FILLED_SHARE = 0.4
"""Share of a column's width that its lines fill on average."""
DEEPEST_COLUMNS = 2
"""How often a column may be split into columns again."""

_MARK = re.compile(
    r"""(?:(?:article|section|clause|part|schedule|exhibit|annex|appendix)|§)?
    (?:\(?[0-9A-Za-z]{1,5}[.)]|[0-9]{1,3}(?:\.[0-9]{1,3})*\.?|[IVXLC]+\.?)|[-–—•●▪■◦‣·*o]""",
    re.VERBOSE | re.IGNORECASE,
)
"""A clause number or a bullet, with blanks removed."""


@dataclass(slots=True)
class PageLine:
    """A line of text on a page. Coordinates are upright: x grows along the line, y grows up the page."""

    page: int
    block: int
    """Number of the column that the line belongs to. It changes at each full-width line."""
    text: str
    boxes: Floats
    """One row per character, on the page before it is rotated; zeros for blanks."""
    left: float
    right: float
    baseline: float
    height: float
    first_word: float
    """Width of the first word. It shows whether the word would have fitted on the line before."""
    cells: int
    bold: bool = False
    first: int = 0
    last: int = 0
    """Indexes in pdfium of the first and the last character."""


@dataclass(slots=True)
class LinePieces:
    """Runs of characters that are close together on one baseline. Each field has one entry per run."""

    start: Ints
    end: Ints
    left: Floats
    right: Floats
    baseline: Floats
    height: Floats

    def take(self, which: Ints | NDArray[np.bool_]) -> "LinePieces":
        return LinePieces(*(getattr(self, name)[which] for name in self.__slots__))

    def __len__(self) -> int:
        return len(self.start)


def read_lines(chars: PageCharacters, page: int, first_block: int) -> list[PageLine]:
    """The lines of a page in reading order. Text in another direction than most of the page comes last."""
    lines: list[PageLine] = []
    turns, counts = np.unique(chars.turns, return_counts=True)
    for turn in turns[np.argsort(-counts, kind="stable")].tolist():
        pieces = _pieces(chars, np.flatnonzero(chars.turns == turn))
        for column in _columns(pieces, np.arange(len(pieces))):
            block = lines[-1].block + 1 if lines else first_block
            lines += (_line(chars, pieces, row, page, block) for row in _rows(pieces, column))
    return lines


def _pieces(chars: PageCharacters, which: Ints) -> LinePieces:
    """Cut the stream of characters where the baseline changes, the position jumps back, or a gap opens."""
    left, _, right, _ = chars.upright[which].T
    base = chars.baselines[which]
    height = np.maximum(chars.upright[which, 3] - chars.upright[which, 1], 0.1)
    tall = np.maximum(height[1:], height[:-1])
    gap = left[1:] - right[:-1]
    cut = (np.abs(np.diff(base)) > 0.15 * tall) | (gap > 0.9 * tall) | (gap < -0.6 * tall) | (np.diff(which) > 1)
    starts = np.concatenate([[0], np.flatnonzero(cut) + 1])
    ends = np.concatenate([starts[1:], [len(which)]])
    return LinePieces(
        which[starts],
        which[ends - 1] + 1,
        np.minimum.reduceat(left, starts),
        np.maximum.reduceat(right, starts),
        base[starts],
        np.maximum.reduceat(height, starts),
    )


def _rows(pieces: LinePieces, which: Ints) -> Iterable[list[int]]:
    """The pieces on each line, from top to bottom; within a line from left to right."""
    base, height, left = pieces.baseline, pieces.height, pieces.left
    row: list[int] = []
    level = size = 0.0
    for i in which[np.argsort(-base[which], kind="stable")].tolist():
        here, tall = float(base[i]), float(height[i])
        raised = 0.5 if min(size, tall) < 0.85 * max(size, tall) else 0.3
        if row and abs(level - here) > raised * max(size, tall):
            yield sorted(row, key=lambda piece: float(left[piece]))
            row = []
        if not row or tall > size * 1.05:
            level, size = here, tall
        row.append(i)
    if row:
        yield sorted(row, key=lambda piece: float(left[piece]))


def _line(chars: PageCharacters, pieces: LinePieces, row: list[int], page: int, block: int) -> PageLine:
    order = np.concatenate([np.arange(pieces.start[i], pieces.end[i]) for i in row])
    firsts = np.cumsum([0, *(int(pieces.end[i] - pieces.start[i]) for i in row)])[:-1]
    height = float(pieces.height[row].max())
    blanks = _blanks(chars, order, firsts, height)
    at = np.arange(len(order)) + np.cumsum(blanks)
    codes = np.full(int(at[-1]) + 1, 0x20, dtype="<u4")
    codes[at] = chars.codes[order]
    codes[:-1][codes[:-1] == SOFT_HYPHEN] = 0x2D
    boxes = np.zeros((len(codes), 4), dtype=np.float32)
    boxes[at] = chars.boxes[order]
    left, right = chars.upright[order, 0], chars.upright[order, 2]
    word = int(np.flatnonzero(blanks)[0]) if blanks.any() else len(order)
    return PageLine(
        page,
        block,
        codes.tobytes().decode("utf-32-le", "replace"),
        boxes,
        float(left.min()),
        float(right.max()),
        float(pieces.baseline[row][pieces.height[row].argmax()]),
        height,
        float(right[word - 1] - left[0]),
        1 + int((blanks == 2).sum()),
        first=int(chars.numbers[order[0]]),
        last=int(chars.numbers[order[-1]]),
    )


def _blanks(chars: PageCharacters, order: Ints, firsts: Ints, height: float) -> Ints:
    """The blanks before each character of a line: 1 between words, 2 between cells. `firsts` begin a piece."""
    spaced = chars.spaced[order]
    gap = np.concatenate([[0], chars.upright[order[1:], 0] - chars.upright[order[:-1], 2]])
    blanks = np.zeros(len(order), dtype=np.int64)
    blanks[spaced > 0] = 1
    blanks[firsts] = gap[firsts] > 0.12 * height
    blanks[gap > 0.3 * height] = 1
    blanks[(gap > CELL_GAP * height) | ((gap > BARE_GAP * height) & (spaced < 2))] = 2
    wide = np.flatnonzero(blanks == 2)
    lead = "".join(map(chr, chars.codes[order[: wide[0]]].tolist())) if len(wide) else ""
    versus = lead.casefold() in ("v.", "vs.") and gap[wide[0]] > VERSUS_GAP * height
    if _MARK.fullmatch(lead) and not versus:
        blanks[wide[0]] = 1  # the gap after a clause number or a bullet does not separate cells
    blanks[0] = 0
    return blanks


def _columns(pieces: LinePieces, which: Ints, depth: int = 0) -> list[Ints]:
    """The pieces of each column, in reading order.

    A gutter separates columns. Lines that cross it divide the page into bands; in a band the left column comes first.
    """
    gutter = _gutter(pieces.take(which)) if depth < DEEPEST_COLUMNS else None
    if gutter is None:
        return [which] if len(which) else []
    ordered: list[Ints] = []
    for wide, band in _bands(pieces, which, gutter):
        if wide or not (sides := _sides(pieces.take(band), gutter, least=1)):
            ordered.append(band)
            continue
        for side in sides:
            ordered += _columns(pieces, band[side], depth + 1)
    return ordered


def _bands(pieces: LinePieces, which: Ints, gutter: float) -> Iterable[tuple[bool, Ints]]:
    """From top to bottom: runs of lines that cross the gutter, and runs of lines that do not."""
    order = which[np.argsort(-pieces.baseline[which], kind="stable")]
    crossing = (pieces.left[order] < gutter - 1) & (pieces.right[order] > gutter + 1)
    base, tall = pieces.baseline[order], pieces.height[order]
    wide = np.flatnonzero(crossing)
    if len(wide):
        # A piece on the baseline of a full-width line belongs to that line.
        near = np.abs(base[:, None] - base[wide][None, :]) < 0.3 * np.minimum(tall[:, None], tall[wide][None, :])
        crossing = crossing | near.any(axis=1)
    edges = np.concatenate([[0], np.flatnonzero(np.diff(crossing)) + 1, [len(order)]])
    for start, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        yield bool(crossing[start]), order[start:end]


def _gutter(pieces: LinePieces) -> float | None:
    """The position of a gutter with columns of text on both sides; None for a single column."""
    if len(pieces) < 6:
        return None
    low, high = float(pieces.left.min()), float(pieces.right.max())
    tries = np.arange(low + 0.18 * (high - low), high - 0.18 * (high - low), 3.0)
    on_left = pieces.right[None, :] <= tries[:, None] + 1
    on_right = pieces.left[None, :] >= tries[:, None] - 1
    hopeful = np.flatnonzero((on_left.sum(axis=1) >= 3) & (on_right.sum(axis=1) >= 3))
    best, best_score, seen = None, 0, set()
    for i in hopeful.tolist():
        key = on_left[i].tobytes() + on_right[i].tobytes()
        if key in seen:
            continue
        seen.add(key)
        score = _gutter_score(pieces, float(tries[i]))
        if score > best_score:
            best, best_score = float(tries[i]), score
    return best


def _gutter_score(pieces: LinePieces, gutter: float) -> int:
    """The number of pieces on the emptier side of a gutter, over all bands that it divides into columns."""
    score = 0
    for wide, band in _bands(pieces, np.arange(len(pieces)), gutter):
        if not wide and (sides := _sides(pieces.take(band), gutter, least=3)):
            score += min(len(sides[0]), len(sides[1]))
    return score


def _sides(pieces: LinePieces, gutter: float, least: int) -> tuple[Ints, Ints] | None:
    """The two columns of a band, if there is a column of text on each side of the gutter."""
    middle = (pieces.left + pieces.right) / 2
    left, right = np.flatnonzero(middle < gutter), np.flatnonzero(middle >= gutter)
    if min(len(left), len(right)) < least:
        return None
    one, two = pieces.take(left), pieces.take(right)
    shared = min(one.baseline.max(), two.baseline.max()) - max(one.baseline.min(), two.baseline.min())
    spans = [float(side.baseline.max() - side.baseline.min()) for side in (one, two)]
    if least > 1 and (shared < 0.5 * min(spans) or two.left.min() - one.right.max() < 0.5 * np.median(pieces.height)):
        return None
    width = float(pieces.right.max() - pieces.left.min())
    return (left, right) if all(_is_column(side, width, least) for side in (one, two)) else None


def _is_column(side: LinePieces, width: float, least: int) -> bool:
    rows = 1 + int((np.abs(np.diff(np.sort(side.baseline))) > 0.3 * np.median(side.height)).sum())
    sizes = side.end - side.start
    if rows < least or sizes.sum() < COLUMN_CHARS * rows or (sizes**2).sum() < COLUMN_CHARS * sizes.sum():
        return False
    own = float(side.right.max() - side.left.min())
    return own >= 0.18 * width and float((side.right - side.left).sum()) >= FILLED_SHARE * own * rows
