"""Segmenters, which cut documents into passages."""

from pincite.errors import one_of
from pincite.segment.characters import FixedCharacters, RecursiveCharacters
from pincite.segment.clauses import Clauses
from pincite.segment.contract import Segmenter
from pincite.segment.sentences import SentenceWindows
from pincite.segment.words import WordWindows

SEGMENTERS: dict[str, type[Segmenter]] = {
    segmenter.name: segmenter
    for segmenter in (WordWindows, SentenceWindows, FixedCharacters, RecursiveCharacters, Clauses)
}


def segmenter(name: str, size: int | None = None, overlap: int | None = None) -> Segmenter:
    """The segmenter of that name. `size` and `overlap` count its own units, and default to its own values.

    >>> segmenter("words", size=200)
    WordWindows(size=200, step=100)
    """
    match name:
        case "words":
            words = size or WordWindows().size
            return WordWindows(words, words - (words // 2 if overlap is None else overlap))
        case "sentences":
            sentences = size or SentenceWindows().size
            return SentenceWindows(sentences, sentences - (overlap or 0))
        case "characters":
            return FixedCharacters(size or FixedCharacters().size, overlap or 0)
        case "recursive":
            return RecursiveCharacters(size or RecursiveCharacters().size)
        case "clauses":
            return Clauses()
    raise one_of("segmenter", name, sorted(SEGMENTERS))


__all__ = [
    "SEGMENTERS",
    "Clauses",
    "FixedCharacters",
    "RecursiveCharacters",
    "Segmenter",
    "SentenceWindows",
    "WordWindows",
    "segmenter",
]
