"""Context-aware retrieval: the right document, the right clause, the exact span, with nothing trained."""

from collections.abc import Iterable
from typing import ClassVar

import numpy as np

from pincite.documents.profile import profile
from pincite.fuse import Ranking
from pincite.models import Encoder, Progress, Vectors
from pincite.retrieve.answers import NO_ENCODER, Answer, Reading, answer, take_apart
from pincite.retrieve.context_scores import ContextConfig, Searcher, encoder_texts
from pincite.retrieve.contract import Retriever
from pincite.retrieve.shelf import Entry
from pincite.retrieve.shelves import Shelves
from pincite.retrieve.spans import SpanConfig
from pincite.retrieve.unit_vectors import MadeWhenNeeded
from pincite.text import Collection, Filter, Hit
from pincite.text.order import check_k


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
        reading: Reading | None = None,
    ) -> None:
        self.reading = reading
        self.encoder = encoder
        self.config = config or ContextConfig()
        self.span_config = span_config or SpanConfig()
        self.progress = progress

    def _prepare(self, collection: Collection) -> None:
        pairs = zip(collection.documents, collection.units, strict=True)
        shelves = Shelves.of(collection, [Entry(document, profile(document), units) for document, units in pairs])
        self.vectors = MadeWhenNeeded(shelves, self.encoder) if self.encoder else None
        self.searcher = Searcher(shelves, self.config, self.vectors)

    def encode_all(self) -> None:
        """Makes the vectors of every unit now."""
        if self.vectors:
            self.vectors.encode(range(len(self.collection.documents)), self.progress)

    def answer(self, query: str, k: int = 10, where: Filter | None = None) -> Answer:
        """The hits of a question with what was understood of it."""
        return self.answer_many([query], k, [where])[0]

    def search(self, query: str, k: int = 10, where: Filter | None = None) -> list[Hit]:
        return list(self.answer(query, k, where).hits)

    def search_many(self, queries: Iterable[str], k: int = 10, where: Filter | None = None) -> list[list[Hit]]:
        asked = list(queries)
        return [list(answer.hits) for answer in self.answer_many(asked, k, [where] * len(asked))]

    def answer_many(
        self, queries: list[str], k: int, wheres: list[Filter | None], *, demands: bool = False
    ) -> list[Answer]:
        """`answer` for several questions, each with its own filter; what must be encoded is encoded together.

        With `demands`, a "quoted phrase" must stand in every hit and a -word must not.
        """
        check_k(k)
        taken = [
            take_apart(self.searcher, query, self.collection.admitted(where), demands=demands)
            for query, where in zip(queries, wheres, strict=True)
        ]
        vectors = None
        if self.encoder and self.vectors:
            candidates = [
                self.searcher.candidates(found.understood, found.admitted, least_units=k).documents for found in taken
            ]
            self.vectors.encode(sorted({at for documents in candidates for at in documents}), self.progress)
            texts = [text for found in taken for text in encoder_texts(found.understood)]
            vectors = self.encoder.encode_queries(texts)
        notes = [] if self.encoder else [NO_ENCODER]
        return [
            answer(self.searcher, found, k, self.span_config, _pair(vectors, at), notes, self.reading)
            for at, found in enumerate(taken)
        ]

    def rank(self, query: str, depth: int, where: Filter | None = None) -> Ranking:
        admitted = self.collection.admitted(where)
        found = self.searcher.candidates(self.searcher.understand(query, admitted), admitted, least_units=depth)
        vectors = self.encoder.encode_queries(encoder_texts(found.understood)) if self.encoder else None
        scored = self.searcher.score(found, vectors)
        collection = self.collection
        first = np.searchsorted(collection.owners, scored.looked.documents)
        positions = np.arange(len(scored.looked)) + (first - scored.looked.firsts)[scored.looked.owners]
        scores = np.zeros(len(collection))
        scores[positions] = scored.scores
        among = np.zeros(len(collection), dtype=np.bool_)
        among[positions] = bool(query.strip())
        return Ranking.of(self.name, scores, depth, collection.tie_order, among=among, admitted=collection.mask(where))


def _pair(vectors: Vectors | None, at: int) -> Vectors | None:
    """The two vectors of the question at that place: what it asks for, and how that is drafted."""
    return None if vectors is None else vectors[2 * at : 2 * at + 2]
