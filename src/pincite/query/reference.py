"""Which words of a question name a document, which documents they name, and what is asked of them.

Every stretch of a question is a candidate (`reference_spans`). A small linear model, fitted on references that people
wrote (`pincite train references`), says how likely each one is a reference, and which document it means. What is
uncertain stays in the question and only raises documents.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from pincite.query.asked import Asked, asked
from pincite.query.names import IN_BODY, IN_HEAD, RUN_TOGETHER, NameCandidate, NameSource
from pincite.query.reference_spans import DOCUMENT, FEATURES, POINTS, Array, ReferenceSpans
from pincite.query.spelling import SpellingCorrection, corrected, notes
from pincite.text.document import DocumentKey
from pincite.text.english import ENGLISH
from pincite.text.language import Language

LIKELY = 0.5
"""A stretch is taken for a reference from this probability on."""
HINT = 0.1
"""Below `LIKELY` but above this, a stretch stays in the question and raises the documents that it may mean."""
SURE = 0.9
"""From this belief on, a document is called sure."""
KEEP = 0.4
"""Documents with at least this share of the best one's belief are kept."""
FITS = 0.35
"""The least score of a document that a reference means; below it no document is called so."""
MOSTLY = 0.6
"""The share of a reference's words that its document must hold for the reference to be taken out of the question."""
MOST_HINTS = 3
"""Documents that an uncertain reference raises."""
MOST_TITLED = 3
"""Documents that may have the title that a question says."""
MOST_ALIKE = 8
"""Documents that fit alike whose texts are compared with what is asked."""
MOST_MATCHES = 40
"""Documents that one reference may match."""

_CLOSING = re.compile(r"(?:\.(?:txt|pdf|docx?|md|html?|rtf)\b)?(?:[’']s\b)?(?:[.\"”’)\]]+(?=[?,;:\s]|$))?")
_OPENING = re.compile(
    r"(?:\bi\s+mean\s*|\b(?:i\s+am|we\s+are)\s+reading\s*|\blooking\s+at\s*|\bre:?\s*|\b(?:the\s+)?file\s+(?:name\s+)?)?"
    r"(?:[\[(\"“]\s*)?(?:(?:the|our|my)\s+)?[\[(\"“]?$",
    re.IGNORECASE,
)
_TIDY = (
    (re.compile(r"[\[(]\s*[\])]"), " "),
    (re.compile(r"(?<!\s)\s++([?.,;:!])"), r"\1"),
    (re.compile(r"(?<![,;:])[,;:]++(?=[?.!])"), ""),
    (re.compile(r"\s{2,}"), " "),
)
_TERM = re.compile(
    r"\W*(?:(?:what\s+is\s+)?the\s+)?(?:(?:definition|meaning)\s+of|define)\s+(?:the\s+)?[\"“'‘]?(?=\w)"
    r"|\W*who\s+(?:is|are|was|were)\s+the\s+(?=(?-i:[a-z]))",
    re.IGNORECASE,
)
"""What a term follows whose definition is asked, or a role whose holder is."""
_POSSESSIVE = re.compile(r"[’']s?\s")
_EDGES = " ,;:-–—()[]"
_REFERS = re.compile(
    r"\b(?:in|under|per|within|according\s+to|pursuant\s+to|re|regarding|concerning)\s+(?:(?:the|our|my|their)\s+)?$",
    re.IGNORECASE,
)
"""What precedes a name that says where to look; "to", "by" and "from" precede one that takes part."""


NOT_CALLED = "no document is called {!r}: all documents were searched"
_COMPARES = re.compile(r"\b(?:compar\w+|contrast|differ\w*)\b", re.IGNORECASE)
_ACTS = re.compile(r"\b(?:can|may|could|does|do|did|will|would|must|should|shall|is|was|has|if)\s+$", re.IGNORECASE)
"""What precedes a name that says who acts."""


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
    hints: tuple[DocumentMatch, ...] = ()
    """Documents that the question may mean without saying so clearly. Its words stay in the question."""
    only_names: bool = False
    """Whether nothing is asked: the question only names a document."""
    corrections: tuple[SpellingCorrection, ...] = ()
    """Typing errors, and how they were read."""
    focus: str = ""
    """The question without names that belong to it, where it has any."""
    asked: Asked = field(default_factory=Asked)
    """What kind of thing is asked for."""

    @property
    def read(self) -> str:
        """The question as models read it."""
        return self.focus or self.question

    def to_dict(self) -> dict[str, object]:
        return {
            "documents": [match.to_dict() for match in self.documents],
            "question": self.question,
            "corrections": [correction._asdict() for correction in self.corrections],
        }


