"""How well references are understood, on their own: found, of the right extent, and the right document."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pincite.evaluate.legalbench_rag import pool_of
from pincite.evaluate.names import FORMS, form_of, reworded, split
from pincite.retrieve import ContextRetriever
from pincite.segment import Clauses
from pincite.text import Collection
from pincite.text.tokens import words


@dataclass(frozen=True, slots=True)
class ReferenceRow:
    """One way to word a reference: the shares of queries where a reference was found, the right document came first,
    and (on average) how much of the question's words were told apart rightly."""

    form: str
    queries: int
    found: float
    document: float
    extent: float


def measure_references(data: Path, which: str, limit: int | None = None) -> Iterator[ReferenceRow]:
    """A row for the references as they are and for each form of rewording, over one pool of every document."""
    pool = pool_of(data, "full", which, limit)
    retriever = ContextRetriever()
    retriever.index(Collection.build(pool.documents, Clauses()))
    rows: defaultdict[str, list[tuple[bool, bool, float]]] = defaultdict(list)
    for questions in pool.questions.values():
        for question in questions:
            wanted = split(question.query)[1]
            for form, query in (("as it is", question.query), (FORMS[form_of(question)], reworded(question))):
                parsed = retriever.parse(query)
                right = bool(parsed.documents) and parsed.documents[0].id == question.gold[0].document
                rows[form].append((bool(parsed.reference), right, _shared(parsed.question, wanted)))
    for form in ("as it is", *FORMS):
        if rows[form]:
            found, right, extent = (sum(column) / len(rows[form]) for column in zip(*rows[form], strict=True))
            yield ReferenceRow(form, len(rows[form]), found, right, extent)


def _shared(question: str, wanted: str) -> float:
    """The words that two questions share, as a share of all their words."""
    left, right = set(words(question)), set(words(wanted))
    return len(left & right) / len(left | right) if left | right else 1.0
