"""Which words of a question name a document, which documents they name, and what is asked of them."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pincite.query.names import NameEvidence, NameStatistics
from pincite.text.document import DocumentKey
from pincite.text.english import ENGLISH
from pincite.text.language import Language

ENOUGH, ENOUGH_WITH_NAME = 0.34, 0.2
"""The least share of a reference's words that a document must hold; the second where one of them is a known name."""
KEEP = 0.72
"""Documents with at least this share of the best one's score are kept."""
MOST_MATCHES = 200
"""Documents that one reference may match."""
SHARPNESS = 18.0
"""How quickly belief falls with the score."""
KIND_IMPORTANCE, OTHER_IMPORTANCE = 0.35, 0.7
"""The weight of "Supply Agreement", and of other words of a reference, beside a name's weight of 1."""

_SEPARATORS = tuple(map(re.compile, (r"\s*;", r"\s+[-–—]\s+", r":(?=\s)")))
_QUOTED = re.compile(r"[\"“][^\"”]*[\"”]")
_CLOSING = re.compile(r"(?:[’']s\b)?(?:[.\"”’)]+(?=[?,;:\s]|$))?")
_TOKEN = re.compile(r"[^\W_]+")
_TIDY = ((re.compile(r"\s+([?.,;:!])"), r"\1"), (re.compile(r"[,;:]+(?=[?.!])"), ""), (re.compile(r"\s{2,}"), " "))


