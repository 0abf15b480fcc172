"""The stretches of a question that may name a document, and what speaks for and against each.

Every stretch of words is a candidate. What its words say is compared with what the documents are called; how it stands
in the question says whether it is meant as a name at all. `FEATURES` has a number for each of these, and `DOCUMENT`
those that tell which document is meant. All stretches are measured together: sums over words are differences of sums.
"""

import re
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pincite.models.vocabulary import common_words
from pincite.query.names import IN_HEAD, IN_NAME, RUN_TOGETHER, NameEvidence, NameSource
from pincite.text.kinds import kind_named
from pincite.text.language import Language

Array = NDArray[np.float64]
Places = NDArray[np.int64]

LONGEST = 16
"""Words of the longest reference."""
MOST_WORDS = 48
"""Words of a question that are looked at from each of its ends."""
MOST_DOCUMENTS = 60
"""Documents that the words of a question are compared with."""
KIND_IMPORTANCE, COMPANY_IMPORTANCE = 0.35, 0.2
"""The weight of "Supply Agreement", and of "Inc.", beside a name's weight of 1."""
A_NAME = 0.3
"""From this share of documents that hold a word and are called by it, the word is a name."""

POINTS, SURELY = 0.5, 0.8
"""From this share a word points to the documents that are called by it; from the second one also an English word in
lower case."""
FEW, FEW_SHARE = 8, 0.01
"""A name points to no more documents than this, or this share of all."""
FEW_INITIALS = 3
"""Two letters point to no more documents than this: "CI" and "BC" are the initials of many."""

DOCUMENT = ("named", "head", "body", "kind", "other kind", "year", "other year", "all words")
"""What speaks for a document: the share of the words in its names, on its first page, in its text; its kind; its year;
whether it has all words."""
FIT = np.array([1.0, 0.55, 0.3, 0.12, -0.06, 0.15, -0.1, 0.1])
"""How DOCUMENT is weighed to find the best document of a stretch."""
FEATURES = (
    *("span", "covered", "mass", "named mass", "body mass", "missing mass", "lead", "lead of names", "names"),
    *("capitals", "kind inside", "ends with kind", "only kinds", "starts question", "behind preposition"),
    *("behind article", "behind word", "ends question", "before separator", "before verb", "before word"),
    *("marked", "words", "nothing left", "numbers", "common words", "verbs inside", "comma inside", "quoted"),
    *("surest name", "lower case", "unknown capitals", "split name", "kind fits", "year fits", "bracket inside"),
    *("few documents", "only a year", "clause words", "breaks inside", "cited", "asked what it says", "file"),
)

