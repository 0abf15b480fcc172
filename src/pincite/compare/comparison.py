"""One question asked of many documents: a row for each, with the passage that answers it, if any."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from pincite.compare.batched_rerank import CollectedPassages
from pincite.engine.contract import CandidateView, Engine
from pincite.engine.records import DocumentRecord
from pincite.models import Encoder
from pincite.search import Question, RerankStage, search
from pincite.search.answer import LIKELY, Answer
from pincite.text import Filter, Hit

COMPARED_DEPTH = 12
"""Passages of each document that the re-ranker scores."""
AT_ONCE = 8
"""Documents whose passages are scored together. Rows come in as many at a time."""
NOTHING = "nothing found"


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """A document and its best passage. `hit` is set even if it probably does not answer the question; see `found`."""

    document: str
    title: str
    hit: Hit | None
    likelihood: float | None

    @property
    def found(self) -> Hit | None:
        """The hit, or None if it probably does not answer the question."""
        return None if self.likelihood is not None and self.likelihood < LIKELY else self.hit

    def to_dict(self) -> dict[str, object]:
        found = self.found
        return {
            "file": self.document.rpartition("/")[2],
            "document": self.document,
            "title": self.title,
            "citation": found.citation if found else "",
            "page": found.page if found else None,
            "passage": " ".join(found.whole.split()) if found else "",
            "likelihood": self.likelihood,
            "hit": found.to_dict() if found else None,
        }


def found_first(rows: Iterable[ComparisonRow]) -> list[ComparisonRow]:
    """The rows in their order, but those in which nothing was found last."""
    return sorted(rows, key=lambda row: row.found is None)


def compared(
    engine: Engine,
    question: Question,
    records: Iterable[DocumentRecord],
    encoder: Encoder | None,
    visible: Filter | None = None,
) -> Iterator[ComparisonRow]:
    """A row for each document, as they are found, some at a time. Other threads may search and write in between."""
    rerank = question.rerank and shallow(question.rerank)
    shared = replace(question, k=1, rerank=rerank)
    coming = iter(records)
    while batch := list(islice(coming, AT_ONCE)):
        asked = [replace(shared, where=Filter(documents=(record.id,))) for record in batch]
        with engine.view(visible) as view:
            answers = _searched(view, asked, encoder)
        for record, answer in zip(batch, answers, strict=True):
            yield ComparisonRow(record.id, record.title, answer.hits[0] if answer.hits else None, answer.answered)


def _searched(view: CandidateView, asked: Sequence[Question], encoder: Encoder | None) -> list[Answer]:
    """The answers to one question in several documents. What the re-ranker reads of them, it reads together."""
    stage = asked[0].rerank
    if stage is None or len(asked) == 1:
        return search(view, asked, encoder)
    collected = CollectedPassages(stage.reranker)
    search(view, _with(asked, replace(stage, reranker=collected)), encoder)
    return search(view, _with(asked, replace(stage, reranker=collected.scored())), encoder)


def _with(asked: Sequence[Question], stage: RerankStage) -> list[Question]:
    return [replace(question, rerank=stage) for question in asked]


def shallow(stage: RerankStage) -> RerankStage:
    """The stage that reads fewer passages of each document, and expects that most documents do not answer."""
    judge = stage.answerability and stage.answerability.for_comparisons()
    return replace(stage, depth=COMPARED_DEPTH, answerability=judge)
