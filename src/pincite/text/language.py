"""A language: everything about words, sentences, dates and questions that another language would say differently."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from pincite.errors import one_of
from pincite.text.sentences import Span, sentence_spans

if TYPE_CHECKING:
    from Stemmer import Stemmer

_TOKEN = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class QuestionPatterns:
    """How questions are worded: what only makes them questions, and what names a document or a definition."""

    frames: re.Pattern[str]
    """"Does the document state that ...": carries no content."""
    openings: re.Pattern[str]
    """"What is the ...": carries no content."""
    tail: re.Pattern[str]
    """"... under this contract" at the end: carries no content."""
    openers: frozenset[str]
    """Words that a question begins with."""
    kinds: frozenset[str]
    """Words for kinds of documents: they help a reference but never are one."""
    companies: frozenset[str]
    """Words for forms of companies."""
    trades: frozenset[str]
    """Words for what companies do that stand in many of their names: none of them alone names a company."""
    glue: frozenset[str]
    """Words that may stand inside a reference and say nothing."""
    breakers: frozenset[str]
    """Words that begin another thought between two names."""
    lead_words: frozenset[str]
    """Words of `lead` that carry no name."""
    joining: frozenset[str]
    """Words that may stand before a name and belong to it."""
    lead: re.Pattern[str]
    """"Regarding", "under", "in": what a reference at the beginning starts with."""
    before: re.Pattern[str]
    """"as set out in the": what may precede a reference and goes with it."""
    preposition: re.Pattern[str]
    """A preposition at the end of what precedes a reference."""
    preposition_left: re.Pattern[str]
    """The same, to be cut off with the reference."""
    auxiliary: re.Pattern[str]
    """A verb that needs a subject where the reference stood."""
    subject: str
    """What stands in for that subject."""
    defines: re.Pattern[str]
    """A definition in a contract; its first group is the term."""
    definition_asked: tuple[re.Pattern[str], ...]
    """Questions for a definition; the first group is the term."""


@dataclass(frozen=True, eq=False)
class Language:
    """One language. An index records the name of its language and reads its texts and questions with it.

    >>> from pincite.text.english import ENGLISH
    >>> ENGLISH.stems("The Recipient's obligations are NOT assignable.")
    ['recipi', 'oblig', 'assign']
    """

    name: str
    snowball: str
    """The name of its Snowball stemmer."""
    stop_words: frozenset[str]
    months: tuple[str, ...]
    """The names of the months, January first."""
    question: QuestionPatterns
    thesaurus: Mapping[str, str] = field(default_factory=dict)
    """What lawyers call a clause, and the words that such a clause is drafted in."""

    def stems(self, text: str) -> list[str]:
        """The stems of a text in order, without stop words and single letters."""
        return [stem for stem in map(self._stems.__getitem__, _TOKEN.findall(text.lower())) if stem]

    def sentences(self, text: str, *, across_lines: bool = False) -> Iterator[Span]:
        """Where the sentences of a text stand."""
        return sentence_spans(text, across_lines=across_lines)

    @cached_property
    def _stems(self) -> "_Stems":
        from Stemmer import Stemmer

        return _Stems(Stemmer(self.snowball), self.stop_words)

    @cached_property
    def thesaurus_keys(self) -> dict[str, re.Pattern[str]]:
        """The keys of the thesaurus as they are found in a question, hyphen or blank alike."""
        return {
            key: re.compile(r"\b" + re.escape(key).replace(r"\-", r"[-\s]?").replace(r"\ ", r"[-\s]+"), re.IGNORECASE)
            for key in self.thesaurus
        }


class _Stems(dict[str, str]):
    """Remembers the stem of every word it was asked for; "" for a stop word."""

    def __init__(self, stemmer: "Stemmer", stop_words: frozenset[str]) -> None:
        super().__init__()
        self._stemmer, self._stop_words = stemmer, stop_words

    def __missing__(self, word: str) -> str:
        skipped = word in self._stop_words or (len(word) == 1 and not word.isdigit())
        stem = "" if skipped else str(self._stemmer.stemWord(word))
        self[word] = stem
        return stem


def language_named(name: str) -> Language:
    """The language of that name; an unknown name is an error that lists the known ones."""
    from pincite.text.english import ENGLISH

    known = {ENGLISH.name: ENGLISH}
    if name not in known:
        raise one_of("language", name, list(known))
    return known[name]
