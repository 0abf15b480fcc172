"""The scores behind context-aware retrieval.

A question is taken apart into the document it names and what it asks. The units of the documents that may be meant are
scored by parts: BM25 on the unit with its headings and lead-in (`unit`), BM25 on its neighbourhood (`near`), the cosine
of the unit in context with the question (`dense`) and of its neighbours (`around`), whether it defines a term that is
asked for (`definition`), the same for the words that what is asked for is usually drafted in (`drafted`), and how well
the document fits the reference (`document`).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.documents.profile import Profile, profile
from pincite.models import Encoder, Progress, Vectors
from pincite.retrieve.asked import bare_question
from pincite.retrieve.bm25 import BM25Config, Weigher
from pincite.retrieve.definitions import defined_terms, terms_asked
from pincite.retrieve.names import Names
from pincite.retrieve.postings import Postings
from pincite.retrieve.thesaurus import drafted_as
from pincite.retrieve.understand import Understood, understand
from pincite.text import Collection, Filter
from pincite.text.stems import stems

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ContextConfig:
    """The weights of the parts and the settings of BM25, tuned on the dev split (docs/context.md has the command)."""

    unit: float = 1.2
    near: float = 0.8
    dense: float = 1.0
    around: float = 0.4
    definition: float = 0.5
    drafted: float = 1.0
    document: float = 1.0
    k1: float = 0.9
    b: float = 0.2
    frame: float = 0.5
    """How much a word of the headings or the lead-in counts, beside one of the unit itself."""
    kernel: tuple[float, ...] = (0.3, 0.6, 1.0, 0.6, 0.3)
    """How much a word counts in the units before and behind."""
    most_documents: int = 40
    """Without a reference, so many documents are looked into."""


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """The units that were looked at, with their parts and what was understood of the question."""

    understood: Understood
    positions: NDArray[np.int64]
    parts: dict[str, Array]
    scores: Array


class Searcher:
    """Scores units in their context; `ContextRetriever` makes hits of what it finds."""

    def __init__(self, collection: Collection, encoder: Encoder | None, config: ContextConfig) -> None:
        self.collection = collection
        self.encoder = encoder
        self.config = config
        self.profiles: tuple[Profile, ...] = tuple(profile(document) for document in collection.documents)
        self.names = Names(collection.documents, self.profiles)
        self.units = Postings.build(stems(text) for text in collection.texts())
        self.frames = Postings.build(stems(self._frame_text(at)) for at in range(len(collection.contexts)))
        self.weigher = Weigher(self.units, BM25Config(config.k1, config.b, "lucene"))
        self.first_unit = np.searchsorted(collection.owners, np.arange(len(collection.documents) + 1))
        self.defined = _defined(collection)
        self._vectors: dict[int, Vectors] = {}
        self._share: dict[str, float] = {}

    def _frame_text(self, at: int) -> str:
        context = self.collection.contexts[at]
        lead_in = ""
        if context.lead_in:
            lead_in = self.collection.documents[context.owner].text[slice(*context.lead_in)]
        return " ".join([*context.heading_path, lead_in])

    def understand(self, query: str) -> Understood:
        return understand(query, self.names, self._body_share)

    def _body_share(self, word: str) -> float:
        """In what share of the documents a word stands."""
        if word not in self._share:
            found = 0
            for stem in stems(word):
                term = self.units.terms.get(stem)
                if term is not None:
                    found = len(np.unique(self.collection.owners[self.units.of(term)[0]]))
            self._share[word] = found / max(1, len(self.collection.documents))
        return self._share[word]

    def candidates(self, query: str, where: Filter | None) -> tuple[Understood, dict[int, float]]:
        """What was understood, and the documents to look into, each with how well it fits (1 for the best)."""
        understood = self.understand(query)
        admitted = None
        if where is not None:
            admitted = {at for at, document in enumerate(self.collection.documents) if where.admits(document)}
            if not any(at in admitted for at, _, _ in understood.documents):
                understood = Understood(query.strip())  # the user's filter wins over what the question seems to name
        beliefs = {at: belief for at, belief, _ in understood.documents if admitted is None or at in admitted}
        if beliefs:
            best = max(beliefs.values())
            kept = sorted(beliefs, key=lambda at: (-beliefs[at], at))[: self.config.most_documents]
            return understood, {at: beliefs[at] / best for at in kept}
        if admitted is not None:
            return understood, dict.fromkeys(sorted(admitted), 1.0)
        return understood, self._likely(understood.question)

    def _likely(self, question: str) -> dict[int, float]:
        """Without a reference: the documents of the units that share most with the question."""
        count = len(self.collection.documents)
        if count <= self.config.most_documents:
            return dict.fromkeys(range(count), 1.0)
        scores, _ = self.weigher.score(stems(bare_question(question)))
        best = np.argsort(-scores, kind="stable")[: 50 * self.config.most_documents]
        owners = dict.fromkeys(self.collection.owners[best].tolist())
        return dict.fromkeys(sorted(list(owners)[: self.config.most_documents]), 1.0)

    def score(self, query: str, where: Filter | None = None, vectors: Vectors | None = None) -> Scored:
        """Every unit of the documents that may be meant, with its parts and its fused score.

        `vectors` are those of `encoder_texts`, where the caller has made them already.
        """
        understood, documents = self.candidates(query, where)
        ranges = [(int(self.first_unit[at]), int(self.first_unit[at + 1])) for at in sorted(documents)]
        positions = np.concatenate([np.arange(*span) for span in ranges]) if ranges else np.zeros(0, dtype=np.int64)
        config = self.config
        bare, drafted = bare_question(understood.question), drafted_as(understood.question)
        fit = np.array([documents[at] for at in self.collection.owners[positions].tolist()])
        parts: dict[str, Array] = {"document": fit}
        parts["unit"], parts["near"] = self._lexical(stems(bare), ranges)
        parts["definition"] = self._definitions(understood.question, positions)
        if self.encoder is not None:
            if vectors is None:
                vectors = self.encoder.encode_queries(encoder_texts(understood))
            parts["dense"] = self._cosines(sorted(documents), vectors[0])
            parts["around"] = _neighbours(parts["dense"])
        if drafted and config.drafted:
            unit, near = self._lexical(stems(drafted), ranges)
            parts["drafted"] = config.unit * unit + config.near * near
            if vectors is not None:
                parts["drafted"] = parts["drafted"] + config.dense * self._cosines(sorted(documents), vectors[1])
        scores = np.zeros(len(positions))
        for name, values in parts.items():
            scores += getattr(config, name) * values
        return Scored(understood, positions, parts, np.round(scores, 6))

    def _definitions(self, question: str, positions: NDArray[np.int64]) -> Array:
        """1 for a unit that defines a term the question quotes or asks the definition of."""
        asked = terms_asked(question)
        defines = np.zeros(len(positions))
        for term in asked:
            held = self.defined.get(term)
            if held is not None:
                defines[np.isin(positions, held)] = 1.0
        return defines

    def _lexical(self, tokens: Sequence[str], ranges: Sequence[tuple[int, int]]) -> tuple[Array, Array]:
        """BM25 on the units with their frames and on their neighbourhoods, as shares of the most there could be."""
        asked = Counter(token for token in tokens if token in self.units.terms or token in self.frames.terms)
        sizes = [int(end - start) for start, end in ranges]
        if not asked or not sizes:
            return np.zeros(sum(sizes)), np.zeros(sum(sizes))
        terms = list(asked)
        own = np.stack([self._counts(self.units, term, ranges) for term in terms], axis=1)
        frame = np.stack([self._frame_counts(term, ranges) for term in terms], axis=1)
        weights = np.array([asked[term] * self._idf(term) for term in terms]) * _rarity(own)
        weights /= weights.sum()
        lengths = np.concatenate([self.units.lengths[start:end] for start, end in ranges])
        config = self.config
        norm = 1 - config.b + config.b * lengths / max(1.0, float(self.units.lengths.mean()))
        with_frame = own + config.frame * frame
        unit = (with_frame / (with_frame + (config.k1 * norm)[:, None] + 1e-9)) @ weights
        around = np.concatenate([self._around(part) for part in np.split(own, np.cumsum(sizes)[:-1])]) + frame
        near = (around / (around + 2 * config.k1)) @ weights
        return unit, near

    def _idf(self, term: str) -> float:
        number = self.units.terms.get(term)
        found = int(self.units.first[number + 1] - self.units.first[number]) if number is not None else 0
        return float(np.log1p((len(self.units) - found + 0.5) / (found + 0.5)))

    @staticmethod
    def _counts(postings: Postings, term: str, ranges: Sequence[tuple[int, int]]) -> Array:
        """How often a term occurs in each unit of the ranges: a search in its posting list, not a walk through it."""
        number = postings.terms.get(term)
        pieces = []
        for start, end in ranges:
            counts = np.zeros(end - start)
            if number is not None:
                units, found = postings.of(number)
                low, high = np.searchsorted(units, (start, end))
                counts[units[low:high] - start] = found[low:high]
            pieces.append(counts)
        return np.concatenate(pieces)

    def _frame_counts(self, term: str, ranges: Sequence[tuple[int, int]]) -> Array:
        number = self.frames.terms.get(term)
        frames = np.concatenate([self.collection.context_of[start:end] for start, end in ranges])
        if number is None:
            return np.zeros(len(frames))
        held, found = self.frames.of(number)
        places = np.searchsorted(held, frames)
        places[places == len(held)] = 0
        return np.asarray(held[places] == frames, dtype=np.float64) * np.minimum(found[places], 1)

    def _around(self, counts: Array) -> Array:
        """Counts of a unit and, for less, of the units before and behind it in the same document."""
        reach = len(self.config.kernel) // 2
        padded = np.pad(counts, ((reach, reach), (0, 0)))
        around: Array = np.zeros_like(counts)
        for at, weight in enumerate(self.config.kernel):
            around += weight * padded[at : at + len(counts)]
        return around

    def _cosines(self, documents: Sequence[int], vector: Vectors) -> Array:
        self.encode(documents)
        found = [np.round(self._vectors[at] @ vector, 6).astype(np.float64) for at in documents]
        return np.concatenate(found) if found else np.zeros(0)

    def encode(self, documents: Iterable[int], progress: Progress | None = None) -> None:
        """Makes the vectors of the units of these documents, where they are not there yet."""
        missing = [at for at in documents if at not in self._vectors]
        if not missing or self.encoder is None:
            return
        spans = [(int(self.first_unit[at]), int(self.first_unit[at + 1])) for at in missing]
        texts = [self.context_text(position) for start, end in spans for position in range(start, end)]
        vectors = self.encoder.encode_passages(texts, progress)
        place = 0
        for at, (start, end) in zip(missing, spans, strict=True):
            self._vectors[at] = vectors[place : place + end - start]
            place += end - start

    def context_text(self, position: int) -> str:
        """A unit as an encoder reads it: behind its last heading and its lead-in."""
        context = self.collection.contexts[self.collection.context_of[position]]
        title = context.heading_path[-1] if context.heading_path else ""
        lead_in = ""
        if context.lead_in:
            lead_in = self.collection.documents[context.owner].text[slice(*context.lead_in)][-200:]
        return " ".join(" ".join([title, lead_in, self.collection.text(position)]).split())


def encoder_texts(understood: Understood) -> list[str]:
    """What an encoder reads of a question: what it asks for, and the words that is drafted in."""
    return [bare_question(understood.question), drafted_as(understood.question) or " "]


def _neighbours(values: Array) -> Array:
    """The mean of the unit before and the unit behind."""
    if not len(values):
        return values
    padded = np.pad(values, 1, mode="edge")
    return (padded[:-2] + padded[2:]) / 2


def _defined(collection: Collection) -> dict[str, list[int]]:
    """For every defined term, and its last words ("material adverse effect" for "company material adverse effect"),
    the units that define it."""
    held: dict[str, list[int]] = {}
    for position, text in enumerate(collection.texts()):
        for term in defined_terms(text):
            words = term.split()
            for first in range(min(3, len(words))):
                held.setdefault(" ".join(words[first:]), []).append(position)
    return held


def _rarity(counts: Array) -> Array:
    """How rare each term (a column) is among these units: words of the whole document's subject say little in it."""
    found = np.count_nonzero(counts, axis=0)
    rarity: Array = np.log1p((len(counts) - found + 0.5) / (found + 0.5))
    return rarity
