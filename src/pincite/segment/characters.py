"""LegalBench-RAG's splitters, for comparison: blocks of 500 characters, cut anywhere or at separators."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from pincite.errors import UsageError
from pincite.text import Document, Passage

SEPARATORS = ("\n\n", "\n", "!", "?", ".", ":", ";", ",", " ", "")
"""Where the recursive splitter may cut, best first; "" cuts anywhere."""


@dataclass(frozen=True, slots=True)
class FixedCharacters:
    """Blocks of `size` characters that share `overlap` characters with the block before.

    >>> lease = Document("quay.txt", "The rent is due.")
    >>> [lease.text[p.start : p.end] for p in FixedCharacters(size=6)(lease)]
    ['The re', 'nt is ', 'due.']
    """

    size: int = 500
    overlap: int = 0
    name: ClassVar[str] = "characters"
    covers: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 0 <= self.overlap < self.size:
            raise UsageError(
                f"blocks of {self.size} characters cannot overlap by {self.overlap}; "
                "the overlap must be at least 0 and less than the size"
            )

    def __call__(self, document: Document) -> Iterator[Passage]:
        step = self.size - self.overlap
        for start in range(0, max(1, len(document.text) - self.overlap), step):
            end = min(start + self.size, len(document.text))
            if start < end:
                yield Passage(document.id, start, end)


@dataclass(frozen=True, slots=True)
class RecursiveCharacters:
    """Blocks of at most `size` characters, cut at the best separator, without overlap and without loss.

    A separator starts the block after it. This is LangChain's recursive splitter with LegalBench-RAG's settings.

    >>> lease = Document("quay.txt", "The rent is due. No pets.")
    >>> [lease.text[p.start : p.end] for p in RecursiveCharacters(size=18)(lease)]
    ['The rent is due', '. No pets.']
    """

    size: int = 500
    separators: tuple[str, ...] = SEPARATORS
    name: ClassVar[str] = "recursive"
    covers: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.size < 1:
            raise UsageError(f"invalid block size {self.size}; a block must hold at least 1 character")

    def __call__(self, document: Document) -> Iterator[Passage]:
        if document.text:
            for start, end in self._split(document.text, 0, len(document.text), self.separators):
                yield Passage(document.id, start, end)

    def _split(self, text: str, start: int, end: int, separators: tuple[str, ...]) -> Iterator[tuple[int, int]]:
        separator, finer = self._choose(text, start, end, separators)
        block_start = block_end = start
        for piece_start, piece_end in _pieces(text, start, end, separator):
            if piece_end - piece_start < self.size:
                if piece_end - block_start > self.size:
                    yield block_start, block_end
                    block_start = piece_start
                block_end = piece_end
                continue
            if block_start < block_end:
                yield block_start, block_end
            if finer:
                yield from self._split(text, piece_start, piece_end, finer)
            else:
                yield piece_start, piece_end
            block_start = block_end = piece_end
        if block_start < block_end:
            yield block_start, block_end

    @staticmethod
    def _choose(text: str, start: int, end: int, separators: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
        for place, separator in enumerate(separators):
            if not separator:
                return "", ()
            if text.find(separator, start, end) >= 0:
                return separator, separators[place + 1 :]
        return separators[-1], ()


def _pieces(text: str, start: int, end: int, separator: str) -> Iterator[tuple[int, int]]:
    """The pieces between separators, each with the separator that starts it; single characters for ""."""
    if not separator:
        yield from ((at, at + 1) for at in range(start, end))
        return
    cuts = [match.start() for match in re.finditer(re.escape(separator), text[start:end])]
    edges = [start, *(start + cut for cut in cuts if cut), end]
    yield from itertools.pairwise(edges)