_TOKEN = re.compile(r"[^\W_](?:&[^\W_]|[^\W_])*")
_YEAR = re.compile(r"(?:19|20)\d\d")
_OPEN_QUOTE = tuple("\"“'‘[")
_NUMBER = r"(?:no\.?\s*)?(?:\d+(?:\.\d+)*[A-Za-z]?(?:\([a-z0-9]+\))*|(?-i:[IVX]+|[A-Z])(?:-\d+)?)(?![\w])"
_PROVISION = re.compile(
    rf"(?:\b(?:section|sec|article|art|clause|paragraph|para|recital)s?\.?\s*|(?<!§)§++\s*+){_NUMBER}"
    rf"|\b(?:schedule|exhibit|annex|appendix|part)\s+{_NUMBER}(?=\s+(?:of|in|to|under)\b)"
    rf"|\b(?:first|second|third|fourth|fifth|sixth)\s+(?:schedule|annex|appendix|exhibit)\b(?=\s+(?:of|in|to|under)\b)",
    re.IGNORECASE,
)
"""A place in a document: it is asked for and names none."""
_PARTS = re.compile(r"[;?!:]|\s[-–—]\s|[)\]]")
"""What a name does not go on behind."""
_CONNECTING = frozenset(["and", "of", "for", "with", "between", "among", "by", "in"])
_BRACKET = re.compile(r"[\[(\])]|\s[-–—]\s|:\s")
_STOP = re.compile(r"[?!;]|\.\s")
_PUNCTUATION = re.compile(r"[?!;:,.]")
_BREAK = re.compile(r"[,;:?.!\[(–—]|\s-")
_MARK = re.compile(
    r"(?:\bi\s+mean\s+(?:the\s+)?|\bre:?\s+(?:the\s+)?|[\[(]\s*(?:the\s+|our\s+)?|\bconsider(?:ing)?\s+(?:the\s+)?"
    r"|\b(?:regarding|concerning)\s+(?:the\s+)?|\bfile\s+(?:name\s+)?)[\"“'‘]?$",
    re.IGNORECASE,
)
"""What marks a reference before it, also before its quotation mark."""
_CITED = re.compile(
    r"\b(?:according\s+to|as\s+per|pursuant\s+to|(?:am|are|was)\s+reading|looking\s+at)\s+(?:(?:the|our|my)\s+)?[\"“'‘]?$",
    re.IGNORECASE,
)
"""What precedes a text that is cited."""
_WHAT_DOES = re.compile(r"\bwhat\s+(?:does|do|did)\s+(?:(?:the|our|my)\s+)?$", re.IGNORECASE)
_SAYS = re.compile(r"[\"”’')\]]*\s+(?:say|provide|state)\b", re.IGNORECASE)
"""What stands around a text in "what does the Acme lease say about pets?"."""
_SEPARATOR = re.compile(r"^[\"”’')\]]*\s*(?:[;:,)\]]|[-–—]\s|\s[-–—])")
_END = re.compile(r"^[\"”’')\]]*\s*[?.!)\]]*\s*$")
_FILE_ENDINGS = frozenset(["txt", "pdf", "doc", "docx", "md", "htm", "html", "rtf"])
_ABBREVIATIONS = frozenset(["mrs", "rel", "dept", "univ", "bros", "int", "nat", "assn", "vol"])
_POSSESSIVE = re.compile(r"^[’']s\b")
_ARTICLES = frozenset(["the", "our", "their", "its", "this", "that", "my", "your", "his", "her", "a", "an"])
_PREPOSITIONS = frozenset(
    [
        *("in", "under", "of", "per", "by", "from", "with", "for", "to", "according", "pursuant", "within", "about"),
        *("on", "at", "regarding", "concerning", "between"),
    ]
)
_AROUND = 24
"""Characters before and behind a word that are looked at for what marks a reference."""
_KIND_WORDS = frozenset(
    [
        *("nda", "ndas", "lease", "leases", "msa", "sow", "dpa", "eula", "saas", "licence", "license", "franchise"),
        *("sublease", "mortgage", "guaranty", "guarantee", "tenancy", "loan", "credit", "employment", "severance"),
        *("reseller", "distribution", "supply", "consulting", "merger", "statute", "judgment", "order"),
    ]
)
"""Single words that name a kind of document in a reference."""


class Token(NamedTuple):
    """A word of a query in lower case, and where it stands."""

    word: str
    start: int
    end: int


