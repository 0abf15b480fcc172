"""The characters of a PDF page with their boxes, on the page and turned upright."""

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

SOFT_HYPHEN = 0xAD
_HYPHENS = (0x02, 0xAD, 0xFFFE)
"""The codes that pdfium gives for a hyphen at a line end, and the soft hyphen."""
_SPACES = np.array([c for c in range(0x3001) if chr(c).isspace() and not 0x1C <= c <= 0x1F] + [0x200B, 0xFEFF])
_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}


@dataclass(slots=True)
class PageCharacters:
    """Every visible character of a page: its code, its box on the page, and its upright box for the layout."""

    codes: Ints
    boxes: Floats
    """Left, bottom, right, top on the page before it is rotated."""
    upright: Floats
    """The same boxes after a turn that makes the text run from left to right."""
    baselines: Floats
    spaced: NDArray[np.int8]
    """What separates a character from the one before: 0 nothing, 1 a gap, 2 a blank in the file."""
    turns: NDArray[np.int8]
    """Quarter turns of the character, clockwise as seen on the unrotated page."""
    numbers: Ints
    """The index of the character in pdfium."""

    def __len__(self) -> int:
        return len(self.codes)


def read_chars(text_page: Any) -> PageCharacters:
    """The visible characters of a page, in the order in which they are drawn."""
    import pypdfium2.raw as pdfium

    count = max(0, pdfium.FPDFText_CountChars(text_page))
    unicode, loose, origin = pdfium.FPDFText_GetUnicode, pdfium.FPDFText_GetLooseCharBox, pdfium.FPDFText_GetCharOrigin
    codes = np.fromiter((unicode(text_page, i) for i in range(count)), dtype=np.int64, count=count)
    rects = (pdfium.FS_RECTF * count)()
    for i in range(count):
        loose(text_page, i, rects[i])
    raw = np.frombuffer(rects, dtype=np.float32).reshape(count, 4)
    boxes = np.stack([raw[:, 0], raw[:, 3], raw[:, 2], raw[:, 1]], axis=1) if count else raw
    points, angles = np.zeros((count, 2)), np.zeros(count)
    x, y = ctypes.c_double(), ctypes.c_double()
    changes = _changes(boxes).tolist()
    for i, end in zip(changes, [*changes[1:], count], strict=False):
        origin(text_page, i, x, y)
        points[i:end] = x.value, y.value
        angles[i:end] = pdfium.FPDFText_GetCharAngle(text_page, i)
    return _visible(codes, boxes, points, angles)


def _changes(boxes: Floats) -> Ints:
    """Where the height or baseline changes. Characters up to the next change share both."""
    if not len(boxes):
        return np.zeros(0, dtype=np.int64)
    other = np.diff(boxes, axis=0) != 0
    return np.flatnonzero(np.concatenate([[True], (other[:, 1] | other[:, 3]) & (other[:, 0] | other[:, 2])]))


def _visible(codes: Ints, boxes: Floats, points: NDArray[np.float64], angles: NDArray[np.float64]) -> PageCharacters:
    codes = np.where(np.isin(codes, _HYPHENS), SOFT_HYPHEN, codes)
    numbers = np.arange(len(codes))
    codes, keep = _join_surrogates(codes)
    space = np.isin(codes, _SPACES)
    control = (codes < 0x20) | ((codes >= 0x7F) & (codes < 0xA0)) | (codes >= 0xFFFE) & (codes <= 0xFFFF)
    keep &= ~space & ~control & np.isfinite(boxes).all(axis=1)
    keep &= (boxes[:, 2] > boxes[:, 0]) | (boxes[:, 3] > boxes[:, 1])
    real = space & ((boxes[:, 2] > boxes[:, 0]) | (boxes[:, 3] > boxes[:, 1]))
    order = np.flatnonzero(keep)
    spaced = (_any_before(space, order).astype(np.int8) + _any_before(real, order)).astype(np.int8)
    turns = (np.rint(angles[order] / (np.pi / 2)).astype(np.int64) % 4).astype(np.int8)
    upright, baselines = _upright(boxes[order], points[order], turns)
    chars = PageCharacters(codes[order], boxes[order], upright, baselines, spaced, turns, numbers[order])
    return _expand_ligatures(chars)


def _any_before(marks: NDArray[np.bool_], order: Ints) -> NDArray[np.bool_]:
    """For each kept character, whether a marked one precedes it and follows the previous kept one."""
    before = np.concatenate([[0], np.cumsum(marks)])[:-1]
    found: NDArray[np.bool_] = np.diff(before[order], prepend=0) > 0
    return found


def _join_surrogates(codes: Ints) -> tuple[Ints, NDArray[np.bool_]]:
    """Join the two halves of a UTF-16 surrogate pair. Single halves are dropped."""
    keep = np.ones(len(codes), dtype=bool)
    half = (codes >= 0xD800) & (codes < 0xE000)
    if not half.any():
        return codes, keep
    codes = codes.copy()
    high = np.flatnonzero((codes >= 0xD800) & (codes < 0xDC00))
    high = high[high + 1 < len(codes)]
    pairs = high[(codes[high + 1] >= 0xDC00) & (codes[high + 1] < 0xE000)]
    keep[half] = False
    keep[pairs] = True
    codes[pairs] = 0x10000 + ((codes[pairs] - 0xD800) << 10) + (codes[pairs + 1] - 0xDC00)
    return codes, keep


def _upright(boxes: Floats, points: NDArray[np.float64], turns: NDArray[np.int8]) -> tuple[Floats, Floats]:
    """Boxes and baselines, turned so that lines run from left to right and follow each other downwards."""
    left, bottom, right, top = boxes.T
    x, y = points.T.astype(np.float32)
    choices = [
        (left, bottom, right, top, y),
        (-top, left, -bottom, right, x),
        (-right, -top, -left, -bottom, -y),
        (bottom, -right, top, -left, -x),
    ]
    chosen = np.stack([np.choose(turns, [choice[column] for choice in choices]) for column in range(5)], axis=1)
    return chosen[:, :4].astype(np.float32), chosen[:, 4].astype(np.float32)


def _expand_ligatures(chars: PageCharacters) -> PageCharacters:
    """Replace each ligature by its letters, which share its box."""
    if not np.isin(chars.codes, list(_LIGATURES)).any():
        return chars
    letters = [_LIGATURES.get(code, "") for code in chars.codes.tolist()]
    times = np.array([len(word) or 1 for word in letters])
    codes = np.repeat(chars.codes, times)
    first = np.concatenate([[True], np.diff(np.repeat(np.arange(len(times)), times)) > 0])
    at = np.concatenate([[0], np.cumsum(times)])[:-1]
    for position, word in zip(at.tolist(), letters, strict=True):
        for offset, letter in enumerate(word):
            codes[position + offset] = ord(letter)
    return PageCharacters(
        codes,
        np.repeat(chars.boxes, times, axis=0),
        np.repeat(chars.upright, times, axis=0),
        np.repeat(chars.baselines, times),
        np.repeat(chars.spaced, times) * first,
        np.repeat(chars.turns, times),
        np.repeat(chars.numbers, times),
    )
