"""What kind of thing a question asks for: a place, a definition, a clause, a fact, or something over many documents.

Look-ups, facts and sets send the reader elsewhere than an ordinary question, so that they are only recognised where
nothing else is asked.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from pincite.query import asked_patterns as patterns
from pincite.query.document_kinds import kind_of_several
from pincite.text.english import ENGLISH
from pincite.text.language import Language

LONGEST = 2_000
"""Characters of a question that are looked at."""
MOST_PLACES = 20
KEYWORDS = range(2, 8)
"""How many words a search for words has."""
LONG_TERM = 4
"""A term of more words than this is looked up only where it is quoted or capitalised."""

LONGEST_KIND = 5
"""Words of the name of a kind of documents."""

_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "`": "'"})
_WORD = re.compile(r"[^\s,;:?!\"()\[\]]+")
_BODY = frozenset(("section", "paragraph", "article", "chapter"))
_VERBS_TOO = frozenset(("schedule", "exhibit", "part"))
_LEADING_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)


class PlaceAsked(NamedTuple):
    """A place in a document: the kind of place, and its number, "" for recitals and the like."""

    word: str
    number: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks for. Fields that do not apply are empty."""

    places: tuple[PlaceAsked, ...] = ()
    """Places that the question names, whether it asks for them or only mentions them."""
    term: str = ""
    """The term whose definition is asked."""
    clause: str = ""
    """The words that name the clause that is looked up."""
    fact: str = ""
    """A fact of the document itself: parties, signature, date, title, court, docket, judge or outcome, or two of them
    that are asked together: "date and court". `role` where only a role is asked for that need not be a party's."""
    role: str = ""
    """The role whose holder is asked for, with the facts "parties" and "role": "landlord", "administrative agent"; with
    the fact "signature" the party whose signature is asked for."""
    across: bool = False
    """Whether a set of documents is asked about."""
    kind: str = ""
    """The kind of documents that the set has: "lease" of "which of our leases ..."."""
    expects: str = ""
    """The kind of value that answers: amount, date, period, number, person or place."""
    valued: str = ""
    """The thing whose value is all that is asked for: "deposit" of "how much is the deposit?"."""
    is_keywords: bool = False
    """Whether it is a search for a few words."""
    is_lookup: bool = False
    """Whether a place, a definition or a clause is all that is asked for."""

    @property
    def anywhere(self) -> "Asked | None":
        """What may be looked up though no document is named: who has a role, what a term means; None where nothing."""
        if self.across:
            return None
        if self.role and self.fact in ("parties", "role"):
            return Asked(fact="role", role=self.role, expects=self.expects)
        return Asked(term=self.term) if self.term and self.is_lookup else None


class _Found(NamedTuple):
    place: PlaceAsked
    start: int
    end: int


@lru_cache(maxsize=1024)
def asked(question: str, language: Language = ENGLISH) -> Asked:
    """What a question asks for.

    >>> asked("show me clause 7.2(b)").places, asked("show me clause 7.2(b)").is_lookup
    ((PlaceAsked(word='section', number='7.2(b)'),), True)
    >>> asked("Does Section 7.2 survive termination?").is_lookup, asked("how is Net Sales defined?").term
    (False, 'Net Sales')
    >>> asked("the clause on assignment").clause, asked("who are the parties?").fact
    ('assignment', 'parties')
    >>> asked("which of our contracts are under Texas law?").across, asked("how much notice?").expects
    (True, 'period')
    """
    text = " ".join(question[:LONGEST].translate(_QUOTES).split())
    if not text:
        return Asked()
    return _Reader(text, language).read()


