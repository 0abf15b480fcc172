"""What a question demands of its answers: a "quoted phrase" must occur in them, a -word must not."""

import re
from dataclasses import dataclass
from functools import cached_property

_PHRASE = re.compile(r"[\"“”]([^\"“”]+)[\"“”]")
_EXCLUDED = re.compile(r"(?:^|(?<=\s))-(\w[\w'’-]*)")
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class QueryConstraints:
    """A question without its -words, and what its answers must and must not contain.

    >>> QueryConstraints.of('termination "thirty days" -employee')
    QueryConstraints(question='termination "thirty days"', phrases=('thirty days',), excluded=('employee',))
    """

    question: str
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()

    @classmethod
    def of(cls, query: str) -> "QueryConstraints":
        excluded = tuple(word.casefold() for word in _EXCLUDED.findall(_PHRASE.sub(" ", query)))
        question = " ".join(_EXCLUDED.sub("", query).split()) if excluded else query
        phrases = dict.fromkeys(folded(phrase) for phrase in _PHRASE.findall(query) if phrase.strip())
        return cls(question, tuple(phrases), tuple(dict.fromkeys(excluded)))

    def __bool__(self) -> bool:
        return bool(self.phrases or self.excluded)

    def beside(self, reference: str) -> "QueryConstraints":
        """The same without the phrases that only name a document."""
        named = folded(reference)
        return QueryConstraints(
            self.question, tuple(phrase for phrase in self.phrases if phrase not in named), self.excluded
        )

    def allows(self, text: str) -> bool:
        """Whether a text holds every phrase and no excluded word."""
        if not self.may_stand_in(text):
            return False
        words = folded(text)
        return self._has_phrases(words) and not self._has_excluded(words)

    def allows_beside(self, text: str) -> bool:
        """Whether a text may be part of an answer: it holds no excluded word."""
        return not (self.excluded and self._has_excluded(folded(text)))

    def may_stand_in(self, text: str) -> bool:
        """Whether a text may hold every phrase: it has their longest words. Quicker than folding all its parts."""
        low = text.casefold()
        return all(word in low for word in self._longest)

    @cached_property
    def _longest(self) -> list[str]:
        return [max(_WORD.findall(phrase), key=len, default="") for phrase in self.phrases]

    def _has_phrases(self, words: str) -> bool:
        return all(pattern.search(words) for pattern in self._required)

    def _has_excluded(self, words: str) -> bool:
        return any(pattern.search(words) for pattern in self._forbidden)

    @cached_property
    def _required(self) -> list[re.Pattern[str]]:
        return [_whole(phrase) for phrase in self.phrases]

    @cached_property
    def _forbidden(self) -> list[re.Pattern[str]]:
        return [_whole(word) for word in self.excluded]


def _whole(words: str) -> re.Pattern[str]:
    """The words as they are, not inside other words: "rent" is not in "parent"."""
    return re.compile(rf"(?<!\w){re.escape(words)}(?!\w)")


def folded(text: str) -> str:
    """A text as phrases are looked for in it: lower case, one space between words, plain quotation marks."""
    return _SPACE.sub(" ", text).strip().casefold().replace("’", "'")
