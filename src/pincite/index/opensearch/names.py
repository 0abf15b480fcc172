"""Which documents of a cluster words may name, and which of its words are spelt alike."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pincite.index.opensearch.cluster import Cluster
from pincite.index.opensearch.mappings import DOCUMENTS
from pincite.postings.document_names import RARE, RARE_SHARE
from pincite.postings.fragment import GRAM, NAMED, pieces_of
from pincite.postings.similar_words import ANYWHERE
from pincite.query.names import IN_BODY, IN_HEAD, IN_NAME, RUN_TOGETHER, NameCandidate, NameEvidence, NameStatistics
from pincite.text.document import DocumentKey

if TYPE_CHECKING:
    from pincite.index.opensearch.view import ClusterView

Json = dict[str, Any]

WEIGHTS = {"name": IN_NAME, "together": RUN_TOGETHER, "head": IN_HEAD, "body": IN_BODY}
"""What speaks for a document, and how much."""
AT_ONCE = 100
"""Words counted in one search."""
CONTAINS = "doc['squashed'].size() > 0 && doc['squashed'].value.contains(params.word)"
MOST_PIECES = 64
"""Pieces of a word that must occur in a run-together name before the name itself is looked at."""
NEAR = 50
"""Spellings asked for."""


class ClusterNames:
    """What the visible documents of a cluster are called. The rules are those of `DocumentNames`."""

    def __init__(self, view: "ClusterView") -> None:
        self.view = view
        self.count = view.statistics.documents

    def evidence(self, words: Sequence[str], limit: int) -> NameEvidence:
        statistics = self._statistics(words)
        asked = [word for word in dict.fromkeys(words) if statistics[word].documents]
        candidates, weights = self._best(words, asked, statistics, limit) if asked else ([], np.zeros((len(words), 0)))
        return NameEvidence(tuple(words), tuple(statistics[word] for word in words), tuple(candidates), weights)

    def _statistics(self, words: Sequence[str]) -> dict[str, NameStatistics]:
        known: dict[str, NameStatistics] = self.view.remembered("names", dict)
        new = [word for word in dict.fromkeys(words) if word not in known]
        for first in range(0, len(new), AT_ONCE):
            self._count(new[first : first + AT_ONCE], known)
        return known

    def _count(self, words: Sequence[str], known: dict[str, NameStatistics]) -> None:
        asked: Json = {}
        for at, word in enumerate(words):
            clauses = self._clauses(word)
            named = _any([clauses[part] for part in ("name", "together") if part in clauses])
            by_name = _any([clauses[part] for part in ("name", "together", "head") if part in clauses])
            stems = self.view.language.stems(word)
            body = {"term": {"stems": stems[-1]}} if stems else {"match_none": {}}
            asked |= {f"n{at}": named, f"a{at}": by_name, f"b{at}": body, f"e{at}": _any([by_name, body])}
        found = self.view.counts(DOCUMENTS, asked)
        for at, word in enumerate(words):
            holding = found[f"b{at}"]
            documents = found[f"e{at}"] if self._is_rare(word, holding) else found[f"a{at}"]
            known[word] = NameStatistics(documents, found[f"n{at}"], holding / max(1, self.count))

    def _is_rare(self, word: str, holding: int) -> bool:
        """Whether a word of the text may name the documents that hold it."""
        is_one = len(self.view.language.stems(word)) == 1
        return is_one and 0 < holding <= max(RARE, RARE_SHARE * self.count)

    def _clauses(self, word: str) -> dict[str, Json]:
        """What speaks for documents, as clauses."""
        clauses: dict[str, Json] = {"name": {"term": {"called": word}}, "head": {"term": {"head": word}}}
        if len(word) >= GRAM:
            pieces = [{"term": {"grams": piece}} for piece in pieces_of(word)[:MOST_PIECES]]
            script = {"script": {"script": {"source": CONTAINS, "params": {"word": word}}}}
            clauses["together"] = {"bool": {"filter": [*pieces, script]}}
        return clauses

    def _best(
        self, words: Sequence[str], asked: Sequence[str], statistics: dict[str, NameStatistics], limit: int
    ) -> tuple[list[NameCandidate], np.ndarray]:
        """The documents that words speak for, rare words more than common ones."""
        telling = {word: float(np.log(1 + self.count / max(1, statistics[word].documents))) for word in asked}
        should = []
        for at, word in enumerate(asked):
            clauses = self._clauses(word)
            if self._is_rare(word, round(statistics[word].share * max(1, self.count))):
                clauses["body"] = {"term": {"stems": self.view.language.stems(word)[0]}}
            parts = [
                {
                    "constant_score": {
                        "filter": clause,
                        "boost": WEIGHTS[part] * telling[word],
                        "_name": f"{part} {at}",
                    }
                }
                for part, clause in clauses.items()
            ]
            should.append({"dis_max": {"queries": parts}})
        query = {"bool": {"should": should, "minimum_should_match": 1, "filter": self.view.seen}}
        order: list[Any] = ["_score", {"sha256": "asc"}, {"id": "asc"}]
        rows = self.view.cluster.hits(
            self.view.index(DOCUMENTS), query, limit, order, _source=["sha256", "id", "kind", "date"]
        )
        candidates = [_candidate(row["_source"]) for row in rows]
        weights = np.zeros((len(words), len(rows)))
        places = {word: [at for at, other in enumerate(words) if other == word] for word in asked}
        for column, row in enumerate(rows):
            for name in row.get("matched_queries", []):
                part, _, at = name.partition(" ")
                for place in places[asked[int(at)]]:
                    weights[place, column] = max(weights[place, column], WEIGHTS[part])
        return candidates, weights


class ClusterVocabulary:
    """The words of the visible documents of a cluster."""

    def __init__(self, view: "ClusterView") -> None:
        self.view = view
        self.language = view.language
        self.frequency = view.frequency

    def counted(self, word: str, least: int = 1) -> int:
        known: dict[tuple[str, int], int] = self.view.remembered("called", dict)
        if (word, least) not in known:
            called, head, spelt = ({"term": {field: word}} for field in ("called", "head", "spelt"))
            asked = {"called": called, "either": _any([called, head]), "any": _any([called, head, spelt])}
            found = self.view.counts(DOCUMENTS, asked)
            known[word, NAMED], known[word, 1], known[word, ANYWHERE] = (found[name] for name in asked)
        return known[word, least]

    def spelt_like(self, word: str, most: int) -> Sequence[str]:
        """What the cluster's dictionaries hold near a word; `counted` then tells what the caller may see of it."""
        options = {"suggest_mode": "always", "max_edits": most, "prefix_length": 1, "min_word_length": 2}
        ask = {
            field: {"text": word, "term": {"field": field, "size": NEAR, "shard_size": 4 * NEAR, **options}}
            for field in ("called", "head", *(["spelt"] if self._has_spellings() else []))
        }
        found = self.view.cluster.search(self.view.index(DOCUMENTS), {"size": 0, "suggest": ask})["suggest"]
        near = {option["text"] for field in ask for entry in found[field] for option in entry["options"]}
        return sorted(other for other in near if other.isalpha())

    def _has_spellings(self) -> bool:
        """Whether the collection knows how its texts are spelt: an earlier version does once it is written to."""
        cluster, index = self.view.cluster, self.view.index(DOCUMENTS)
        return bool(self.view.remembered("has spellings", lambda: has_field(cluster, index, "spelt")))


def has_field(cluster: Cluster, index: str, field: str) -> bool:
    """Whether rows of an index have a field."""
    found = cluster.request("GET", f"/{index}/_mapping/field/{field}")
    return all(field in one["mappings"] for one in found.values())


def _candidate(row: Json) -> NameCandidate:
    return NameCandidate(DocumentKey(row["sha256"], row["id"]), row["kind"], row["date"][:4])


def _any(clauses: list[Json]) -> Json:
    return {"bool": {"should": clauses, "minimum_should_match": 1}}