class ReferenceSpans:
    """The candidates of one question: stretch `at` goes from word `first[at]` to word `last[at]`."""

    def __init__(self, query: str, names: NameSource, language: Language) -> None:
        self.query = query
        self.language = language
        self.patterns = language.question
        self.tokens = _tokens(query)
        told = dict.fromkeys(token.word for token in self.tokens if self._tells(token.word))
        self.evidence: NameEvidence = names.name_evidence(tuple(told), MOST_DOCUMENTS)
        self.count = max(1, names.document_count)
        self.row = {word: at for at, word in enumerate(self.evidence.words)}
        self._measure_words()
        self.first, self.last = self._stretches()
        self.documents = self._document_features()
        """For each stretch and each document of the evidence the numbers of DOCUMENT."""
        self.features = self._features() if len(self.first) else np.zeros((0, len(FEATURES)))

    def __len__(self) -> int:
        return len(self.first)

    def words(self, at: int) -> list[str]:
        """The words of a stretch that may tell documents apart."""
        tokens = self.tokens[self.first[at] : self.last[at] + 1]
        return list(dict.fromkeys(token.word for token in tokens if token.word in self.row))

    def is_held(self, at: int, least: float, share: float) -> bool:
        """Whether the best document of a stretch has at least a share of its words, each with at least a weight."""
        inside = slice(int(self.first[at]), int(self.last[at]) + 1)
        best = int(np.argmax(self.documents[at] @ FIT))
        plain = self.plain[inside]
        held = self.weights[inside, best][plain] >= least
        return bool(not plain.any() or held.mean() >= share)

    def says_which(self, at: int) -> bool:
        """Whether a stretch has anything but kinds of documents: a name, a number or a year."""
        inside = slice(int(self.first[at]), int(self.last[at]) + 1)
        return bool(self.plain[inside].any())

    def titles(self) -> list[int]:
        """The stretches that may be a title: at an edge of the question, behind an article, with a kind of document at
        their end and another word; the longest first."""
        columns = [FEATURES.index(name) for name in ("ends with kind", "behind article")]
        edges = [FEATURES.index(name) for name in ("ends question", "before separator")]
        fits = self.features[:, columns].all(axis=1) & (self.features[:, edges] > 0).any(axis=1)
        found = [at for at in np.flatnonzero(fits).tolist() if self.says_which(at)]
        return sorted(found, key=lambda at: int(self.first[at] - self.last[at]))

    def called_by_all(self, at: int) -> list[int]:
        """The documents that are called by every word of a stretch that may tell documents apart."""
        inside = slice(int(self.first[at]), int(self.last[at]) + 1)
        told = self.told[inside]
        called = (self.weights[inside][told] >= IN_NAME).all(axis=0)
        return [int(place) for place in np.flatnonzero(called)] if told.any() else []

    def grown(self, at: int) -> tuple[int, int]:
        """The first and the last word of a stretch with the words beside it that go on with the same name: capitals,
        kinds, forms of companies, and what connects them."""
        first, last = int(self.first[at]), int(self.last[at])
        many = any(token.word in ("between", "among") for token in self.tokens[: last + 1])
        while last + 1 < len(self.tokens) and (step := self._joined_behind(last, many=many)):
            last += step
        lead = self.language.question.lead.match(self.query)
        if lead and all(self._is_namelike(place) for place in range(first) if self.tokens[place].start >= lead.end()):
            first = next(
                place for place in range(first + 1) if self.tokens[place].start >= lead.end() or place == first
            )
        return first, last

    def kind_at_end(self, at: int) -> str:
        """The word for a kind of document that a stretch ends with, as it is written; "" where there is none."""
        last = self.grown(at)[1]
        token = self.tokens[last]
        return self.query[token.start : token.end] if self.kind[last] else ""

    def _joined_behind(self, last: int, *, many: bool) -> int:
        """How many words behind one go on with its name: none, one, or a connecting word with the next one."""
        gap = self.query[self.tokens[last].end : self.tokens[last + 1].start]
        if self.query.count("(", 0, self.tokens[last].end) > self.query.count("[", 0, self.tokens[last].end):
            gap = gap.replace(")", " ")  # the name has a bracket of its own
        if _PARTS.search(gap) or (_STOP.search(gap) and self._stops(last)):
            return 0
        if self._is_namelike(last + 1, connecting=False):
            listed = many or ";" in self.query[self.tokens[last + 1].end :]
            return int("," not in gap or listed or self._is_company(last + 1))
        following = last + 2
        while following < len(self.tokens) and self.tokens[following].word in ("the", "a", "an"):
            following += 1
        connects = self.tokens[last + 1].word in _CONNECTING and ("," not in gap or many)
        if not connects or following >= len(self.tokens) or not self._is_namelike(following, connecting=False):
            return 0
        between = self.query[self.tokens[last + 1].end : self.tokens[following].start]
        return 0 if _PARTS.search(between) or "," in between else following - last

    def _is_company(self, place: int) -> bool:
        return self.tokens[place].word in self.patterns.companies

    def _is_namelike(self, place: int, *, connecting: bool = True) -> bool:
        word = self.tokens[place].word
        if connecting and (word in self.patterns.glue or word in self.patterns.lead_words):
            return True
        if word in self.patterns.kinds or self._is_company(place):
            return True
        return bool(self.capital[place]) and (word == "information" or not bool(self.opener[place]))

    def names_in(self, at: int) -> list[int]:
        """The places of the words of a question that are names of the best document of a stretch."""
        best = int(np.argmax(self.documents[at] @ FIT))
        named = self.plain & (self.nameness > A_NAME) & (self.weights[:, best] >= RUN_TOGETHER)
        return [int(place) for place in np.flatnonzero(named)]

    def pointing(self) -> tuple[list[int], list[int]] | None:
        """The names of few documents that a question mentions, and the documents that most of them name; None where it
        mentions none. A word counts that documents are called by rather than hold."""
        few = max(FEW, FEW_SHARE * self.count)
        short = np.where(self.capital, 1, 2)  # "GM" may be a name; "gm" and "si" are words
        sizes = np.array([0 if token.word.isdigit() else len(token.word) for token in self.tokens])
        letters = sizes > short
        trade = np.array([token.word in self.patterns.trades for token in self.tokens], dtype=np.bool_)
        told = self.plain & self.bounds & letters & ~self.opener & ~trade & (self.nameness >= POINTS)
        named = (self.weights >= IN_NAME) & (told | self._full_names())[:, None]
        count = named.sum(axis=1)
        capital = self.capital & (np.arange(len(self.tokens)) > 0)
        most = np.where(sizes == 2, FEW_INITIALS, few)
        strong = (count > 0) & (count <= most) & (capital | self._foreign() | (self.nameness >= SURELY))
        if not strong.any():
            return None
        votes = (named[strong] * self.mass[strong][:, None]).sum(axis=0)
        best = np.flatnonzero(votes >= 0.99 * votes.max())
        if len(best) > few:
            return None
        places = [int(place) for place in np.flatnonzero(strong) if named[place, best].any()]
        return places, [int(document) for document in best]

    def _foreign(self) -> NDArray[np.bool_]:
        """Which words are no English words."""
        english = common_words()
        return np.array([bool(english) and token.word not in english for token in self.tokens], dtype=np.bool_)

    def pointing_each(self) -> list[tuple[int, list[int]]]:
        """Each name of few documents that a question mentions, with the documents that it names."""
        found = self.pointing()
        if found is None:
            return []
        few = max(FEW, FEW_SHARE * self.count)
        named = (self.weights >= IN_NAME) & (self.nameness >= POINTS)[:, None] & (self.plain & self.bounds)[:, None]
        count = named.sum(axis=1)
        foreign = self._foreign()
        strong = (count > 0) & (count <= few) & (self.capital | foreign | (self.nameness >= SURELY)) & ~self.opener
        for first, last, _ in _kinds_in(tuple(token.word for token in self.tokens)):
            strong[first : last + 1] = False  # "credit" in "the two Acme credit agreements" names nobody
        return [(int(at), [int(one) for one in np.flatnonzero(named[at])]) for at in np.flatnonzero(strong)]

    def unknown_name(self) -> str:
        """Words in capitals that no document holds before a kind of document: "Zebulon lease"; "" where there are
        none."""
        strange = self.plain & self.capital & ~self.opener & (self.common == 0) & ~self.known
        strange[:1] = False
        for at in np.flatnonzero(strange[:-1]).tolist():
            last = at
            while last + 1 < len(self.tokens) and last < at + 5 and not self.kind[last + 1] and self.capital[last + 1]:
                last += 1
            last = last + 1 if last + 1 < len(self.tokens) else last
            gaps = self.query[self.tokens[at].start : self.tokens[last].end]
            if self.kind[last] and not _PUNCTUATION.search(gaps):
                return gaps
        return ""

    def _full_names(self) -> NDArray[np.bool_]:
        """The words of full names, "James Young": neighbours in capitals that name one document together, though other
        documents hold each of them."""
        name = self.plain & self.bounds & self.capital & ~self.opener & (self.nameness >= A_NAME)
        called = self.weights >= IN_NAME
        found = np.zeros(len(self.tokens), dtype=np.bool_)
        for at in range(1, len(self.tokens)):
            gap = self.query[self.tokens[at - 1].end : self.tokens[at].start]
            together = name[at - 1] and name[at] and gap.strip(". ") == ""
            if together and int((called[at - 1] & called[at]).sum()) == 1:
                found[at - 1 : at + 1] = True
        return found

    def surest_name(self, at: int) -> float:
        """How much of a name the surest word of a stretch is."""
        return float(self.features[at, FEATURES.index("surest name")])

    def has_names_alone(self, at: int) -> bool:
        """Whether a stretch has names, and its best document is called by all of them."""
        inside = slice(int(self.first[at]), int(self.last[at]) + 1)
        return bool(self.plain[inside].any()) and self.is_held(at, RUN_TOGETHER, 1.0)

    def _tells(self, word: str) -> bool:
        return word not in self.patterns.glue and word not in self.patterns.lead_words

    def _importance(self, word: str) -> float:
        if word in self.patterns.kinds:
            return KIND_IMPORTANCE
        return COMPANY_IMPORTANCE if word in self.patterns.companies or word in _FILE_ENDINGS else 1.0

    def _measure_words(self) -> None:
        """The numbers of each word, in the order of the question: how rare it is as a name, how much of a name, how
        common in the texts."""
        patterns, statistics, tokens = self.patterns, self.evidence.statistics, self.tokens
        rows = [self.row.get(token.word, -1) for token in tokens]
        self.told = np.array(rows, dtype=np.int64) >= 0
        known = [statistics[row] if row >= 0 else None for row in rows]
        documents = np.array([found.documents if found else 0 for found in known], dtype=np.float64)
        named = np.array([found.named if found else 0 for found in known], dtype=np.float64)
        holding = np.array([found.share if found else 0.0 for found in known]) * self.count
        importance = np.array([self._importance(token.word) for token in tokens])
        self.mass = self.told * importance * np.log(1 + self.count / np.maximum(1, documents))
        self.nameness = named / np.maximum(1.0, np.maximum(named, holding))
        self.common = np.log1p(holding) / np.log1p(self.count)
        self.known = documents > 0
        self.kind = np.array([token.word in patterns.kinds for token in tokens], dtype=np.bool_)
        company = np.array(
            [token.word in patterns.companies or token.word in _FILE_ENDINGS for token in tokens], dtype=np.bool_
        )
        self.plain = self.told & ~self.kind & ~company
        self.capital = np.array([self.query[token.start].isupper() for token in tokens], dtype=np.bool_)
        self.opener = np.array([token.word in patterns.openers for token in tokens], dtype=np.bool_)
        self.weights = np.zeros((len(tokens), len(self.evidence.documents)))
        if len(tokens) and self.weights.size:
            self.weights[self.told] = self.evidence.weights[[row for row in rows if row >= 0]]
        stop = np.array([len(token.word) > 1 and token.word in self.language.stop_words for token in tokens])
        self.bounds = self.told & ~stop.astype(np.bool_)

    def _stretches(self) -> tuple[Places, Places]:
        """Every stretch that begins and ends with a word that could be part of a name, and holds one that is known or
        in capitals."""
        count = len(self.tokens)
        if not count or not self.weights.shape[1]:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        stops = np.concatenate([[0], np.cumsum([self._stops(at) for at in range(count - 1)])]).astype(np.int64)
        places = [match.span() for match in _PROVISION.finditer(self.query)]
        within = [any(start <= token.start < end for start, end in places) for token in self.tokens]
        stops += np.cumsum(within)  # "Section 7.2" is asked for; it names no document
        self.bounds &= ~np.array(within, dtype=np.bool_)
        first, last = np.triu_indices(count)
        near = (last - first < LONGEST) & self.bounds[first] & self.bounds[last] & (stops[first] == stops[last])
        first, last = first[near].astype(np.int64), last[near].astype(np.int64)
        names = _over(self.told & (self.known | self.capital), first, last) > 0
        return first[names], last[names]

    def _stops(self, at: int) -> bool:
        """Whether a sentence ends behind a word; a dot behind an initial or an abbreviation ends none."""
        token, gap = self.tokens[at], self.query[self.tokens[at].end : self.tokens[at + 1].start]
        found = _STOP.search(gap)
        if found is None:
            return False
        short = len(token.word) <= 2 or token.word in self.patterns.companies or token.word in _ABBREVIATIONS
        return not (found.group().startswith(".") and short)

    def _document_features(self) -> Array:
        """For each stretch and document how much of the words it has, by where, and whether kind and year fit."""
        first, last, weights = self.first, self.last, self.weights
        if not len(first):
            return np.zeros((0, len(self.evidence.documents), len(DOCUMENT)))
        mass = self.mass[:, None]
        total = np.maximum(_over(self.mass, first, last), 1e-9)[:, None]
        shares = [
            _over(mass * where, first, last) / total
            for where in (
                weights >= RUN_TOGETHER,
                (weights >= IN_HEAD) & (weights < RUN_TOGETHER),
                (weights > 0) & (weights < IN_HEAD),
            )
        ]
        kinds = np.array([document.kind for document in self.evidence.documents])
        years = np.array([document.year for document in self.evidence.documents])
        has_kind, says_kind = self._inside(self._kinds(), kinds)
        has_year, says_year = self._inside(self._years(), years)
        plain = _over(self.plain[:, None] & (weights > 0), first, last)
        wanted = _over(self.plain, first, last)[:, None]
        columns = [
            *shares,
            has_kind,
            says_kind & ~has_kind,
            has_year,
            says_year & ~has_year & (years != ""),
            (plain >= wanted) & (wanted > 0),
        ]
        return np.stack([column.astype(np.float64) for column in columns], axis=2)

    def _kinds(self) -> list[tuple[int, int, str]]:
        """The kinds of documents that the words name: the first word, the last word, the kind. The longest counts."""
        return list(_kinds_in(tuple(token.word for token in self.tokens)))

    def _years(self) -> list[tuple[int, int, str]]:
        return [(at, at, token.word) for at, token in enumerate(self.tokens) if _YEAR.fullmatch(token.word)]

    def _inside(
        self, said: list[tuple[int, int, str]], of_documents: NDArray[np.str_]
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """For each stretch: which documents have one of the values that it says, and whether it says any."""
        has = np.zeros((len(self.first), len(of_documents)), dtype=np.bool_)
        says = np.zeros((len(self.first), 1), dtype=np.bool_)
        for begin, end, value in said:
            inside = (self.first <= begin) & (end <= self.last)
            has |= inside[:, None] & (of_documents == value)[None, :]
            says[:, 0] |= inside
        return has, says

    def _features(self) -> Array:
        first, last, mass = self.first, self.last, self.mass
        spans = np.arange(len(first))
        fit = self.documents @ FIT
        best = np.argmax(fit, axis=1)
        top = fit[spans, best]
        others = fit.copy()
        others[spans, best] = -np.inf
        second = np.argmax(others, axis=1)
        next_best = others[spans, second] if fit.shape[1] > 1 else np.zeros(len(first))
        total = np.maximum(_over(mass, first, last), 1e-9)
        weights = self.weights
        any_weight = _over(mass[:, None] * (weights > 0), first, last)[spans, best]
        weighted = _over(mass[:, None] * weights, first, last)[spans, best]
        sure = _over((mass * self.nameness)[:, None] * (weights >= RUN_TOGETHER), first, last)[spans, best]
        body = _over(mass[:, None] * ((weights > 0) & (weights < IN_HEAD)), first, last)[spans, best]
        named = _over(mass[:, None] * (weights >= RUN_TOGETHER), first, last)
        name_lead = named[spans, best] - (named[spans, second] if fit.shape[1] > 1 else 0.0)
        size, told = last - first + 1, _over(self.told, first, last)
        later = self.told.copy()
        later[0] = False
        plain = _over(self.plain, first, last)
        digits = np.array([token.word.isdigit() for token in self.tokens], dtype=np.bool_)
        year = np.array([bool(_YEAR.fullmatch(token.word)) for token in self.tokens], dtype=np.bool_)
        breaker = np.array([token.word in self.patterns.breakers for token in self.tokens], dtype=np.bool_)
        left, right = self._left()[first], self._right()[last]
        gaps = [self.query[one.end : other.start] for one, other in pairwise(self.tokens)]
        comma = np.array([*("," in gap for gap in gaps), False], dtype=np.bool_)
        bracket = np.array([*(_BRACKET.search(gap) is not None for gap in gaps), False], dtype=np.bool_)
        marked = np.array([bool(_MARK.search(self._before(at))) for at in range(len(self.tokens))])
        quoted = np.array([self._before(at).endswith(_OPEN_QUOTE) for at in range(len(self.tokens))])
        cited = np.array([bool(_CITED.search(self._before(at))) for at in range(len(self.tokens))])
        what = np.array([bool(_WHAT_DOES.search(self._before(at))) for at in range(len(self.tokens))])
        says = np.array([bool(_SAYS.match(self.query, token.end)) for token in self.tokens])
        file = np.array(
            [token.word in _FILE_ENDINGS and self._before(at).endswith(".") for at, token in enumerate(self.tokens)]
        )
        holders = (fit >= 0.9 * top[:, None]).sum(axis=1)
        columns = [
            np.ones(len(first)),
            any_weight / total,
            np.minimum(weighted, 15.0) / 6,
            np.minimum(sure, 15.0) / 6,
            np.minimum(body, 10.0) / 6,
            np.minimum(total - any_weight, 15.0) / 6,
            np.clip(top - np.maximum(next_best, 0.0), 0.0, 2.0),
            np.clip(name_lead / 3, 0.0, 2.0),
            np.minimum(4, _over(self.plain & (self.nameness > A_NAME), first, last)) / 2,
            _over(later & self.capital, first, last) / np.maximum(1, _over(later, first, last)),
            _over(self.told & self.kind, first, last) > 0,
            self.kind[last],
            plain == 0,
            *(left[:, column] for column in range(4)),
            *(right[:, column] for column in range(4)),
            marked[first],
            size / 8,
            ~self._leaves_something(),
            _over(self.told & digits, first, last) / np.maximum(1, told),
            np.where(plain > 0, _over(self.plain * self.common, first, last) / np.maximum(1, plain), 0.5),
            np.minimum(3, _over(self.opener, first, last)),
            _over(comma, first, last - 1) > 0,
            quoted[first],
            self._surest(),
            _over(self.capital, first, last) == 0,
            np.minimum(3, _over(later & ~self.known & self.capital, first, last)) / 2,
            self._splits_name(),
            self.documents[spans, best, 3] - self.documents[spans, best, 4],
            self.documents[spans, best, 5] - self.documents[spans, best, 6],
            _over(bracket, first, last - 1) > 0,
            1 / np.maximum(1, holders),
            (plain > 0) & (_over(self.plain & ~year, first, last) == 0),
            _over(self.plain & (self.common > 0.5) & (self.nameness < A_NAME), first, last) / np.maximum(1, plain),
            np.minimum(2, _over(breaker, first, last)),
            cited[first],
            what[first] & says[last],
            file[last],
        ]
        return np.stack([np.asarray(column, dtype=np.float64) for column in columns], axis=1)

    def _before(self, at: int) -> str:
        start = self.tokens[at].start
        return self.query[max(0, start - _AROUND) : start]

    def _left(self) -> Array:
        """What precedes each word: nothing, a preposition (and an article), an article alone, another word."""
        found = np.zeros((len(self.tokens), 4))
        for at, token in enumerate(self.tokens):
            if at == 0:
                found[at, 0] = 1.0
                continue
            word, gap = self.tokens[at - 1].word, self.query[self.tokens[at - 1].end : token.start]
            article = word in _ARTICLES
            if article and at >= 2:
                word = self.tokens[at - 2].word
            found[at, 2] = article
            if _BREAK.search(gap) and (gap.strip() != "." or self._stops(at - 1)):
                found[at, 0] = 0.5
            elif word in _PREPOSITIONS:
                found[at, 1] = 1.0
            else:
                found[at, 3] = not article
        return found

    def _right(self) -> Array:
        """What follows each word: the end, a separator, a word that opens a question, another word."""
        found = np.zeros((len(self.tokens), 4))
        for at, token in enumerate(self.tokens):
            after = _POSSESSIVE.sub("", self.query[token.end : token.end + _AROUND])
            if at + 1 == len(self.tokens) and _END.match(after):
                found[at, 0] = 1.0
            elif _SEPARATOR.match(after):
                found[at, 1] = 1.0
            else:
                following = at + 2 if at + 2 < len(self.tokens) and self.tokens[at + 1].word == "s" else at + 1
                opens = following < len(self.tokens) and bool(self.opener[following])
                found[at, 2:] = opens, not opens
        return found

    def _leaves_something(self) -> NDArray[np.bool_]:
        """For each stretch, whether any content is left outside."""
        patterns, stop_words = self.patterns, self.language.stop_words
        empty = patterns.glue | patterns.openers | patterns.lead_words | stop_words
        content = np.array([token.word not in empty for token in self.tokens], dtype=np.bool_)
        left: NDArray[np.bool_] = content.sum() - _over(content, self.first, self.last) > 0
        return left

    def _surest(self) -> Array:
        """For each stretch how much of a name its surest word is."""
        values = np.where(self.plain, self.nameness, 0.0)
        found: Array = np.array(
            [values[start : end + 1].max() for start, end in zip(self.first.tolist(), self.last.tolist(), strict=True)]
        )
        return found

    def _splits_name(self) -> NDArray[np.bool_]:
        """For each stretch, whether a neighbour that looks like a part of the same name is left outside."""
        tokens = self.tokens
        strong = self.told & ((self.nameness > A_NAME) | (self.capital & ~self.opener & (np.arange(len(tokens)) > 0)))
        gaps = [self.query[one.end : other.start] for one, other in pairwise(tokens)]
        touching = np.array([_PUNCTUATION.search(gap) is None for gap in gaps], dtype=np.bool_)
        before = np.concatenate([[False], strong[:-1] & touching])
        behind = np.concatenate([strong[1:] & touching, [False]])
        split: NDArray[np.bool_] = before[self.first] | behind[self.last]
        return split


def _over(values: NDArray[np.generic], first: Places, last: Places) -> Array:
    """The sum of the values of the words of each stretch."""
    sums = np.zeros((len(values) + 1, *values.shape[1:]))
    np.cumsum(values, axis=0, out=sums[1:])
    found: Array = sums[last + 1] - sums[first]
    return found


def _tokens(query: str) -> list[Token]:
    """The words of a query, of a very long one those near its ends; "B&W" is one word."""
    found = [Token(match.group().lower().replace("&", ""), *match.span()) for match in _TOKEN.finditer(query)]
    return found if len(found) <= 2 * MOST_WORDS else found[:MOST_WORDS] + found[-MOST_WORDS:]


@lru_cache(maxsize=1024)
def _kinds_in(words: tuple[str, ...]) -> tuple[tuple[int, int, str], ...]:
    found = []
    at = 0
    while at < len(words):
        for size in range(min(5, len(words) - at), 0, -1):
            kind = kind_named(" ".join(words[at : at + size])) if size > 1 or words[at] in _KIND_WORDS else ""
            if kind:
                found.append((at, at + size - 1, kind))
                at += size - 1
                break
        at += 1
    return tuple(found)
