"""The plain methods on an index: built in memory from the stored texts, for comparison."""

from collections.abc import Sequence
from dataclasses import replace

from pincite.engine.contract import Engine, every_document
from pincite.models import Encoder, Progress
from pincite.pipeline import Method
from pincite.query.operators import QueryConstraints
from pincite.query.reference import ParsedQuery
from pincite.retrieve import Retriever
from pincite.search import Answer, Question
from pincite.search.run import NOTHING_FITS
from pincite.text import Collection, Filter, Hit

IN_MEMORY = "the method {} is built in memory from the stored texts for every call; the default searches the index"


def search_plainly(
    engine: Engine,
    questions: Sequence[Question],
    method: Method,
    encoder: Encoder | None = None,
    progress: Progress | None = None,
    visible: Filter | None = None,
) -> list[Answer]:
    """An answer for each question by a plain method, out of the documents that `visible` admits."""
    records = every_document(engine, None, visible)
    documents = [engine.load([record.id])[0].document for record in records]
    retriever = method.build(encoder, progress)
    retriever.index(Collection.build(documents, method.segmenter))
    note = IN_MEMORY.format(method.name)
    answers = []
    for question in questions:
        where = _resolved(engine, question.where, visible)
        nothing = where is not None and not where.documents
        hits = [] if nothing else constrained(retriever, question.text, question.k, where)
        notes = (note, NOTHING_FITS) if nothing else (note,)
        answers.append(Answer(question.text, tuple(hits), ParsedQuery(question.text), notes))
    return answers


def _resolved(engine: Engine, where: Filter | None, visible: Filter | None) -> Filter | None:
    return Filter(documents=tuple(record.id for record in every_document(engine, where, visible))) if where else None


def constrained(retriever: Retriever, query: str, k: int, where: Filter | None) -> list[Hit]:
    """The best hits of any retriever that hold every "quoted phrase" of the question and none of its -words."""
    constraints = QueryConstraints.of(query)
    if not constraints:
        return retriever.search(query, k, where)
    ranked = retriever.search(constraints.question, max(1, len(retriever.collection)), where)
    hits = [hit for hit in ranked if constraints.allows(hit.shown)]
    return [replace(hit, rank=rank) for rank, hit in enumerate(hits[:k], start=1)]
