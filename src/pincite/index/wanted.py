"""What a question demands of its hits: a "quoted phrase" must stand in them, a -word must not."""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.retrieve.shelves import Looked, Shelves
from pincite.text.stems import stems

_PHRASE = re.compile(r"[\"“”]([^\"“”]+)[\"“”]")
_WITHOUT = re.compile(r"(?:^|(?<=\s))-(\w[\w'’-]*)")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
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

    def documents(self, shelves: Shelves) -> NDArray[np.bool_]:
        """For every document, whether some unit of it may hold all the phrases: it has their words."""
        admitted = shelves.alive.copy()
        words = [stem for phrase in self.phrases for stem in stems(phrase)]
        if words:
            holding = np.zeros(len(shelves), dtype=np.bool_)
            holding[shelves.units_with(words)] = True
            admitted &= holding
        return admitted

    def units(self, shelves: Shelves, looked: Looked) -> NDArray[np.bool_]:
        """For every unit that is looked at, whether it holds what it must and nothing that it must not."""
        avoided = re.compile("|".join(rf"\b{re.escape(word)}\b" for word in self.without)) if self.without else None
        allowed = []
        for document in looked.documents.tolist():
            held = shelves.load(document)
            text, units = held.document.text, held.units
            for start, end in zip(units.starts.tolist(), units.ends.tolist(), strict=True):
                words = folded(text[start:end])
                fits = all(phrase in words for phrase in self.phrases)
                allowed.append(fits and not (avoided and avoided.search(words)))
        return np.array(allowed, dtype=np.bool_)


def folded(text: str) -> str:
    """A text as phrases are looked for in it: lower case, one space between words, plain quotation marks."""
    return _SPACE.sub(" ", text).strip().casefold().replace("’", "'")