class _Reader:
    """Reads one question whose spaces and quotes are tidied."""

    def __init__(self, text: str, language: Language) -> None:
        self.text, self.language = text, language
        self.is_shouted = text.isupper()

    def read(self) -> Asked:
        found = self._places()
        places = tuple(dict.fromkeys(each.place for each in found))[:MOST_PLACES]
        across = self._is_across()
        is_lookup = bool(found) and self._only_places(found)
        if not found and (place := self._place_alone()):
            places, is_lookup = (place,), True
        term = clause = fact = role = ""
        if not is_lookup and not across:
            term, is_lookup = self._term()
        if not is_lookup and not across and not term and not places:
            clause = self._clause()
            is_lookup = bool(clause)
        if not is_lookup and not across and not term:
            role = self._signer()
            fact = "signature" if role else self._fact()
            role = self._role() if fact in ("", "parties") else role
            fact = fact or ("role" if role else "")
        plain = not (is_lookup or across or fact)
        is_keywords = plain and self._is_keywords()
        expects = "" if is_lookup else self._expects(is_keywords=is_keywords)
        valued = self._valued() if plain else ""
        kind = self._kind() if across else ""
        is_lookup = is_lookup and not across
        return Asked(places, term, clause, fact, role, across, kind, expects, valued, is_keywords, is_lookup)

    def _is_across(self) -> bool:
        """Whether the question is asked over a set of documents."""
        if not patterns.MAY_BE_ACROSS.search(self.text):
            return False
        return any(pattern.search(self.text) for pattern in patterns.ACROSS)

    def _kind(self) -> str:
        """The kind of documents that a set has, by the words before the first noun for documents."""
        noun = patterns.DOCUMENTS_ASKED.search(self.text)
        words = _WORD.findall(self.text[: noun.end()].lower())[-LONGEST_KIND:] if noun else []
        names = (" ".join(words[first:]) for first in range(len(words)))
        return next((kind for name in names if (kind := kind_of_several(name))), "")

    # Places

    def _places(self) -> list[_Found]:
        if not patterns.MAY_BE_PLACE.search(self.text):
            return []
        found = [*self._numbered_places(), *self._ordinal_places()]
        taken = [(each.start, each.end) for each in found]
        for word, pattern in patterns.NAMED_PLACES:
            for match in pattern.finditer(self.text):
                if not any(start < match.end() and match.start() < end for start, end in taken):
                    found.append(_Found(PlaceAsked(word), match.start(), match.end()))
        return sorted(found, key=lambda each: each.start)

    def _numbered_places(self) -> Iterator[_Found]:
        for match in patterns.PLACE.finditer(self.text):
            typed, number, end = match["word"], match["number"], match.end()
            word = _canonical_word(typed)
            if not self._is_number(typed, match["gap"], number, end):
                continue
            is_plural = _is_plural(typed)
            start, first = match.start(), number
            more: list[_Found] = []
            while another := patterns.ANOTHER.match(self.text, end):
                joined = another["join"].strip()
                if joined in ("-", "–") and not is_plural and another["number"][0].isdigit():
                    first, end = f"{first}-{another['number']}", another.end()
                    continue
                is_sure = "." in another["number"] or "(" in another["number"] or _are_letters(first, another["number"])
                if not (is_plural or is_sure) or not self._is_number(typed, " ", another["number"], another.end()):
                    break
                more.append(
                    _Found(
                        PlaceAsked(word, _canonical_number(another["number"])), another.start("number"), another.end()
                    )
                )
                end = another.end()
            place = PlaceAsked(word, _canonical_number(first))
            if self._is_elsewhere(place, end):
                continue
            yield _Found(place, start, more[0].start if more else end)
            yield from more

    def _ordinal_places(self) -> Iterator[_Found]:
        for match in patterns.ORDINAL_PLACE.finditer(self.text):
            place = PlaceAsked(match["word"].lower(), patterns.ORDINALS[match["ordinal"].lower()])
            yield _Found(place, *match.span())

    def _is_number(self, typed: str, gap: str, number: str, end: int) -> bool:
        """Whether what follows a word for a place is its number, and no ordinary word or count."""
        bare = typed.rstrip(".").lower()
        word = _canonical_word(typed)
        is_short = len(bare) <= 2 and bare.isalpha()
        if not gap and bare.isalpha() and not typed.endswith(".") and (is_short or not number[0].isdigit()):
            return False
        head = number.split("(")[0].strip()
        if not head:
            return word in ("section", "paragraph", "recitals", "part") and not is_short
        if head[0].isdigit():
            if patterns.UNIT.match(self.text, end):
                return False
            return bare not in _VERBS_TOO or typed[0].isupper() or bool(patterns.AFTER_LETTER.match(self.text, end))
        if any(letter.isdigit() for letter in head):
            return not is_short or typed.endswith(".") or head[0].isupper()
        closes = bool(patterns.AFTER_LETTER.match(self.text, end))
        is_upper = head.isupper() and not self.is_shouted
        if head.lower() in patterns.NUMBER_WORDS:
            return closes and not is_short
        if len(head) > 1:
            is_double = len(head) == 2 and head[0] == head[1] and is_upper
            is_roman = bool(patterns.ROMAN.fullmatch(head)) and (is_upper or closes) and word != "recitals"
            return is_roman or (is_double and word not in _BODY)
        if word in _BODY and (is_short or not (head.isupper() or patterns.ROMAN.fullmatch(head))):
            return False
        if is_upper and head != "I":
            return closes or typed[0].isupper() or word not in _BODY
        return closes or (is_upper and typed[0].isupper())

    def _is_elsewhere(self, place: PlaceAsked, end: int) -> bool:
        """Whether a place belongs to a statute that everyone knows by it."""
        if place.number in patterns.STATUTORY.get(place.word, ()):
            return True
        if place.word == "paragraph" and place.number == "IV":
            return bool(patterns.PATENT_CHALLENGE.match(self.text, end))
        is_chapter = place.word == "chapter" and place.number in ("7", "11", "13", "15")
        return is_chapter and bool(patterns.BANKRUPTCY.search(self.text))

    def _only_places(self, found: list[_Found]) -> bool:
        """Whether places are all that is asked for."""
        parts, at = [], 0
        for each in found:
            parts += [self.text[at : each.start], patterns.PLACE_MARK]
            at = each.end
        skeleton = patterns.PLACES_TOGETHER.sub(patterns.PLACE_MARK, "".join((*parts, self.text[at:])))
        match = patterns.PLACE_LOOKUP.fullmatch(skeleton)
        if match is None or patterns.PLACE_MARK in match["rest"]:
            return False
        return self._names_document(match["rest"]) or self._is_short_name(match["rest"])

    def _place_alone(self) -> PlaceAsked | None:
        for word, pattern in patterns.ALONE:
            match = pattern.fullmatch(self.text)
            if match and self._names_document(match["rest"]):
                return PlaceAsked(word)
        match = patterns.BARE_NUMBER.fullmatch(self.text)
        if match and self._names_document(match["rest"]):
            return PlaceAsked("section", _canonical_number(match["number"]))
        return None

    def _names_document(self, rest: str, *, is_this: bool = False) -> bool:
        """Whether what follows a thing looked up only says in which document; with `is_this`, in the one at hand."""
        rest = patterns.CLOSING.sub("", rest, count=1).strip(" -–—,;:")
        if not rest:
            return True
        words = _WORD.findall(rest)
        if not words or len(words) > 16 or words[0].lower() not in patterns.OPENS_DOCUMENT:
            return False
        is_named, is_after_noun = False, False
        for word in words:
            lowered = word.lower().rstrip(".").removesuffix("'s")
            if lowered in patterns.VERBISH or (is_this and lowered in patterns.OTHER_DOCUMENT):
                return False
            if lowered in patterns.DOCUMENT_NOUNS or lowered in ("it", "this", "that"):
                is_named = is_after_noun = True
            elif word[0].isupper() or word[0].isdigit() or word[0] == "$":
                is_named = True
            elif lowered not in patterns.GLUE and is_after_noun:
                return False
        last = words[-1].lower()
        is_tail = last in patterns.DOCUMENT_NOUNS or last in ("it", "this") or not words[-1].islower()
        return is_named and is_tail

    def _is_short_name(self, rest: str) -> bool:
        """Whether what follows a place is one or two plain words, as in "art 12 gdpr"."""
        rest = patterns.CLOSING.sub("", rest, count=1).strip(" -–—,;:")
        words = [word.lower() for word in _WORD.findall(rest)]
        is_plain = not any(word in self.language.stop_words or word in patterns.NOT_A_NAME for word in words)
        return len(words) <= 2 and is_plain and not any(word in patterns.VERBISH for word in words)

    # Definitions, clauses and facts

    def _term(self) -> tuple[str, bool]:
        """The term whose definition is asked, and whether nothing else is."""
        if not patterns.MAY_BE_TERM.search(self.text):
            return "", False
        for pattern in patterns.DEFINITIONS:
            match = pattern.search(self.text)
            if match is None:
                continue
            groups = match.groupdict()
            quoted = groups.get("double") or groups.get("single")
            term, rest = " ".join((quoted or groups.get("bare") or "").split()), self.text[match.end() :]
            if not quoted:
                term, cut = _without_document(_LEADING_ARTICLE.sub("", term).strip(" ,.'"))
                rest = cut + rest
            if not self._is_term(term, is_quoted=bool(quoted)):
                continue
            is_short = bool(quoted) or term[0].isupper() or len(term.split()) <= LONG_TERM
            before = self.text[: match.start()]
            is_alone = not before.strip() or bool(patterns.ONLY_FRAME.fullmatch(before))
            return term, is_short and is_alone and self._names_document(rest)
        return "", False

    def _is_term(self, term: str, *, is_quoted: bool) -> bool:
        words = [word.lower() for word in term.split()]
        if not words or len(words) > 9 or words[0] in patterns.NO_TERM:
            return False
        if is_quoted:
            return True
        is_provision = bool(patterns.PROVISION_NOUN.search(term)) and not term[:1].isupper()
        return not is_provision and not any(word in patterns.INTERROGATIVE for word in words)

    def _clause(self) -> str:
        """The words that name a clause, where the question is nothing but the look-up of it."""
        if not patterns.MAY_BE_CLAUSE.search(self.text):
            return ""
        for pattern in patterns.CLAUSES:
            match = pattern.fullmatch(self.text)
            if match is None:
                continue
            name = _LEADING_ARTICLE.sub("", match["name"]).strip(" ,.'\"")
            words = [word.lower() for word in name.split()]
            is_name = words and words[0] not in patterns.NO_CLAUSE_NAME
            if is_name and not any(w in patterns.VERBISH or w in patterns.INTERROGATIVE for w in words):
                is_name = not self.text.lower().startswith("is there")
                if is_name and words[-1] not in self.language.stop_words and self._names_document(match["rest"]):
                    return name
        return ""

    def _fact(self) -> str:
        """The fact of the document that is all that the question asks for."""
        if len(self.text) > patterns.LONGEST_FACT:
            return ""
        polite = patterns.POLITE.match(self.text)
        start = polite.end() if polite else 0
        for fact, pattern in patterns.FACTS:
            match = pattern.match(self.text, start)
            if match is None:
                continue
            named = {word.lower().removesuffix("'s") for word in _WORD.findall(match.group())}
            if named & patterns.OTHER_DOCUMENT:
                continue
            rest = self.text[match.end() :]
            if (not rest or not rest[0].isalnum()) and self._names_document(rest, is_this=True):
                other = patterns.WITH_COURT.search(match.group())
                return {"date": "date and court", "docket": "court and docket"}.get(fact, fact) if other else fact
        return ""

    def _signer(self) -> str:
        """The party whose signature is all that the question asks for."""
        polite = patterns.POLITE.match(self.text)
        match = patterns.SIGNED_FOR.match(self.text, polite.end() if polite else 0)
        if match is None or len(self.text) > patterns.LONGEST_FACT:
            return ""
        return match["signer"] if self._names_document(self.text[match.end() :], is_this=True) else ""

    def _role(self) -> str:
        """The role whose holder is all that the question asks for."""
        polite = patterns.POLITE.match(self.text)
        match = patterns.ROLE.match(self.text, polite.end() if polite else 0)
        if match is None or len(self.text) > patterns.LONGEST_FACT:
            return ""
        rest, words = self.text[match.end() :], (match["role"] or match["bare"]).lower().split()
        if any(word in patterns.VERBISH or word in patterns.NO_ROLE for word in words):
            return ""
        named = _WORD.findall(rest)
        is_named = any(word[0].isupper() for word in named) and not any(w.lower() in patterns.VERBISH for w in named)
        return " ".join(words) if is_named or self._names_document(rest, is_this=True) else ""

    def _valued(self) -> str:
        """The thing whose value is all that the question asks for."""
        polite = patterns.POLITE.match(self.text)
        match = patterns.VALUE_OF.match(self.text, polite.end() if polite else 0)
        if match is None or any(word.lower() in patterns.VERBISH for word in match["thing"].split()):
            return ""
        if match["thing"].lower() in patterns.NO_VALUE:
            return ""
        return match["thing"] if self._names_document(self.text[match.end() :], is_this=True) else ""

    # Answers and searches for words

    def _expects(self, *, is_keywords: bool) -> str:
        match = patterns.EXPECTS.search(self.text)
        if match:
            return match.lastgroup or ""
        if is_keywords:
            for kind, pattern in patterns.KEYWORD_HEADS:
                if pattern.search(self.text.rstrip(" .,;:")):
                    return kind
        return ""

    def _is_keywords(self) -> bool:
        if "?" in self.text:
            return False
        words = [word.lower() for word in _WORD.findall(self.text)]
        if len(words) not in KEYWORDS or words[0] in self.language.question.openers - {"any", "under", "if"}:
            return False
        return not any(word in patterns.INTERROGATIVE for word in words) and not patterns.SHOWING.match(self.text)


