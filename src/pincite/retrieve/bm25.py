"""BM25 over postings, every weight computed when a question is asked: k1, b and the form are free then."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pincite.errors import UsageError, one_of
from pincite.fuse import Ranking
from pincite.postings.postings import Postings
from pincite.retrieve.bm25_forms import FORMS
from pincite.retrieve.contract import Retriever
from pincite.text import Collection, Filter
from pincite.text.tokens import content_words

Tokenize = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class BM25Config:
    """The seeds' values; `form` is one of okapi, robertson, lucene, atire, bm25+, bm25l."""

    k1: float = 1.5
    b: float = 0.75
    form: str = "okapi"

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise one_of("form of BM25", self.form, list(FORMS))
        if self.k1 < 0 or not 0 <= self.b <= 1:
            raise UsageError(f"BM25 needs k1 of at least 0 and b from 0 to 1, not k1={self.k1}, b={self.b}")


class BM25(Retriever):
    """Ranks passages by the query's terms; returns only those that share one with it."""

    name: ClassVar[str] = "bm25"

    def __init__(self, config: BM25Config | None = None, tokenize: Tokenize = content_words) -> None:
        self.config = config or BM25Config()
        self.tokenize = tokenize
        self.weigher: Weigher | None = None

    def _prepare(self, collection: Collection) -> None:
        postings = Postings.build(self.tokenize(text) for text in collection.texts())
        self.weigher = Weigher(postings, self.config)

    def with_config(self, config: BM25Config) -> "BM25":
        """The same index under other values: nothing is read or counted again."""
        other = BM25(config, self.tokenize)
        if self.weigher is not None:
            other.weigher = Weigher(self.weigher.postings, config)
            other._collection = self.collection
        return other

    def rank(self, query: str, depth: int, where: Filter | None = None) -> Ranking:
        collection = self.collection
        assert self.weigher is not None
        scores, matched = self.weigher.score(self.tokenize(query))
        admitted = collection.mask(where)
        among = matched if admitted is None else matched & admitted
        return Ranking.of(self.name, scores, depth, collection.tie_order, among=among, admitted=admitted)


class Weigher:
    """BM25 scores of all units of some postings under one configuration."""

    def __init__(self, postings: Postings, config: BM25Config) -> None:
        self.postings = postings
        self.config = config
        self.form = FORMS[config.form]

    @cached_property
    def length_part(self) -> NDArray[np.float64]:
        """What the form needs of every unit's length, from 1 - b + b * length / mean length."""
        lengths = self.postings.lengths
        mean = float(lengths.mean()) if len(lengths) and lengths.any() else 1.0
        norm = (1 - self.config.b + self.config.b * lengths / mean).astype(np.float64)
        return self.form.length_part(norm, self.config.k1)

    @cached_property
    def idf(self) -> NDArray[np.float64]:
        return self.form.idf(self.postings.document_frequencies, len(self.postings))

    def score(self, tokens: list[str]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """The score of every unit, and whether it shares a term with the query; a repeated token counts again."""
        scores = np.zeros(len(self.postings))
        k1 = self.config.k1
        absence = self.form.gain_of_absence(k1)
        known = {self.postings.terms[token]: n for token, n in Counter(tokens).items() if token in self.postings.terms}
        weights = {term: repeats * self.idf[term] for term, repeats in known.items()}
        for term, weight in weights.items():
            units, counts = self.postings.of(term)
            gain = self.form.gain(counts, self.length_part.take(units), k1)
            if absence:
                gain -= absence
            gain *= weight
            np.add.at(scores, units, gain)
        matched = scores > 0 if all(weight > 0 for weight in weights.values()) else self._matched(weights)
        if absence:
            scores += absence * sum(weights.values())
        return scores, matched

    def _matched(self, terms: Iterable[int]) -> NDArray[np.bool_]:
        """The units that hold one of the terms; asked where a weight is not positive, so that a score cannot tell."""
        matched = np.zeros(len(self.postings), dtype=np.bool_)
        for term in terms:
            matched[self.postings.of(term)[0]] = True
        return matched
