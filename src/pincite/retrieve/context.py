"""Context-aware retrieval: the right document, the right clause, the exact span, with nothing trained."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pincite.fuse import Ranking
from pincite.models import Encoder, Progress, Vectors
from pincite.retrieve.context_scores import ContextConfig, Scored, Searcher, encoder_texts
from pincite.retrieve.contract import Retriever
from pincite.retrieve.spans import SpanConfig, spans
from pincite.retrieve.understand import Understood
from pincite.text import Collection, Filter, Hit, Part, Passage
from pincite.text.order import check_k


@dataclass(frozen=True, slots=True)
class Answer:
    """The hits with what was understood of the question, and notes on what a reader should know."""

    hits: tuple[Hit, ...]
    understood: Understood
    notes: tuple[str, ...] = ()


class ContextRetriever(Retriever):
    """Understands which document a question names, and ranks the units of that document in their context.

    Vectors of a document's units are made when the document is first looked into, or all at once with `encode_all`.
    Without an encoder the dense part is left out, and every answer says so.
    """

    name: ClassVar[str] = "context"

    def __init__(
        self,
        encoder: Encoder | None = None,
        config: ContextConfig | None = None,
        span_config: SpanConfig | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.encoder = encoder
        self.config = config or ContextConfig()
        self.span_config = span_config or SpanConfig()
        self.progress = progress

    def _prepare(self, collection: Collection) -> None:
        self.searcher = Searcher(collection, self.encoder, self.config)

    def encode_all(self) -> None:
        """Makes the vectors of every unit now."""
        self.searcher.encode(range(len(self.collection.documents)), self.progress)

    def answer(self, query: str, k: int = 10, where: Filter | None = None) -> Answer:
        """The hits of a question with what was understood of it."""
        return self._answer(query, self.searcher.score(query, where), check_k(k), where)

    def search(self, query: str, k: int = 10, where: Filter | None = None) -> list[Hit]:
        return list(self.answer(query, k, where).hits)

    def search_many(self, queries: Iterable[str], k: int = 10, where: Filter | None = None) -> list[list[Hit]]:
        asked = list(queries)
        return [list(answer.hits) for answer in self.answer_many(asked, k, [where] * len(asked))]

    def answer_many(self, queries: list[str], k: int, wheres: list[Filter | None]) -> list[Answer]:
        """`answer` for several questions, each with its own filter; what must be encoded is encoded together."""
        check_k(k)
        candidates = [self.searcher.candidates(query, where) for query, where in zip(queries, wheres, strict=True)]
        vectors = None
        if self.encoder is not None:
            self.searcher.encode(sorted({at for _, documents in candidates for at in documents}), self.progress)
            texts = [text for understood, _ in candidates for text in encoder_texts(understood)]
            vectors = self.encoder.encode_queries(texts)
        return [
            self._answer(query, self.searcher.score(query, where, _pair(vectors, at)), k, where)
            for at, (query, where) in enumerate(zip(queries, wheres, strict=True))
        ]

    def rank(self, query: str, depth: int, where: Filter | None = None) -> Ranking:
        scored = self.searcher.score(query, where)
        collection = self.collection
        scores = np.zeros(len(collection))
        scores[scored.positions] = scored.scores
        among = np.zeros(len(collection), dtype=np.bool_)
        among[scored.positions] = bool(query.strip())
        return Ranking.of(self.name, scores, depth, collection.tie_order, among=among, admitted=collection.mask(where))

    def _answer(self, query: str, scored: Scored, k: int, where: Filter | None) -> Answer:
        notes = list(scored.understood.notes)
        if self.encoder is None:
            notes.append("no encoder at hand: the dense part was left out")
        if not len(scored.positions) and where is not None:
            notes.append("no document fits the filter: nothing was searched")
        hits: list[Hit] = []
        if query.strip():
            found = spans(self.collection, scored, k, self.span_config)
            hits = [self._hit(scored, at, edges, rank) for rank, (at, edges) in enumerate(found, start=1)]
        return Answer(tuple(hits), scored.understood, tuple(notes))

    def _hit(self, scored: Scored, at: int, edges: tuple[int, int], rank: int) -> Hit:
        collection = self.collection
        position = int(scored.positions[at])
        document = collection.document(position)
        parts = {
            name: Part(float(values[at]), int(np.count_nonzero(values > values[at])) + 1)
            for name, values in scored.parts.items()
        }
        return Hit(
            Passage(document.id, *edges),
            document.text[slice(*edges)],
            float(scored.scores[at]),
            rank,
            document.page_at(edges[0]),
            collection.contexts[collection.context_of[position]].heading_path,
            parts,
            document,
        )


def _pair(vectors: Vectors | None, at: int) -> Vectors | None:
    """The two vectors of the question at that place: what it asks for, and how that is drafted."""
    return None if vectors is None else vectors[2 * at : 2 * at + 2]
