"""TF-IDF with cosine similarity, weighted as scikit-learn does it: the seeds' first system."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pincite.errors import UsageError
from pincite.fuse import Ranking
from pincite.postings.postings import Postings
from pincite.retrieve.contract import Retriever
from pincite.text import Collection, Filter
from pincite.text.tokens import word_pairs


@dataclass(frozen=True, slots=True)
class TfidfConfig:
    """The seeds' value: the 5,000 most frequent words and word pairs."""

    max_features: int = 5000

    def __post_init__(self) -> None:
        if self.max_features < 1:
            raise UsageError(f"TF-IDF needs at least 1 feature, not {self.max_features}")


class Tfidf(Retriever):
    """Cosine between TF-IDF vectors, idf = ln((1 + N) / (1 + df)) + 1; only passages that share a feature."""

    name: ClassVar[str] = "tfidf"

    def __init__(self, config: TfidfConfig | None = None, tokenize: Callable[[str], list[str]] = word_pairs) -> None:
        self.config = config or TfidfConfig()
        self.tokenize = tokenize

    def _prepare(self, collection: Collection) -> None:
        postings = Postings.build(self.tokenize(text) for text in collection.texts())
        self._postings = postings
        self._features = _most_frequent(postings, self.config.max_features)
        df = postings.document_frequencies
        self._idf = np.log((1 + len(postings)) / (1 + df)) + 1
        squares = np.zeros(len(postings))
        # In the order of the terms' own letters: the sum must not depend on which document came first.
        for term in self._features.values():
            units, counts = postings.of(term)
            squares[units] += (counts * self._idf[term]) ** 2
        self._norms = np.sqrt(squares)

    def rank(self, query: str, depth: int, where: Filter | None = None) -> Ranking:
        collection = self.collection
        scores = np.zeros(len(collection))
        matched = np.zeros(len(collection), dtype=np.bool_)
        counted = Counter(token for token in self.tokenize(query) if token in self._features)
        weights = {token: count * self._idf[self._features[token]] for token, count in counted.items()}
        length = np.sqrt(sum(weight * weight for weight in weights.values()))
        for token, weight in weights.items():
            term = self._features[token]
            units, counts = self._postings.of(term)
            scores[units] += weight / length * counts * self._idf[term] / self._norms[units]
            matched[units] = True
        admitted = collection.mask(where)
        among = matched if admitted is None else matched & admitted
        return Ranking.of(self.name, scores, depth, collection.tie_order, among=among, admitted=admitted)


def _most_frequent(postings: Postings, limit: int) -> dict[str, int]:
    """The at most `limit` terms that occur most often in all, in alphabetical order, with their numbers.

    Thousands of terms tie at the cut, and scikit-learn leaves the choice among them to its sort. Here the tied ones are
    left out together, so that nothing depends on the order of the documents; measured, that gives the seeds' figures.
    """
    running: NDArray[np.int64] = np.concatenate(([0], np.cumsum(postings.counts, dtype=np.int64)))
    totals = running[postings.first[1:]] - running[postings.first[:-1]]
    ordered = sorted(postings.terms)
    if len(ordered) > limit:
        cut = np.sort(totals)[-limit - 1]
        clear = [token for token in ordered if totals[postings.terms[token]] > cut]
        ordered = clear or ordered[:limit]
    return {token: postings.terms[token] for token in ordered}
