"""The words of cases as numbers, sentence by sentence: a text is read once, whatever analyses and windows follow."""

import re
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.cases.citations import without_citations
from pincite.cases.suppressed_citations import masked
from pincite.text import Document
from pincite.text.sentences import sentence_spans

WORD = re.compile(r"[^\W_]+")
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Cleaning:
    """What is blanked before a text is read, besides suppression marks and paragraph numbers."""

    french: bool = False
    """Lines in French."""
    citations: bool = False
    """Citations by reporter (the extra `cases`)."""

    def __call__(self, text: str) -> str:
        blanked = masked(text, drop_french=self.french)
        return without_citations(blanked) if self.citations else blanked


class WordNumbers(dict[str, int]):
    """Words and their numbers. A new word gets the next number."""

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self)
        return number


@dataclass(frozen=True, slots=True, eq=False)
class CaseWords:
    """The words of several cases in order, the sentences they stand in, and the cases these belong to."""

    words: NDArray[np.int32]
    ends: NDArray[np.int64]
    """Where the words of each sentence end, after a leading 0."""
    spans: NDArray[np.int64]
    """The offsets of each sentence."""
    firsts: NDArray[np.int64]
    """The first sentence of each case, followed by the number of all sentences."""

    @classmethod
    def read(
        cls, cases: Sequence[Document], numbers: WordNumbers, clean: Cleaning, progress: Progress | None = None
    ) -> "CaseWords":
        """Reads the cases, and adds their words to `numbers`."""
        words, ends = array("i"), array("q", [0])
        spans, firsts = array("q"), array("q", [0])
        for at, case in enumerate(cases):
            text = clean(case.text)
            for start, end in sentence_spans(text):
                spans.extend((start, end))
                words.extend(map(numbers.__getitem__, WORD.findall(text[start:end].lower())))
                ends.append(len(words))
            firsts.append(len(ends) - 1)
            if progress:
                progress(at + 1, len(cases))
        return cls(
            np.array(words, dtype=np.int32),
            np.array(ends, dtype=np.int64),
            np.array(spans, dtype=np.int64).reshape(-1, 2),
            np.array(firsts, dtype=np.int64),
        )

    def only(self, cases: Sequence[int]) -> "CaseWords":
        """Some of the cases, in the order given."""
        sentences = _ranges(self.firsts, np.array(cases, dtype=np.int64))
        counts = np.diff(self.ends)[sentences]
        return CaseWords(
            self.words[_ranges(self.ends, sentences)],
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            self.spans[sentences],
            np.concatenate([[0], np.cumsum(np.diff(self.firsts)[list(cases)])]).astype(np.int64),
        )

    @classmethod
    def joined(cls, parts: Sequence["CaseWords"]) -> "CaseWords":
        """Several readings, one after the other."""
        if len(parts) == 1:
            return parts[0]
        words = np.cumsum([0, *(len(part.words) for part in parts)])
        sentences = np.cumsum([0, *(len(part.spans) for part in parts)])
        zero = np.zeros(1, dtype=np.int64)
        return cls(
            np.concatenate([part.words for part in parts]),
            np.concatenate([zero, *(part.ends[1:] + shift for part, shift in zip(parts, words, strict=False))]),
            np.concatenate([part.spans for part in parts]),
            np.concatenate([zero, *(part.firsts[1:] + shift for part, shift in zip(parts, sentences, strict=False))]),
        )


def _ranges(edges: NDArray[np.int64], which: NDArray[np.int64]) -> NDArray[np.int64]:
    """The positions from `edges[i]` up to `edges[i + 1]` for each i of `which`, one after the other."""
    starts, lengths = edges[which], edges[which + 1] - edges[which]
    within = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    found: NDArray[np.int64] = np.repeat(starts, lengths) + within
    return found
