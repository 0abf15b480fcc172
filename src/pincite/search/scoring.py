"""The first ranking: every unit of the candidate documents is scored in its context.

The parts of a score: BM25 on the unit with its headings and lead-in (`unit`), BM25 on its neighbourhood (`near`), the
cosine of the unit in context with the question (`dense`) and of its neighbours (`around`), whether it defines a term
that is asked for (`definition`), the same for the words that what is asked for is usually drafted in (`drafted`), and
how well the document fits the reference (`document`).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pincite.engine.contract import CandidateUnits, CandidateView, CollectionStatistics, Flags, TermStatistics
from pincite.errors import UsageError, one_of
from pincite.models import Vectors
from pincite.query.definitions import terms_asked
from pincite.query.normalise import bare_question
from pincite.query.reference import ParsedQuery
from pincite.query.thesaurus import drafted_as
from pincite.text.document import DocumentKey
from pincite.text.language import Language

Array = NDArray[np.float64]

DECIMALS = 9
"""Sums over words are rounded to this many decimals: what lies below depends on which other units are summed."""

WEIGHTS = ("unit", "near", "dense", "around", "definition", "drafted", "document")
"""The parts whose weights can be set."""


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
    """The weight of a word of the headings or the lead-in, beside one of the unit itself."""
    kernel: tuple[float, ...] = (0.3, 0.6, 1.0, 0.6, 0.3)
    """The weight of a word in the units before and behind."""
    most_documents: int = 40
    """Documents looked into where the question names none."""

    def with_weights(self, weights: Mapping[str, float]) -> "ContextConfig":
        """The same with other weights, k1 or b."""
        for name in weights:
            if name not in (*WEIGHTS, "k1", "b"):
                raise one_of("part", name, WEIGHTS)
        changed = replace(self, **{name: float(value) for name, value in weights.items()})  # type: ignore[arg-type]
        if changed.k1 < 0 or not 0 <= changed.b <= 1:
            raise UsageError(f"BM25 needs k1 of at least 0 and b from 0 to 1, not k1={changed.k1}, b={changed.b}")
        return changed


@dataclass(frozen=True, slots=True, eq=False)
class ScoredUnits:
    """Candidate units with their parts and their fused scores."""

    parsed: ParsedQuery
    units: CandidateUnits
    parts: Mapping[str, Array]
    scores: Array
    embedded: Flags | None = None
    """Which units are embedded; None where no dense part took part."""

    def best(self, depth: int) -> NDArray[np.int64]:
        """The places of the best units."""
        places = np.arange(len(self.scores))
        return np.lexsort((places, self.units.tie_places, -self.scores))[:depth]


def encoder_texts(parsed: ParsedQuery, language: Language) -> list[str]:
    """What an encoder reads of a question: what it asks for, and the words that is drafted in."""
    return [bare_question(parsed.read, language), drafted_as(parsed.question, language) or " "]


class Scorer:
    """Scores units in their context."""

    def __init__(self, view: CandidateView, config: ContextConfig) -> None:
        self.view = view
        self.config = config

    def score(
        self, parsed: ParsedQuery, documents: Mapping[DocumentKey, float], vectors: Vectors | None = None
    ) -> ScoredUnits:
        """Every unit of these documents, each with how well it fits (1 for the best), with its parts and score.

        `vectors` are those of `encoder_texts`; without them the dense parts are left out.
        """
        view, config, language = self.view, self.config, self.view.language
        bare, drafted = bare_question(parsed.question, language), drafted_as(parsed.question, language)
        asked, drafted_stems = language.stems(bare), language.stems(drafted)
        known = {stem: found for stem, found in view.term_statistics([*asked, *drafted_stems]).items() if found.known}
        questions = None if vectors is None else vectors if drafted else vectors[:1]
        terms = tuple(dict.fromkeys(stem for stem in (*asked, *drafted_stems) if stem in known))
        defined = sorted(terms_asked(parsed.question, language))
        units = view.units(list(documents), terms, defined, questions)
        lexical = _Lexical(units, known, view.statistics, config)
        fit = np.array([documents[key] for key in units.documents])[units.owners]
        parts: dict[str, Array] = {"document": fit.astype(np.float64)}
        parts["unit"], parts["near"] = lexical.score(asked)
        parts["definition"] = units.defines
        cosines, embedded = np.zeros((len(units), 2)), None
        if units.cosines is not None and units.embedded is not None:
            cosines, embedded = units.cosines, units.embedded
            if not embedded.all():  # a unit without a vector is neither near nor far
                cosines = cosines.copy()
                cosines[~embedded] = np.median(cosines[embedded], axis=0) if embedded.any() else 0.0
            parts["dense"] = cosines[:, 0]
            parts["around"] = _neighbours(cosines[:, 0], units)
        if drafted and config.drafted:
            unit, near = lexical.score(drafted_stems)
            parts["drafted"] = config.unit * unit + config.near * near + config.dense * cosines[:, 1]
        scores = np.zeros(len(units))
        for name, values in parts.items():
            scores += getattr(config, name) * values
        return ScoredUnits(parsed, units, parts, np.round(scores, 6), embedded)


class _Lexical:
    """BM25 on units with their frames and on their neighbourhoods, as shares of the most there could be."""

    def __init__(
        self,
        units: CandidateUnits,
        known: Mapping[str, TermStatistics],
        collection: CollectionStatistics,
        config: ContextConfig,
    ) -> None:
        self.units = units
        self.known = known
        self.collection = collection
        self.config = config
        self.rows = {term: at for at, term in enumerate(units.terms)}

    def score(self, stems: Sequence[str]) -> tuple[Array, Array]:
        units, config = self.units, self.config
        asked = Counter(stem for stem in stems if stem in self.known)
        if not asked or not len(units):
            return np.zeros(len(units)), np.zeros(len(units))
        rows = [self.rows[term] for term in asked]
        own, above = units.own[rows], units.above[rows]
        weights = np.array([repeats * self._idf(term) for term, repeats in asked.items()]) * _rarity(own)
        weights /= weights.sum()
        norm = 1 - config.b + config.b * units.lengths / self.collection.mean_length
        with_frame = own + config.frame * above
        unit = weights @ (with_frame / (with_frame + (config.k1 * norm + 1e-9)))
        around = self._around(own) + above
        near = weights @ (around / (around + 2 * config.k1))
        return np.round(unit, DECIMALS), np.round(near, DECIMALS)

    def _idf(self, term: str) -> float:
        return inverse_frequency(self.known[term].units, self.collection.units)

    def _around(self, counts: Array) -> Array:
        """Counts of a unit and, for less, of the units before and behind it in the same document."""
        kernel, owners = self.config.kernel, self.units.owners
        reach = len(kernel) // 2
        around: Array = kernel[reach] * counts
        for step in range(1, min(reach, len(owners) - 1) + 1):
            together = owners[step:] == owners[:-step]
            around[:, step:] += kernel[reach - step] * (counts[:, :-step] * together)
            around[:, :-step] += kernel[reach + step] * (counts[:, step:] * together)
        return around


def inverse_frequency(found: int, units: int) -> float:
    """How rare a stem is that occurs in `found` of `units` units."""
    return float(np.log1p((units - found + 0.5) / (found + 0.5)))


def _neighbours(values: Array, units: CandidateUnits) -> Array:
    """The mean of the unit before and the unit behind in the same document; at its ends, of the unit itself."""
    before, behind = values.copy(), values.copy()
    together = units.owners[1:] == units.owners[:-1]
    before[1:][together] = values[:-1][together]
    behind[:-1][together] = values[1:][together]
    return (before + behind) / 2


def _rarity(counts: Array) -> Array:
    """How rare each term (a row) is among these units: words of the whole document's subject say little in it."""
    found = np.count_nonzero(counts, axis=1)
    rarity: Array = np.log1p((counts.shape[1] - found + 0.5) / (found + 0.5))
    return rarity
