"""One question asked of many documents: a row for each, with the passage that answers it, if any."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pincite.engine.contract import Engine
from pincite.engine.records import DocumentRecord
from pincite.models import Encoder
from pincite.search import Question, RerankStage, search
from pincite.search.answer import LIKELY
from pincite.text import Filter, Hit

COMPARED_DEPTH = 12
"""Passages of each document that the re-ranker scores."""
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
        hit = None if self.found is None else self.found.to_dict()
        return {"document": self.document, "title": self.title, "likelihood": self.likelihood, "hit": hit}


def compared(
    engine: Engine,
    question: Question,
    records: Iterable[DocumentRecord],
    encoder: Encoder | None,
    visible: Filter | None = None,
) -> Iterator[ComparisonRow]:
    """A row for each document, as it is found. Other threads may search and write in between."""
    rerank = question.rerank and shallow(question.rerank)
    for record in records:
        asked = replace(question, k=1, where=Filter(documents=(record.id,)), rerank=rerank)
        with engine.view(visible) as view:
            answer = search(view, [asked], encoder)[0]
        yield ComparisonRow(record.id, record.title, answer.hits[0] if answer.hits else None, answer.answered)


def shallow(stage: RerankStage) -> RerankStage:
    """The stage that reads fewer passages of each document, and expects that most documents do not answer."""
    judge = stage.answerability and stage.answerability.for_comparisons()
    return replace(stage, depth=COMPARED_DEPTH, answerability=judge)