@dataclass(frozen=True)
class ReferenceWeights:
    """The weights of the features of stretches and of documents."""

    span: Array
    document: Array

    @classmethod
    def of(cls, values: Mapping[str, Mapping[str, float]]) -> "ReferenceWeights":
        span = np.array([values["span"].get(name, 0.0) for name in FEATURES])
        return cls(span, np.array([values["document"].get(name, 0.0) for name in DOCUMENT]))


@lru_cache(maxsize=1)
def shipped_weights() -> ReferenceWeights:
    """The weights in the package."""
    text = files("pincite.query").joinpath("reference_weights.json").read_text(encoding="utf-8")
    return ReferenceWeights.of(json.loads(text))


def parse(query: str, names: NameSource, language: Language = ENGLISH) -> ParsedQuery:
    """Takes a query apart into the document it names and what it asks. Typing errors are mended first."""
    text, corrections = corrected(query, names)
    parsed = ReferenceParser(text, names, language).parse()
    kind = Asked() if parsed.only_names else asked(parsed.question, language)
    return replace(parsed, notes=(*notes(corrections), *parsed.notes), corrections=corrections, asked=kind)


def parse_without_reference(query: str, names: NameSource, language: Language = ENGLISH) -> ParsedQuery:
    """The same for a query that is asked of given documents, whatever it seems to name."""
    text, corrections = corrected(query, names)
    question = text.strip()
    return ParsedQuery(question, notes=notes(corrections), corrections=corrections, asked=asked(question, language))


