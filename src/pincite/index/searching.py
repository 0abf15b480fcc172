"""Any method on an index: the default on its shelves, the seeds' built in memory from the stored texts."""

from collections.abc import Sequence

from pincite.index.engine import Engine, Question
from pincite.models import Encoder, Progress
from pincite.pipeline import method as method_of
from pincite.pipeline.methods import DEFAULT
from pincite.retrieve.answers import Answer
from pincite.retrieve.understand import Understood
from pincite.text import Collection

IN_MEMORY = (
    "the method {} is built in memory from the stored texts for every call; the default searches the index itself"
)


def answers(
    engine: Engine,
    questions: Sequence[Question],
    method: str = "default",
    encoder: Encoder | None = None,
    progress: Progress | None = None,
) -> list[Answer]:
    """An answer for each question by the method of that name."""
    chosen = method_of(method)
    if chosen.name == DEFAULT:
        return engine.search(questions)
    documents = [engine.document(entry.id) for entry in engine.documents()]
    retriever = chosen.build(encoder, progress)
    retriever.index(Collection.build(documents, chosen.segmenter))
    note = IN_MEMORY.format(chosen.name)
    return [
        Answer(tuple(retriever.search(question.text, question.k, question.where)), Understood(question.text), (note,))
        for question in questions
    ]
