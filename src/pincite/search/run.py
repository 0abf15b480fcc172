"""The one function that ranks: questions in, answers out, on any engine."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from pincite.engine.contract import EVERYTHING, CandidateView, Scope
from pincite.errors import DamagedDocumentError
from pincite.models import Encoder, Vectors
from pincite.query.asked import Asked
from pincite.query.foreign import language_of
from pincite.query.operators import QueryConstraints
from pincite.query.reference import ParsedQuery, parse, parse_without_reference
from pincite.search.answer import LIKELY, Answer
from pincite.search.candidates import candidate_documents
from pincite.search.direct import DirectAnswer, looked_up
from pincite.search.document_sets import of_kind
from pincite.search.hits import HitMaker, direct_hit
from pincite.search.loading import Loader
from pincite.search.overview import Overview
from pincite.search.rerank import RerankStage
from pincite.search.scoring import ContextConfig, Scorer, encoder_texts
from pincite.search.spans import SpanConfig
from pincite.text import Filter, Hit
from pincite.text.english import ENGLISH

ALIKE = 0.8
"""Documents with at least this share of the best one's belief fit alike."""
MOST_ALIKE = 3
"""Documents that a provision or a fact is looked up in."""
LIKELY_UNITS = 50
"""Units whose documents are likely to say who has a role, or what a term means."""
WIDER = 4
"""How many times more documents are looked into where too few hits were found."""

NO_ENCODER = "no encoder at hand: the dense part was left out"
NO_VECTORS = "no document has vectors yet, the dense part was left out; 'pincite index embed' embeds them"
SOME_VECTORS = "{} of {} documents have no vectors yet; 'pincite index embed' embeds them"
NOTHING_FITS = "no document fits the filter: nothing was searched"
UNKNOWN = "no word of the question stands in the documents"
UNLIKELY = "probably nothing here answers the question (likelihood {:.2f}); what comes nearest is shown"
FOREIGN = "the question seems to be {}: the models read English, words are matched as they are"
WHICH = "which one is meant? {} fit alike"
NOT_DEFINED = "no definition of {!r} was found: name the document, too, to look there"
NAME_ONE = "name the document, too, to see one of its provisions"
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
    """An answer for each question, all from one state. `encoder` is the one that made the vectors of the collection. A
    damaged document is left out, and a note names it."""
    while True:
        try:
            return _answers(view, questions, encoder)
        except DamagedDocumentError as damaged:
            try:
                view = view.without(damaged.document_id, str(damaged))
            except KeyError:
                raise damaged from None


def _answers(view: CandidateView, questions: Sequence[Question], encoder: Encoder | None) -> list[Answer]:
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
    return PreparedQuery(constraints, *of_kind(view, parsed, scope, question.k))


def _parsed(view: CandidateView, query: str, scope: Scope) -> ParsedQuery:
    """The question taken apart. A filter wins over what the question seems to name."""
    parsed = parse(query, view, view.language)
    if scope.is_everything:
        return parsed
    matches = (*parsed.documents, *parsed.hints)
    fits = view.in_scope([match.key for match in matches], scope) if matches else ()
    kept = {match.key for match, fit in zip(matches, fits, strict=True) if fit}
    documents = tuple(match for match in parsed.documents if match.key in kept)
    if not documents and (parsed.documents or parsed.reference):
        return parse_without_reference(query, view, view.language)
    return replace(parsed, documents=documents, hints=tuple(match for match in parsed.hints if match.key in kept))


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
    """What was asked to be seen, then the best hits; more and more documents are looked into until there are enough, or
    no more documents."""
    constraints, parsed, scope = query
    said = (*parsed.notes, *notes, *_remarks(parsed))
    if not constraints.question.strip():
        return Answer(question.text, (), parsed, said)
    there = view.count(scope)
    if not scope.is_everything and not there:
        return Answer(question.text, (), parsed, (*said, NO_PHRASE if constraints.phrases else NOTHING_FITS))
    loader = Loader(view)
    direct = _direct(view, question.config, parsed, scope, there, loader)
    if constraints:
        kept = [place for place in direct.places if constraints.allows(place.loaded.document.shown(*place.edges))]
        direct = replace(direct, places=tuple(kept))
    said = (*said, *direct.notes)
    if parsed.only_names:
        return _glance(question, parsed, said, loader)
    is_clear = bool(parsed.documents or (question.where and question.where.documents))
    by_meaning = is_clear and vectors is not None
    if not (constraints.phrases or direct.places or _is_known(view, parsed, by_meaning=by_meaning)):
        return Answer(question.text, (), parsed, (*said, UNKNOWN))
    asked_for = _mentioning(parsed, constraints) if not direct.places else constraints
    most, least = question.config.most_documents, question.k
    while True:
        documents = candidate_documents(view, parsed, scope, question.config, vectors, least, most)
        scored = Scorer(view, question.config).score(parsed, documents, vectors)
        if question.rerank is not None:
            scored = question.rerank.rerank(view, scored, loader)
        hits = HitMaker(view, question, asked_for, scored, loader).hits(direct.places)
        if len(hits) >= question.k or parsed.documents or len(documents) >= there:
            break
        most, least = WIDER * most, WIDER * max(least, len(scored.units))
    if constraints.phrases and not hits:
        said = (*said, NO_PHRASE)
    answered = question.rerank.answered(scored) if question.rerank and hits else None
    if direct.places and answered is not None:
        answered = 1.0
    if answered is not None and answered < LIKELY:
        said = (*said, UNLIKELY.format(answered))
    return Answer(question.text, tuple(hits), parsed, said, answered)


