"""Any method on an index: the default on its shelves, the seeds' built in memory from the stored texts."""

from collections.abc import Sequence
from dataclasses import replace

from pincite.index.engine import Engine, Question
from pincite.models import Encoder, Progress
from pincite.pipeline import Method
from pincite.pipeline import method as method_of
from pincite.retrieve import Retriever
from pincite.retrieve.answers import NOTHING_FITS, Answer
from pincite.retrieve.understand import Understood
from pincite.retrieve.wanted import Wanted
from pincite.text import Collection, Filter, Hit

IN_MEMORY = (
    "the method {} is built in memory from the stored texts for every call; the default searches the index itself"
)


def answers(
    engine: Engine,
    questions: Sequence[Question],
    method: Method | None = None,
    encoder: Encoder | None = None,
    progress: Progress | None = None,
) -> list[Answer]:
    """An answer for each question by a method; the context family, which is the default, searches the index itself."""
    chosen = method or method_of("default")
    if not chosen.seeds:
        return engine.search(questions)
    documents = [engine.document(entry.id) for entry in engine.documents()]
    retriever = chosen.build(encoder, progress)
    retriever.index(Collection.build(documents, chosen.segmenter))
    note = IN_MEMORY.format(chosen.name)
    found = []
    for question in questions:
        where = Filter(documents=tuple(engine.matching(question.where))) if question.where else None
        nothing = where is not None and not where.documents
        hits = [] if nothing else demanded(retriever, question.text, question.k, where)
        notes = (note, NOTHING_FITS) if nothing else (note,)
        found.append(Answer(tuple(hits), Understood(question.text), notes))
    return found


def demanded(retriever: Retriever, query: str, k: int, where: Filter | None) -> list[Hit]:
    """The best hits of any retriever that hold every "quoted phrase" of the question and none of its -words."""
    wanted = Wanted.of(query)
    if not wanted:
        return retriever.search(query, k, where)
    hits = [hit for hit in retriever.search(wanted.question, len(retriever.collection), where) if wanted.fits(hit)]
    return [replace(hit, rank=rank) for rank, hit in enumerate(hits[:k], start=1)]
