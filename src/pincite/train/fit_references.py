"""Fits the weights that tell a reference from a question, and one document from another, on written questions."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pincite.engine import MemoryEngine
from pincite.evaluate.questions import WrittenQuestion, question_pool, read_questions
from pincite.index import Index
from pincite.query.names import NameSource
from pincite.query.reference import ReferenceParser, ReferenceWeights
from pincite.query.reference_spans import DOCUMENT, FEATURES, FIT, ReferenceSpans
from pincite.text.language import Language

Array = NDArray[np.float64]

FORMS = (
    "Under {reference}, {lower}",
    "{question} ({reference})",
    "{reference}: {lower}",
    "In {reference}, {lower}",
    "{plain} in {reference}?",
    "{plain} under {reference}",
    "{reference} - {lower}",
    "re {reference}: {lower}",
    "{question} I mean {reference}",
    "[{reference}] {question}",
    "{plain}, according to {reference}?",
    "{reference}; {question}",
    "what does {reference} say about this: {lower}",
    "{first}, according to {reference}, {rest}",
    "I am reading {reference} - {lower}",
)
KEYWORD_FORMS = ("{reference} {plain}", "{plain} {reference}", "{plain}, {reference}", "{reference}: {plain}")
STEPS, RATE, DECAY = 600, 0.05, 2e-4
"""Steps of gradient descent, its learning rate, and weight decay."""
HELD_OUT = 5
"""One document in this many is held out to report."""
ALONE = 0.15
"""The share of references that are also asked alone."""
LOWER = 0.25
"""The share of questions that are put in lower case."""


class Reference(NamedTuple):
    """A question with the reference that its asker used, "" for none, and the document it means."""

    question: str
    reference: str
    document: str
    keywords: bool = False


@dataclass(frozen=True, slots=True)
class _Group:
    """The candidates of one query. `right` flags those that are the reference; none: there is no reference."""

    spans: Array
    right: NDArray[np.bool_]
    documents: Array | None
    meant: int
    held_out: bool


def wordings(rows: Iterable[Reference], seed: int = 1) -> Iterator[tuple[str, tuple[int, int] | None, str]]:
    """Queries made of questions: with the reference, and where it stands in them, and without any."""
    chance = random.Random(seed)
    for row in rows:
        plain = row.question.rstrip(" ?.")
        lower = row.question[:1].lower() + row.question[1:]
        yield _cased(row.question, None, row.document, chance)
        if not row.reference:
            continue
        if chance.random() < ALONE:
            yield _cased(row.reference, (0, len(row.reference)), row.document, chance)
        form = chance.choice(KEYWORD_FORMS if row.keywords else FORMS)
        before, _, after = form.partition("{reference}")
        first, _, rest = row.question.partition(", ") if ", " in row.question else row.question.partition(" ")
        said = {"question": row.question, "lower": lower, "plain": plain, "first": first, "rest": rest}
        start = before.format(**said)
        reference = row.reference
        query = start + reference + after.format(**said)
        yield _cased(query, (len(start), len(start) + len(reference)), row.document, chance)


def _cased(
    query: str, place: tuple[int, int] | None, document: str, chance: random.Random
) -> tuple[str, tuple[int, int] | None, str]:
    return (query.lower() if chance.random() < LOWER else query), place, document


def fit_references(
    rows: Sequence[Reference], names: NameSource, language: Language, tell: Callable[[str], None] = print
) -> tuple[dict[str, dict[str, float]], dict[str, float]]:
    """The weights, and figures on the documents that were held out."""
    groups = list(_groups(rows, names, language))
    fitted = [group for group in groups if not group.held_out]
    tell(f"{len(groups)} queries, {len(groups) - len(fitted)} held out")
    span = _softmax_weights([(group.spans, group.right) for group in fitted], len(FEATURES), with_none=True)
    meant = [
        (group.documents, np.arange(len(group.documents)) == group.meant)
        for group in fitted
        if group.documents is not None
    ]
    document = _softmax_weights(meant, len(DOCUMENT), with_none=False)
    weights = {
        "span": dict(zip(FEATURES, np.round(span, 3).tolist(), strict=True)),
        "document": dict(zip(DOCUMENT, np.round(document, 3).tolist(), strict=True)),
    }
    held = [row for row in rows if _is_held_out(row.document)]
    return weights, measure_references(held, names, language, ReferenceWeights.of(weights))


def measure_references(
    rows: Sequence[Reference], names: NameSource, language: Language, weights: ReferenceWeights, seed: int = 7
) -> dict[str, float]:
    """How often the right document comes first, is sure and right, and how often a question without a reference is
    taken to have one."""
    right = asked = sure = surely_right = wrongly = plain = kept = 0
    for query, place, document in wordings(rows, seed):
        parsed = ReferenceParser(query, names, language, weights).parse()
        if place is None:
            plain += 1
            wrongly += bool(parsed.documents)
            continue
        asked += 1
        first = parsed.documents[0] if parsed.documents else None
        right += first is not None and first.id == document
        kept += any(match.id == document for match in parsed.documents)
        if first is not None and first.belief >= 0.9:
            sure += 1
            surely_right += first.id == document
    return {
        "queries": asked,
        "document@1": right / max(1, asked),
        "among": kept / max(1, asked),
        "sure": sure / max(1, asked),
        "sure and right": surely_right / max(1, sure),
        "false references": wrongly / max(1, plain),
    }


def _groups(rows: Sequence[Reference], names: NameSource, language: Language) -> Iterator[_Group]:
    for query, place, document in wordings(rows):
        spans = ReferenceSpans(query, names, language)
        if not len(spans):
            continue
        right = _is_place(spans, place) if place else np.zeros(len(spans), dtype=np.bool_)
        if place is not None and not right.any():
            continue
        keys = [candidate.key.id for candidate in spans.evidence.documents]
        meant = keys.index(document) if document in keys else -1
        documents = spans.documents[int(np.argmax(right))] if place is not None and meant >= 0 else None
        kept = np.ones(len(spans), dtype=np.bool_) if place is not None else _points_elsewhere(spans, meant)
        if kept.any():
            yield _Group(spans.features[kept], right[kept], documents, meant, _is_held_out(document))


def _points_elsewhere(spans: ReferenceSpans, meant: int) -> NDArray[np.bool_]:
    """Which stretches of a question without a reference do not point to its document. A party that it mentions names
    the document without being meant as a reference: that is neither right nor wrong."""
    pointed = np.argmax(spans.documents @ FIT, axis=1)
    elsewhere: NDArray[np.bool_] = pointed != meant
    return elsewhere


def _is_place(spans: ReferenceSpans, place: tuple[int, int]) -> NDArray[np.bool_]:
    """Which stretches are the reference, but for articles and the like at its edges."""
    inside = [at for at, token in enumerate(spans.tokens) if place[0] <= token.start and token.end <= place[1]]
    telling = [at for at in inside if spans.bounds[at]]
    if not telling:
        return np.zeros(len(spans), dtype=np.bool_)
    right: NDArray[np.bool_] = (spans.first == telling[0]) & (spans.last == telling[-1])
    return right


def _is_held_out(document: str) -> bool:
    return sha256(document.encode()).digest()[0] % HELD_OUT == 0


def _softmax_weights(groups: Sequence[tuple[Array, NDArray[np.bool_]]], width: int, *, with_none: bool) -> Array:
    """Gradient descent on the likelihood of what is right; with `with_none` nothing at all is a candidate, too."""
    sizes = [len(rows) for rows, _ in groups]
    inputs = np.concatenate([rows for rows, _ in groups])
    right = np.concatenate([flags for _, flags in groups])
    owner = np.repeat(np.arange(len(groups)), sizes)
    any_right = np.array([flags.any() for _, flags in groups])
    weights, mean, square = np.zeros(width), np.zeros(width), np.zeros(width)
    firsts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    for step in range(1, STEPS + 1):
        scores = inputs @ weights
        top = np.maximum.reduceat(scores, firsts)
        top = np.maximum(top, 0.0) if with_none else top
        grown = np.exp(scores - top[owner])
        total = np.add.reduceat(grown, firsts) + (np.exp(-top) if with_none else 0.0)
        good = np.add.reduceat(np.where(right, grown, 0.0), firsts)
        wanted = np.where(right, grown / np.maximum(good, 1e-12)[owner], 0.0) * any_right[owner]
        gradient = inputs.T @ (grown / total[owner] - wanted) / len(groups) + DECAY * weights
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        weights = weights - RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return weights


def references_of(questions: Iterable[WrittenQuestion]) -> list[Reference]:
    """The references of written questions."""
    return [
        Reference(question.question, question.reference, question.document_id, question.style == "keywords")
        for question in questions
    ]


def fit_on(data: Path, tell: Callable[[str], None] = print) -> tuple[dict[str, dict[str, float]], dict[str, float]]:
    """Fits on `questions/train.jsonl` of a data folder, over one pool of its documents."""
    questions = read_questions(data / "questions" / "train.jsonl")
    index = Index(MemoryEngine())
    index.add_documents(question_pool(data, questions, "named").documents, vectors="none")
    with index.engine.view() as view:
        return fit_references(references_of(questions), view, view.language, tell)
