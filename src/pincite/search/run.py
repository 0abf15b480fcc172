"""The one function that ranks: questions in, answers out, on any engine."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np

from pincite.engine.contract import EVERYTHING, CandidateView, Scope
from pincite.models import Encoder, Vectors
from pincite.query.operators import QueryConstraints
from pincite.query.reference import ParsedQuery, parse
from pincite.search.answer import LIKELY, Answer
from pincite.search.candidates import candidate_documents
from pincite.search.loading import Loader
from pincite.search.rerank import RerankStage
from pincite.search.scoring import ContextConfig, ScoredUnits, Scorer, encoder_texts
from pincite.search.spans import HitSpan, SpanConfig, allowed_units, spans
from pincite.text import Filter, Hit, Part

DENSE = ("dense", "around")
"""The parts that need vectors."""
WIDER = 4
"""How many times more documents are looked into where too few hits were found."""

NO_ENCODER = "no encoder at hand: the dense part was left out"
NO_VECTORS = "no document has vectors yet, the dense part was left out; 'pincite index embed' embeds them"
SOME_VECTORS = "{} of {} documents have no vectors yet; 'pincite index embed' embeds them"
NOTHING_FITS = "no document fits the filter: nothing was searched"
UNKNOWN = "no word of the question stands in the documents"
UNLIKELY = "probably nothing here answers the question (likelihood {:.2f}); what comes nearest is shown"
NO_PHRASE = "no passage holds what is quoted: nothing was found"


@dataclass(frozen=True, slots=True)
class Question:
    """A question as it is ranked: a request whose method, models and filter are resolved."""

    text: str
    k: int = 10
    where: Filter | None = None
    spans: SpanConfig = field(default_factory=SpanConfig)
    config: ContextConfig = field(default_factory=ContextConfig)
    dense: bool = True
    """False leaves the vectors out."""
    rerank: RerankStage | None = None
    operators: bool = True


class PreparedQuery(NamedTuple):
    """A question taken apart: what it demands, what it asks, and which documents may answer."""

    constraints: QueryConstraints
    parsed: ParsedQuery
    scope: Scope


def search(view: CandidateView, questions: Sequence[Question], encoder: Encoder | None = None) -> list[Answer]:
    """An answer for each question, all from one state. `encoder` is the one that made the vectors of the collection."""
    prepared = [prepare(view, question) for question in questions]
    vectors = _encoded(view, questions, prepared, encoder)
    return [
        _answer(view, question, query, pair, (*view.notes, *_vector_notes(view, question, encoder)))
        for question, query, pair in zip(questions, prepared, vectors, strict=True)
    ]


def prepare(view: CandidateView, question: Question) -> PreparedQuery:
    """What a question demands and asks."""
    constraints = QueryConstraints.of(question.text) if question.operators else QueryConstraints(question.text)
    scope = Scope(question.where) if question.where else EVERYTHING
    parsed = _parsed(view, constraints.question, scope)
    constraints = constraints.beside(parsed.reference)
    if constraints.phrases:
        stems = [stem for phrase in constraints.phrases for stem in view.language.stems(phrase)]
        scope = Scope(scope.where, tuple(stems))
        parsed = _parsed(view, constraints.question, scope)
    return PreparedQuery(constraints, parsed, scope)


def _parsed(view: CandidateView, query: str, scope: Scope) -> ParsedQuery:
    """The question taken apart. A filter wins over what the question seems to name."""
    parsed = parse(query, view, view.language)
    if not scope.is_everything and not any(view.in_scope([match.key for match in parsed.documents], scope)):
        return ParsedQuery(query.strip())
    return parsed


def _encoded(
    view: CandidateView, questions: Sequence[Question], prepared: Sequence[PreparedQuery], encoder: Encoder | None
) -> list[Vectors | None]:
    """Two vectors for each question that wants them: what it asks for, and how that is drafted."""
    asked = [at for at, question in enumerate(questions) if question.dense]
    if encoder is None or not asked or not view.statistics.with_vectors:
        return [None] * len(questions)
    texts = [text for at in asked for text in encoder_texts(prepared[at].parsed, view.language)]
    vectors = encoder.encode_queries(texts)
    pairs = {at: vectors[2 * place : 2 * place + 2] for place, at in enumerate(asked)}
    return [pairs.get(at) for at in range(len(questions))]


def _vector_notes(view: CandidateView, question: Question, encoder: Encoder | None) -> list[str]:
    if not question.dense:
        return []
    statistics = view.statistics
    missing = statistics.documents - statistics.with_vectors
    if missing == statistics.documents:
        return [NO_VECTORS]
    if encoder is None:
        return [NO_ENCODER]
    return [SOME_VECTORS.format(missing, statistics.documents)] if missing else []


def _answer(
    view: CandidateView, question: Question, query: PreparedQuery, vectors: Vectors | None, notes: tuple[str, ...]
) -> Answer:
    """The best hits; more and more documents are looked into until there are enough, or no more documents."""
    constraints, parsed, scope = query
    said = (*parsed.notes, *notes)
    if not constraints.question.strip():
        return Answer(question.text, (), parsed, said)
    there = view.count(scope)
    if not scope.is_everything and not there:
        return Answer(question.text, (), parsed, (*said, NO_PHRASE if constraints.phrases else NOTHING_FITS))
    if vectors is None and not constraints.phrases and not _is_known(view, parsed):
        return Answer(question.text, (), parsed, (*said, UNKNOWN))
    loader = Loader(view)
    most, least = question.config.most_documents, question.k
    while True:
        documents = candidate_documents(view, parsed, scope, question.config, vectors, least, most)
        scored = Scorer(view, question.config).score(parsed, documents, vectors)
        if question.rerank is not None:
            scored = question.rerank.rerank(view, scored, loader)
        hits = _hits(question, constraints, scored, loader)
        if len(hits) >= question.k or parsed.documents or len(documents) >= there:
            break
        most, least = WIDER * most, WIDER * max(least, len(scored.units))
    if constraints.phrases and not hits:
        said = (*said, NO_PHRASE)
    answered = question.rerank.answered(scored) if question.rerank and hits else None
    if answered is not None and answered < LIKELY:
        said = (*said, UNLIKELY.format(answered))
    return Answer(question.text, tuple(hits), parsed, said, answered)


def _is_known(view: CandidateView, parsed: ParsedQuery) -> bool:
    """Whether any word of the question, or of how it is drafted, stands in the documents."""
    stems = [stem for text in encoder_texts(parsed, view.language) for stem in view.language.stems(text)]
    return any(found.known for found in view.term_statistics(stems).values())


def _hits(question: Question, constraints: QueryConstraints, scored: ScoredUnits, loader: Loader) -> list[Hit]:
    extent = partial(question.rerank.extent, scored, loader=loader) if question.rerank else None
    allowed = allowed_units(constraints, scored, loader) if constraints else None
    found = spans(scored, loader, question.k, question.spans, allowed, extent)
    return [_hit(scored, span, rank) for rank, span in enumerate(found, start=1)]


def _hit(scored: ScoredUnits, span: HitSpan, rank: int) -> Hit:
    at, loaded = span.at, span.loaded
    dense = scored.embedded is None or bool(scored.embedded[at])
    parts = {
        name: Part(float(values[at]), int(np.count_nonzero(values > values[at])) + 1)
        for name, values in scored.parts.items()
        if (dense or name not in DENSE) and not np.isnan(values[at])
    }
    headings = loaded.units.context(span.unit).heading_path
    return Hit.of(loaded.document, span.edges, headings, scored.scores[at], rank, parts)