class DocumentMatch(NamedTuple):
    """A document that a question is about: how sure, and the words that say so."""

    key: DocumentKey
    belief: float
    why: str

    @property
    def id(self) -> str:
        return self.key.id

    def to_dict(self) -> dict[str, object]:
        return {"id": self.id, "belief": self.belief, "why": self.why}


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A question taken apart. Without documents it is asked of the whole collection."""

    question: str
    reference: str = ""
    documents: tuple[DocumentMatch, ...] = ()
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        return {"documents": [match.to_dict() for match in self.documents], "question": self.question}


class Token(NamedTuple):
    """A word of a query in lower case, and where it stands."""

    word: str
    start: int
    end: int


def parse(query: str, names: NameEvidence, language: Language = ENGLISH) -> ParsedQuery:
    """Takes a query apart into the document it names and what it asks."""
    return ReferenceParser(query, names, language).parse()


class ReferenceParser:
    """Finds the words of one query that name a document. `names` says how well a word tells documents apart."""

    def __init__(self, query: str, names: NameEvidence, language: Language) -> None:
        self.query = query
        self.names = names
        self.language = language
        self.patterns = language.question
        self.tokens = [Token(match.group().lower(), *match.span()) for match in _TOKEN.finditer(query)]

    def parse(self) -> ParsedQuery:
        plain = {*self.patterns.kinds, *self.patterns.companies, *self.patterns.glue}
        self.statistics = self.names.name_statistics({token.word for token in self.tokens} - plain)
        anchors = [at for at in range(len(self.tokens)) if self._is_anchor(at)]
        span = self._extent(anchors)
        if span is None:
            return ParsedQuery(self.query.strip())
        reference, question = self.query[slice(*span)], self._without(*span)
        inside = [token.word for token in self.tokens if span[0] <= token.start and token.end <= span[1]]
        words = [word for word in inside if word not in self.patterns.glue and word not in self.patterns.lead_words]
        if not question or not words:
            return ParsedQuery(self.query.strip())
        known = {self.tokens[at].word for at in anchors} & set(words)
        importance = {word: self._importance(word) for word in words} | dict.fromkeys(known, 1.0)
        documents = self._matches(importance, ENOUGH_WITH_NAME if known else ENOUGH)
        if documents:
            return ParsedQuery(question, reference, documents)
        note = f"no document is called {reference.strip(' ,;:?')!r}: all documents were searched"
        return ParsedQuery(question, reference, (), (note,))

    def _is_anchor(self, at: int) -> bool:
        """Whether a word singles out few documents by their names."""
        word, start, _ = self.tokens[at]
        statistics = self.statistics.get(word, NameStatistics())
        if word in self.language.stop_words or word in self.patterns.openers:
            return False
        count = self.names.document_count
        if not statistics.named or statistics.named > max(2, 0.25 * count):
            return False
        if start > 0 and self.query[start - 1] in "\"“'‘":
            return True
        few = 2 / max(count, 1)
        if self.query[start].isupper() and at > 0:
            return statistics.share <= max(0.35, few) and not word.isdigit()
        return len(word) >= 3 and not word.isdigit() and statistics.share <= max(0.05, few) and count >= 3

    def _extent(self, anchors: Sequence[int]) -> tuple[int, int] | None:
        """Where the reference stands: a lead before ";" or a comma, else the words around the anchors."""
        query, tokens = self.query, self.tokens
        lead = self.patterns.lead.match(query)
        for separator in self._separators():
            named = any(tokens[at].end <= separator.start() for at in anchors)
            opening = tokens[0].word not in self.patterns.openers if tokens else False
            if (named and (lead or opening)) or (lead and separator.group().strip() == ";"):
                return 0, separator.end()
        if lead and anchors:
            commas = [match.start() for match in re.finditer(r"[,:]", query) if self._opens(match.start() + 1)]
            behind = [place for place in commas if any(tokens[at].end <= place for at in anchors)]
            if behind:
                return 0, behind[0] + 1
        return self._around(anchors) if anchors else None

    def _around(self, anchors: Sequence[int]) -> tuple[int, int]:
        """The words around the anchors that belong to the reference."""
        query, tokens = self.query, self.tokens
        first, last = self._cluster(anchors)
        while first > 0 and self._joins_left(first - 1):
            first -= 1
        while last + 1 < len(tokens) and self._joins_right(last + 1):
            last += 1
        while first < last and tokens[first].word in self.patterns.glue:
            first += 1
        start, end = tokens[first].start, tokens[last].end
        if start > 0 and query[start - 1] in '"“‘':
            start -= 1
        if end < len(query) and query[end] in '"”':
            end += 1
        closing = _CLOSING.match(query, end)
        end = closing.end() if closing else end
        before = self.patterns.before.search(query[:start])
        return (before.start() if before else start), end

    def _separators(self) -> list[re.Match[str]]:
        """What may separate a reference from its question, the surest first; nothing inside quotation marks."""
        masked = _QUOTED.sub(lambda quoted: "x" * len(quoted.group()), self.query)
        return [match for pattern in _SEPARATORS for match in pattern.finditer(masked)]

    def _opens(self, place: int) -> bool:
        word = _TOKEN.search(self.query, place)
        return word is not None and word.group().lower() in self.patterns.openers

    def _cluster(self, anchors: Sequence[int]) -> tuple[int, int]:
        """The run of anchors that belong together: between them only names, kinds and glue."""
        groups: list[list[int]] = [[anchors[0]]]
        for at in anchors[1:]:
            between = self.tokens[groups[-1][-1] + 1 : at]
            if all(map(self._is_namelike, between)) and len(between) <= 8:
                groups[-1].append(at)
            else:
                groups.append([at])
        best = max(groups, key=lambda group: (len({self.tokens[at].word for at in group}), group[0]))
        return best[0], best[-1]

    def _is_namelike(self, token: Token) -> bool:
        if token.word in self.patterns.breakers:
            return False
        known = self._is_kind(token.word) or token.word in self.patterns.glue
        return known or self._is_capital(token) or token.word.isdigit()

    def _is_kind(self, word: str) -> bool:
        return word in self.patterns.kinds or word in self.patterns.companies

    def _is_capital(self, token: Token) -> bool:
        return self.query[token.start].isupper()

    def _joins_left(self, at: int) -> bool:
        token = self.tokens[at]
        gap = self.query[token.end : self.tokens[at + 1].start]
        if any(mark in gap for mark in ";?!:,"):
            return False
        capital = self._is_capital(token) and token.start > 0 and token.word not in self.patterns.openers
        return self._is_kind(token.word) or token.word in self.patterns.joining or capital

    def _joins_right(self, at: int) -> bool:
        token = self.tokens[at]
        gap = self.query[self.tokens[at - 1].end : token.start]
        if any(mark in gap for mark in ";?!:"):
            return False
        if self._is_kind(token.word) or token.word == "s":
            return True
        if self._is_capital(token) and token.word not in self.patterns.openers and "," not in gap:
            return True
        if token.word in ("and", "of", "for", "with") and at + 1 < len(self.tokens):
            following = self.tokens[at + 1]
            return self._is_capital(following) or following.word in self.patterns.kinds
        return False

    def _without(self, start: int, end: int) -> str:
        """What is asked: the query without the reference, tidied."""
        patterns = self.patterns
        before, after = self.query[:start].rstrip(" ,"), self.query[end:].lstrip(" ,;:")
        middle = " "
        inside = before and after and after[0] not in "?.!,;" and not patterns.preposition.search(before)
        if inside and patterns.auxiliary.search(before):
            # "what does [the Acme policy] say about cookies": something must stand where the name stood.
            middle = f" {patterns.subject} "
        text = patterns.preposition_left.sub("", before).rstrip() + middle + after
        for pattern, replacement in _TIDY:
            text = pattern.sub(replacement, text)
        return text.strip(" ,;:")

    def _importance(self, word: str) -> float:
        """How much a word of a reference matters; one that no document knows speaks against all of them."""
        if self._is_kind(word):
            return KIND_IMPORTANCE
        return OTHER_IMPORTANCE if self.statistics.get(word, NameStatistics()).documents else 1.0

    def _matches(self, words: Mapping[str, float], enough: float) -> tuple[DocumentMatch, ...]:
        """The documents that the words name, with belief in proportion."""
        named = self.names.documents_named(words, KEEP, MOST_MATCHES)
        if not named or named[0].score < enough:
            return ()
        weights = [math.exp(SHARPNESS * (document.score - named[0].score)) for document in named]
        total = sum(weights)
        found = [
            DocumentMatch(document.key, weight / total, f"named by: {', '.join(document.words)}")
            for document, weight in zip(named, weights, strict=True)
        ]
        return tuple(sorted(found, key=lambda match: (-match.belief, match.key)))