@dataclass(slots=True)
class ReferenceParser:
    """Finds the words of one query that name a document."""

    query: str
    names: NameSource
    language: Language
    weights: ReferenceWeights = field(default_factory=shipped_weights)

    def parse(self) -> ParsedQuery:
        """The query taken apart. Of documents that fit alike the one comes first whose text matches what is asked."""
        parsed = self._parsed()
        matches = parsed.documents
        alike = [match for match in matches if round(match.belief, 6) == round(matches[0].belief, 6)]
        if parsed.only_names or not 1 < len(alike) <= MOST_ALIKE:
            return parsed
        scores = self.names.best_passages(parsed.read, [match.key for match in alike])
        order = sorted(range(len(alike)), key=lambda at: -round(scores[at], 6))
        return replace(parsed, documents=(*(alike[at] for at in order), *matches[len(alike) :]))

    def _parsed(self) -> ParsedQuery:
        spans = ReferenceSpans(self.query, self.names, self.language)
        whole = ParsedQuery(self.query.strip(), notes=self._unknown(spans))
        if not len(spans):
            return whole
        chances = self._chances(spans)
        best = self._best(spans, chances)
        likely = _together(spans, chances, best)
        matches = self._matches(spans, best)
        pointed = self._compared(spans) or self._pointed(spans)
        if pointed is not None and pointed.asked.across:
            return pointed
        if pointed is not None and (likely < LIKELY or not matches or self._is_outdone(spans, best, matches, pointed)):
            return pointed
        if likely < LIKELY and (titled := self._titled(spans)) is not None:
            return titled
        if likely < LIKELY:
            hinted = matches[:MOST_HINTS] if likely >= HINT else ()
            return replace(whole, hints=tuple(match._replace(belief=match.belief * likely) for match in hinted))
        return self._named(spans, best, matches)

    def _titled(self, spans: ReferenceSpans) -> ParsedQuery | None:
        """The question as one about the documents whose title it says: "under the retention policy", where one to three
        documents are called so by every word."""
        for at in spans.titles():
            called = set(spans.called_by_all(at))
            before = self.query[: spans.tokens[spans.first[at]].start]
            if not 0 < len(called) <= MOST_TITLED or not _REFERS.search(before):
                continue
            documents = spans.evidence.documents
            keys = {documents[place].key for place in called}
            matches = tuple(match for match in self._matches(spans, at) if match.key in keys)
            if len(matches) == len(keys):
                return self._named(spans, at, matches)
        return None

    def _is_outdone(
        self, spans: ReferenceSpans, at: int, matches: tuple[DocumentMatch, ...], pointed: ParsedQuery
    ) -> bool:
        """Whether a stretch without a name, "2025" or "the letter of credit", leads away from the documents that names
        elsewhere in the question point to."""
        keys = {match.key for match in pointed.documents}
        return spans.surest_name(at) < POINTS and not any(match.key in keys for match in matches)

    def _pointed(self, spans: ReferenceSpans) -> ParsedQuery | None:
        """The question as one about the documents that its names point to, where nothing is said as a reference: "can
        Acme pay early?" is about Acme's agreements. Its words all stay in it."""
        evidence = None if asked(self.query, self.language).across else spans.pointing()
        if evidence is None:
            return None
        places, documents = evidence
        found = sorted((spans.evidence.documents[at] for at in documents), key=_newest_first)
        words = ", ".join(dict.fromkeys(spans.tokens[place].word for place in places))
        matches = tuple(DocumentMatch(each.key, 1 / len(found), f"mentions: {words}") for each in found)
        if len(matches) > 1:
            # "Can Acme delete my account?" of Acme's five policies: without Acme nobody says who deletes.
            places = [at for at in places if not _ACTS.search(self.query[: spans.tokens[at].start])]
        return ParsedQuery(self.query.strip(), "", matches, focus=self._cut(spans, places) if places else "")

    def _best(self, spans: ReferenceSpans, chances: Array) -> int:
        """The likeliest stretch. One that leaves nothing to ask must consist of names alone: "Acme warranty period" is
        no name."""
        if term := _TERM.match(self.query):
            # "definition of Net Worth Acme": the words right behind are the term, whatever documents they name.
            free = np.array([spans.tokens[first].start > term.end() for first in spans.first.tolist()])
            chances = np.where(free, chances, -1.0) if free.any() else chances
        best = int(np.argmax(chances))
        leaves = spans.features[:, FEATURES.index("nothing left")] == 0
        if leaves[best] or not leaves.any() or spans.has_names_alone(best):
            return best
        return int(np.argmax(np.where(leaves, chances, -1.0)))

    def _chances(self, spans: ReferenceSpans) -> Array:
        """How likely each stretch is the reference; the rest of 1 is that there is none."""
        scores = spans.features @ self.weights.span
        top = max(0.0, float(scores.max()))
        grown = np.exp(scores - top)
        chances: Array = grown / (grown.sum() + np.exp(-top))
        return chances

    def _named(self, spans: ReferenceSpans, at: int, matches: tuple[DocumentMatch, ...]) -> ParsedQuery:
        start, end = self._extent(spans, at)
        reference, question = self.query[start:end].strip(_EDGES), self._without(start, end, spans.kind_at_end(at))
        if not spans.says_which(at):
            return ParsedQuery(self.query.strip(), notes=self._unknown(spans))
        if not _says_something(question, self.language) and not asked(question, self.language).fact:
            return ParsedQuery(self.query.strip(), reference, matches, only_names=bool(matches))
        if not self._stands_apart(spans, at):
            # "May Acme assign?": Acme names the document and belongs to what is asked.
            whole = self.query.strip()
            notes = () if matches else self._unknown(spans)
            return ParsedQuery(
                whole, reference if matches else "", matches, notes, focus=self._without_names(spans, at)
            )
        if matches:
            return ParsedQuery(question, reference, matches)
        called = self.query[spans.tokens[spans.first[at]].start : spans.tokens[spans.last[at]].end]
        return ParsedQuery(question, reference, (), (NOT_CALLED.format(called),))

    def _unknown(self, spans: ReferenceSpans) -> tuple[str, ...]:
        """What is said of a document that the question names with words that no document holds: "the Zebulon lease"."""
        called = spans.unknown_name()
        return (NOT_CALLED.format(called),) if called else ()

    def _compared(self, spans: ReferenceSpans) -> ParsedQuery | None:
        """The question as one about all the documents whose names it mentions, where it compares several."""
        kind = asked(self.query, self.language)
        if not kind.across or not _COMPARES.search(self.query):
            return None
        names = spans.pointing_each()
        keys = dict.fromkeys(spans.evidence.documents[at].key for _, documents in names for at in documents)
        if len(keys) < 2:
            return None
        matches = tuple(
            DocumentMatch(spans.evidence.documents[at].key, 1 / len(keys), f"mentions: {spans.tokens[place].word}")
            for place, documents in names
            for at in documents
        )
        unique = tuple({match.key: match for match in reversed(matches)}.values())[::-1]
        focus = self._cut(spans, [place for place, _ in names])
        return ParsedQuery(self.query.strip(), "", unique, focus=focus, asked=kind)

    def _stands_apart(self, spans: ReferenceSpans, at: int) -> bool:
        """Whether a reference can be taken out of the question: it is marked, set off, names a kind of document, or
        follows a preposition at an edge."""
        if asked(self.query, self.language).across:
            return False
        said = dict(zip(FEATURES, spans.features[at].tolist(), strict=True))
        if said["marked"] or said["numbers"] == 1.0:
            return True
        inside = self.query[spans.tokens[spans.first[at]].start : spans.tokens[spans.last[at]].end]
        if said["before word"] and _POSSESSIVE.search(inside):
            return False  # "what is Acme's notice period?" does not mean Acme's notice
        edge = said["starts question"] == 1 or said["ends question"] == 1
        if edge and asked(self.query, self.language).is_keywords:
            return spans.is_held(at, RUN_TOGETHER, 1.0)
        before = self.query[: spans.tokens[spans.first[at]].start]
        lead = self.language.question.lead.match(before)
        leads = lead is not None and before[lead.end() :].strip().lower() in ("", "the", "our", "my", "their")
        begins = leads or said["starts question"] > 0 or _REFERS.search(before) is not None
        ends = said["ends question"] > 0 or said["before separator"] > 0
        if said["kind inside"]:
            begins = begins or said["behind preposition"] > 0 or said["behind article"] > 0
            return bool(begins or ends) and (said["before separator"] > 0 or spans.is_held(at, IN_BODY, MOSTLY))
        return bool(begins and ends) and spans.is_held(at, IN_HEAD, 1.0)

    def _without_names(self, spans: ReferenceSpans, at: int) -> str:
        """The question without the words that are names of the document: what models read, for whom a name means every
        place that mentions it. "" where nothing would be left."""
        return self._cut(spans, spans.names_in(at))

    def _cut(self, spans: ReferenceSpans, places: Sequence[int]) -> str:
        """The question without some words; "" where nothing would be left."""
        text, cut = [], 0
        for place in places:
            token = spans.tokens[place]
            text.append(self.query[cut : token.start])
            possessive = re.compile(r"[’']s\b|[’'](?=\s)").match(self.query, token.end)
            cut = possessive.end() if possessive else token.end
        focus = "".join([*text, self.query[cut:]])
        for pattern, replacement in _TIDY:
            focus = pattern.sub(replacement, focus)
        return focus.strip() if _says_something(focus, self.language) else ""

    def _matches(self, spans: ReferenceSpans, at: int) -> tuple[DocumentMatch, ...]:
        """The documents that a stretch means, with belief in proportion."""
        documents = spans.documents[at]
        scores = documents @ self.weights.document
        held = documents[:, :3].sum(axis=1)
        beliefs = np.exp(scores - scores.max())
        beliefs /= beliefs.sum()
        rows = {word: spans.row[word] for word in spans.words(at)}
        found = []
        for place in np.argsort(-beliefs, kind="stable").tolist():
            if held[place] < FITS or beliefs[place] < KEEP * beliefs.max():
                continue
            said = [word for word, row in rows.items() if spans.evidence.weights[row, place] > 0]
            why = f"named by: {', '.join(said)}"
            candidate = spans.evidence.documents[place]
            match = DocumentMatch(candidate.key, float(beliefs[place]), why)
            found.append((-round(match.belief, 6), *_newest_first(candidate), match))
        return tuple(match for *_, match in sorted(found)[:MOST_MATCHES])

    def _extent(self, spans: ReferenceSpans, at: int) -> tuple[int, int]:
        """Where the words of a reference stand, with the article, preposition and marks around them."""
        first, last = spans.grown(at)
        start, end = spans.tokens[first].start, spans.tokens[last].end
        opening = _OPENING.search(self.query[:start])
        if opening and opening.start() < start:
            start = opening.start()
        closing = _CLOSING.match(self.query, end)
        end = closing.end() if closing else end
        before = self.language.question.before.search(self.query[:start])
        start = before.start() if before else start
        lead = self.language.question.lead.match(self.query[:start])
        return (0 if lead and lead.end() >= start else start), end

    def _without(self, start: int, end: int, kind: str) -> str:
        """What is asked: the query without the reference, tidied. Where something must stand in its place, that is the
        kind of document that it names."""
        patterns = self.language.question
        before, after = self.query[:start].rstrip(" ,"), self.query[end:].lstrip(_EDGES)
        middle = " "
        inside = before and after and after[0] not in "?.!,;" and not patterns.preposition.search(before)
        if inside and patterns.auxiliary.search(before):
            # "what does [the Acme policy] say about cookies": something must stand where the name stood.
            middle = f" the {kind} " if kind else f" {patterns.subject} "
        text = patterns.preposition_left.sub("", before).rstrip() + middle + after
        for pattern, replacement in _TIDY:
            text = pattern.sub(replacement, text)
        return text.strip(" ,;:-–—")


def _newest_first(candidate: NameCandidate) -> tuple[int, DocumentKey]:
    """How documents that fit alike are ordered: of two versions the later one is meant more often."""
    return (-int(candidate.year) if candidate.year.isdigit() else 0), candidate.key


def _together(spans: ReferenceSpans, chances: Array, best: int) -> float:
    """How likely it is that the best stretch names a document: stretches that overlap it say so, too."""
    overlap = (spans.first <= spans.last[best]) & (spans.first[best] <= spans.last)
    return float(chances[overlap].sum())


def _says_something(question: str, language: Language) -> bool:
    """Whether anything is asked: a word that is no stop word and no mere opening."""
    return any(stem for stem in language.stems(question))