def _canonical_word(typed: str) -> str:
    bare = typed.rstrip(".").lower().replace("-", "")
    return (
        patterns.PLACE_WORDS.get(bare)
        or patterns.PLACE_WORDS.get(bare.removesuffix("s"))
        or patterns.PLACE_WORDS[bare.removesuffix("es")]
    )


def _is_plural(typed: str) -> bool:
    bare = typed.rstrip(".").lower()
    return bare in ("§§", "¶¶", "ss", "appendices", "addenda") or (len(bare) > 2 and bare.endswith("s"))


def _are_letters(first: str, second: str) -> bool:
    """Whether two numbers of places are large letters: "Exhibit A and B"."""
    return len(first) == len(second) == 1 and first.isalpha() and second.isupper() and second != "I"


def _canonical_number(typed: str) -> str:
    """A number as it is cited: letters large, but small in brackets.

    >>> _canonical_number("7.2 (B)"), _canonical_number("a-1"), _canonical_number("five"), _canonical_number("(b)")
    ('7.2(b)', 'A-1', '5', 'B')
    """
    head, bracket, tail = typed.strip().rstrip(".").partition("(")
    head = head.strip()
    if not head:
        return tail.strip("()").upper()
    head = patterns.NUMBER_WORDS.get(head.lower(), head.upper())
    return head + (bracket + tail).lower().replace(" ", "")


def _without_document(term: str) -> tuple[str, str]:
    """A term without "in Acme's agreement" behind it, and that."""
    words = term.split(" ")
    for at in range(1, len(words)):
        if (
            words[at].lower() in ("in", "under")
            and words[-1].lower() in patterns.DOCUMENT_NOUNS
            and len(words) - at > 2
        ):
            return " ".join(words[:at]), " " + " ".join(words[at:])
    return term, ""
