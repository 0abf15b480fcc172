"""The scores behind context-aware retrieval.

A question is taken apart into the document it names and what it asks. The units of the documents that may be meant are
scored by parts: BM25 on the unit with its headings and lead-in (`unit`), BM25 on its neighbourhood (`near`), the cosine
of the unit in context with the question (`dense`) and of its neighbours (`around`), whether it defines a term that is
asked for (`definition`), the same for the words that what is asked for is usually drafted in (`drafted`), and how well
the document fits the reference (`document`).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.models import Vectors
from pincite.retrieve.asked import bare_question
from pincite.retrieve.definitions import terms_asked
from pincite.retrieve.names import Names
from pincite.retrieve.shelf import Flags
from pincite.retrieve.shelves import Looked, Shelves
from pincite.retrieve.stretches import Stretches
from pincite.retrieve.thesaurus import drafted_as
from pincite.retrieve.understand import Understood, understand
from pincite.retrieve.unit_vectors import UnitVectors
from pincite.text.stems import stems

Array = NDArray[np.float64]

DECIMALS = 9
"""Sums of words are rounded here: what lies below depends on which other units are summed beside them."""


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
    looked: Looked
    parts: dict[str, Array]
    scores: Array
    with_vectors: Flags | None = None
    """Which units have a vector; None where no dense part took part."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """What was understood, and the documents to look into, each with how well it fits (1 for the best)."""

    understood: Understood
    documents: dict[int, float]


class Searcher:
    """Scores units in their context; what it finds is made into hits elsewhere."""

    def __init__(self, shelves: Shelves, config: ContextConfig, vectors: UnitVectors | None = None) -> None:
        self.shelves = shelves
        self.config = config
        self.vectors = vectors
        self.names = Names(shelves)

    def understand(self, query: str, admitted: Flags | None = None) -> Understood:
        """The question taken apart. `admitted` flags the documents that the user's filter lets through: it wins over
        what the question seems to name."""
        understood = understand(query, self.names, self.shelves.share_with)
        if admitted is not None and not any(admitted[at] for at, _, _ in understood.documents):
            return Understood(query.strip())
        return understood

    def candidates(
        self,
        understood: Understood,
        admitted: Flags | None,
        vectors: Vectors | None = None,
        least_units: int = 0,
        most_documents: int | None = None,
    ) -> Candidates:
        """The documents to look into: those that the question names, else the likeliest ones, at most so many.

        `least_units` is how many units the likeliest documents must have together, if there are so many.
        """
        most = most_documents or self.config.most_documents
        beliefs = {at: belief for at, belief, _ in understood.documents if admitted is None or admitted[at]}
        if beliefs:
            best = max(beliefs.values())
            kept = sorted(beliefs, key=lambda at: (-beliefs[at], self.shelves.keys[at]))[:most]
            return Candidates(understood, {at: beliefs[at] / best for at in kept})
        return Candidates(understood, self._likely(understood.question, admitted, vectors, least_units, most))

    def _likely(
        self, question: str, admitted: Flags | None, vectors: Vectors | None, least_units: int, most: int
    ) -> dict[int, float]:
        """Without a reference: the documents of the units that share most with the question, or are nearest to it."""
        config, shelves = self.config, self.shelves
        allowed = shelves.alive if admitted is None else shelves.alive & admitted
        count = int(np.count_nonzero(allowed))
        if count <= most:
            return dict.fromkeys(np.flatnonzero(allowed).tolist(), 1.0)
        deep = 20 * most
        ranked = [shelves.likely(stems(bare_question(question)), config.k1, config.b, deep, admitted)]
        if self.vectors is not None and vectors is not None:
            ranked.append(self.vectors.nearest(vectors[0], 5 * most, admitted))
        chosen: dict[int, float] = {}
        for place in range(max(map(len, ranked), default=0)):
            for documents in ranked:
                if place < len(documents) and len(chosen) < most:
                    chosen[documents[place][0]] = 1.0
        missing = least_units - len(shelves.look(list(chosen)))
        if missing > 0:
            rest = (at for at in np.flatnonzero(allowed).tolist() if at not in chosen)
            for at in sorted(rest, key=shelves.keys.__getitem__):
                chosen[at] = 1.0
                missing -= shelves.size(at)
                if missing <= 0:
                    break
        return chosen

    def score(self, candidates: Candidates, vectors: Vectors | None = None) -> Scored:
        """Every unit of the documents that may be meant, with its parts and its fused score.

        `vectors` are those of `encoder_texts`; without them the dense parts are left out.
        """
        understood, config, shelves = candidates.understood, self.config, self.shelves
        looked = shelves.look(list(candidates.documents))
        stretches = shelves.stretches(looked)
        bare, drafted = bare_question(understood.question), drafted_as(understood.question)
        fit = np.array([candidates.documents[at] for at in looked.documents.tolist()])[looked.owners]
        parts: dict[str, Array] = {"document": fit.astype(np.float64)}
        parts["unit"], parts["near"] = self._lexical(stems(bare), looked, stretches)
        parts["definition"] = self._definitions(understood.question, looked, stretches)
        with_vectors = None
        cosines = np.zeros((len(looked), 2))
        if self.vectors is not None and vectors is not None:
            cosines, with_vectors = self.vectors.cosines(looked, vectors if drafted else vectors[:1])
            if not with_vectors.all():  # a unit without a vector is neither near nor far
                middle = np.median(cosines[with_vectors], axis=0) if with_vectors.any() else 0.0
                cosines[~with_vectors] = middle
            parts["dense"] = cosines[:, 0]
            parts["around"] = _neighbours(cosines[:, 0], looked)
        if drafted and config.drafted:
            unit, near = self._lexical(stems(drafted), looked, stretches)
            parts["drafted"] = config.unit * unit + config.near * near + config.dense * cosines[:, 1]
        scores = np.zeros(len(looked))
        for name, values in parts.items():
            scores += getattr(config, name) * values
        return Scored(understood, looked, parts, np.round(scores, 6), with_vectors)

    def _definitions(self, question: str, looked: Looked, stretches: Sequence[Stretches]) -> Array:
        """1 for a unit that defines a term the question quotes or asks the definition of."""
        defines = np.zeros(len(looked))
        for term in terms_asked(question):
            defines = np.maximum(defines, self.shelves.defining(term, looked, stretches))
        return defines

    def _lexical(self, tokens: Sequence[str], looked: Looked, stretches: Sequence[Stretches]) -> tuple[Array, Array]:
        """BM25 on the units with their frames and on their neighbourhoods, as shares of the most there could be."""
        shelves, config = self.shelves, self.config
        asked = Counter(token for token in tokens if shelves.knows(token))
        if not asked or not len(looked):
            return np.zeros(len(looked)), np.zeros(len(looked))
        own, frame = np.zeros((len(asked), len(looked))), np.zeros((len(asked), len(looked)))
        for term, counts, above in zip(asked, own, frame, strict=True):
            shelves.count(term, stretches, counts, above)
        weights = np.array([repeats * shelves.idf(term) for term, repeats in asked.items()]) * _rarity(own)
        weights /= weights.sum()
        norm = 1 - config.b + config.b * shelves.lengths(looked, stretches) / shelves.mean_length
        with_frame = own + config.frame * frame
        unit = weights @ (with_frame / (with_frame + (config.k1 * norm + 1e-9)))
        around = self._around(own, looked) + frame
        near = weights @ (around / (around + 2 * config.k1))
        return np.round(unit, DECIMALS), np.round(near, DECIMALS)

    def _around(self, counts: Array, looked: Looked) -> Array:
        """Counts of a unit and, for less, of the units before and behind it in the same document."""
        reach = len(self.config.kernel) // 2
        around: Array = self.config.kernel[reach] * counts
        for step in range(1, min(reach, len(looked) - 1) + 1):
            together = looked.owners[step:] == looked.owners[:-step]
            around[:, step:] += self.config.kernel[reach - step] * (counts[:, :-step] * together)
            around[:, :-step] += self.config.kernel[reach + step] * (counts[:, step:] * together)
        return around


def encoder_texts(understood: Understood) -> list[str]:
    """What an encoder reads of a question: what it asks for, and the words that is drafted in."""
    return [bare_question(understood.question), drafted_as(understood.question) or " "]


def _neighbours(values: Array, looked: Looked) -> Array:
    """The mean of the unit before and the unit behind in the same document; at its ends, of the unit itself."""
    before, behind = values.copy(), values.copy()
    together = looked.owners[1:] == looked.owners[:-1]
    before[1:][together] = values[:-1][together]
    behind[:-1][together] = values[1:][together]
    return (before + behind) / 2


def _rarity(counts: Array) -> Array:
    """How rare each term (a row) is among these units: words of the whole document's subject say little in it."""
    found = np.count_nonzero(counts, axis=1)
    rarity: Array = np.log1p((counts.shape[1] - found + 0.5) / (found + 0.5))
    return rarity
