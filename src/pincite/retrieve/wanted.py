"""What a question demands of its hits: a "quoted phrase" must stand in them, a -word must not."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pincite.retrieve.shelves import Looked, Shelves
from pincite.text import Hit
from pincite.text.stems import stems

_PHRASE = re.compile(r"[\"“”]([^\"“”]+)[\"“”]")
_WITHOUT = re.compile(r"(?:^|(?<=\s))-(\w[\w'’-]*)")
_SPACE = re.compile(r"\s+")

Flags = NDArray[np.bool_]


class Allowed(NamedTuple):
    """Which units a hit may grow from (they hold the phrases), and which it may take in (they hold no -word)."""

    begin: Flags
    take: Flags


@dataclass(frozen=True)
class Wanted:
    """A question without its -words, and what its hits must and must not hold.

    >>> Wanted.of('termination "thirty days" -employee')
    Wanted(question='termination "thirty days"', phrases=('thirty days',), without=('employee',))
    """

    question: str
    phrases: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    @classmethod
    def of(cls, query: str) -> "Wanted":
        without = tuple(word.casefold() for word in _WITHOUT.findall(_PHRASE.sub(" ", query)))
        question = " ".join(_WITHOUT.sub("", query).split()) if without else query
        phrases = tuple(folded(phrase) for phrase in _PHRASE.findall(query) if phrase.strip())
        return cls(question, phrases, without)

    def __bool__(self) -> bool:
        return bool(self.phrases or self.without)

    def beside(self, reference: str) -> "Wanted":
        """The same without the phrases that only name a document."""
        named = folded(reference)
        return Wanted(self.question, tuple(phrase for phrase in self.phrases if phrase not in named), self.without)

    def documents(self, shelves: Shelves) -> Flags:
        """For every document, whether some unit of it may hold all the phrases: it has their words."""
        admitted = shelves.alive.copy()
        words = [stem for phrase in self.phrases for stem in stems(phrase)]
        if words:
            holding = np.zeros(len(shelves), dtype=np.bool_)
            holding[shelves.units_with(words)] = True
            admitted &= holding
        return admitted

    def units(self, shelves: Shelves, looked: Looked) -> Allowed:
        """For every unit that is looked at, whether it holds what it must, and whether nothing that it must not."""
        begin: list[bool] = []
        take: list[bool] = []
        for document in looked.documents.tolist():
            held = shelves.load(document)
            text, units = held.document.text, held.units
            for start, end in zip(units.starts.tolist(), units.ends.tolist(), strict=True):
                words = folded(text[start:end])
                take.append(not self._avoided(words))
                begin.append(take[-1] and self._held(words))
        return Allowed(np.array(begin, dtype=np.bool_), np.array(take, dtype=np.bool_))

    def fits(self, hit: Hit) -> bool:
        """Whether a hit that was made elsewhere holds what it must and nothing that it must not."""
        words = folded(hit.text)
        return self._held(words) and not self._avoided(words)

    def _held(self, words: str) -> bool:
        return all(pattern.search(words) for pattern in self._patterns)

    def _avoided(self, words: str) -> bool:
        return any(pattern.search(words) for pattern in self._avoid)

    @cached_property
    def _patterns(self) -> list[re.Pattern[str]]:
        return [_whole(phrase) for phrase in self.phrases]

    @cached_property
    def _avoid(self) -> list[re.Pattern[str]]:
        return [_whole(word) for word in self.without]


def _whole(words: str) -> re.Pattern[str]:
    """The words as they are, not inside other words: "rent" is not in "parent"."""
    return re.compile(rf"(?<!\w){re.escape(words)}(?!\w)")


def folded(text: str) -> str:
    """A text as phrases are looked for in it: lower case, one space between words, plain quotation marks."""
    return _SPACE.sub(" ", text).strip().casefold().replace("’", "'")