def _remarks(parsed: ParsedQuery) -> tuple[str, ...]:
    """What is said of a question before it is answered."""
    said = []
    if language := language_of(parsed.question):
        said.append(FOREIGN.format(language))
    alike = [match.id for match in parsed.documents if match.belief >= ALIKE * parsed.documents[0].belief]
    if len(alike) > 1 and not parsed.asked.across:
        said.append(WHICH.format(" or ".join(alike[:MOST_ALIKE]) + (" or another" if len(alike) > MOST_ALIKE else "")))
    return tuple(said)


def _direct(
    view: CandidateView, config: ContextConfig, parsed: ParsedQuery, scope: Scope, there: int, loader: Loader
) -> DirectAnswer:
    """What the question asks to see, where it is clear of which documents; who has a role, and what a term means, in
    the likeliest documents, too."""
    asked = parsed.asked
    words = parsed.question if asked.is_keywords or len(parsed.question.split()) == 1 else ""
    if not (asked.is_lookup or asked.fact or asked.term or asked.valued or words):
        return DirectAnswer()
    keys = [match.key for match in parsed.documents if match.belief >= ALIKE * parsed.documents[0].belief]
    keys = [key for key, fits in zip(keys, view.in_scope(keys, scope), strict=True) if fits] if keys else []
    if not keys and there <= MOST_ALIKE:
        keys = list(view.further(scope, (), 1 << 62))
    if not keys and (sought := asked.anywhere):
        stems = view.language.stems(sought.role or sought.term)
        likely = view.likely(stems, config.k1, config.b, LIKELY_UNITS, scope)
        asked, words, keys = sought, "", [document.key for document in likely]
    if not keys:
        return DirectAnswer(notes=(NAME_ONE,) if asked.places and asked.is_lookup else ())
    keys = keys[:MOST_ALIKE]
    loader.fetch(keys)
    found = looked_up(asked, [loader(key) for key in keys], view.language, words)
    if asked.term and asked is not parsed.asked and not found.places:
        return replace(found, notes=(*found.notes, NOT_DEFINED.format(asked.term)))
    return found


def _mentioning(parsed: ParsedQuery, constraints: QueryConstraints) -> QueryConstraints:
    """Where a provision is looked up that is not there: what is shown instead at least mentions its number."""
    place = parsed.asked.places[0] if parsed.asked.is_lookup and parsed.asked.places else None
    number = place.number.partition("(")[0].lower() if place else ""
    if place is None or not number or not parsed.documents:
        return constraints
    said = number if "." in number else f"{place.word} {number}"
    return replace(constraints, phrases=(*constraints.phrases, said))


def _glance(question: Question, parsed: ParsedQuery, notes: tuple[str, ...], loader: Loader) -> Answer:
    """The document that the question names and asks nothing of: its key facts, each with its place, and its outline."""
    loaded = loader(parsed.documents[0].key)
    places = looked_up(Asked(fact="title"), [loaded], ENGLISH).places
    for fact in ("parties", "date", "court", "docket"):
        places += looked_up(Asked(fact=fact), [loaded], ENGLISH).places
    hits: list[Hit] = []
    for place in places:
        if not any(hit.start <= place.edges[0] and place.edges[1] <= hit.end for hit in hits):
            hits.append(direct_hit(place, len(hits) + 1, 1.0))
    hits = hits[: question.k]
    return Answer(question.text, tuple(hits), parsed, notes, 1.0 if hits else None, Overview.of(loaded))


def _is_known(view: CandidateView, parsed: ParsedQuery, *, by_meaning: bool) -> bool:
    """Whether any word of the question, or of how it is drafted, stands in the documents. Where it is clear which
    documents are asked, other words than theirs may be answered `by_meaning`."""
    stems = [stem for text in encoder_texts(parsed, view.language) for stem in view.language.stems(text)]
    return bool(stems and by_meaning) or any(found.known for found in view.term_statistics(stems).values())
