"""Context-aware retrieval over a collection in memory: the right document, the right clause, the exact span."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np

from pincite.documents.hidden import with_hidden
from pincite.documents.profile import profile
from pincite.engine.contract import EVERYTHING, CandidateView, Scope
from pincite.engine.embedding import embed
from pincite.engine.memory import MemoryEngine
from pincite.engine.records import File, PreparedDocument, PreparedFile, Root
from pincite.fuse import Ranking
from pincite.models import Encoder, Progress
from pincite.postings.fragment import IndexedDocument
from pincite.query.reference import ParsedQuery, parse
from pincite.retrieve.contract import Retriever
from pincite.search import Answer, ContextConfig, Question, RerankStage, SpanConfig, search
from pincite.search.candidates import candidate_documents
from pincite.search.scoring import Scorer, encoder_texts
from pincite.text import Collection, Document, Filter, Hit
from pincite.text.order import check_k
from pincite.text.units import Units

ROOT = Root("", "")


class ContextRetriever(Retriever):
    """Understands which document a question names, and ranks the units of that document in their context.

    It ranks with the engine in memory what `Index` ranks. Without an encoder the dense part is left out, and every
    answer says so.
    """

    name: ClassVar[str] = "context"

    def __init__(
        self,
        encoder: Encoder | None = None,
        config: ContextConfig | None = None,
        span_config: SpanConfig | None = None,
        progress: Progress | None = None,
        rerank: RerankStage | None = None,
    ) -> None:
        self.encoder = encoder
        self.config = config or ContextConfig()
        self.span_config = span_config or SpanConfig()
        self.progress = progress
        self.rerank = rerank

    def _prepare(self, collection: Collection) -> None:
        self.engine = MemoryEngine()
        self.engine.put(list(map(_file, collection.documents, collection.units)), ROOT)
        if self.encoder is not None:
            embed(self.engine, self.encoder, self.progress)

    @property
    def view(self) -> CandidateView:
        return self.engine.snapshot()

    def parse(self, query: str) -> ParsedQuery:
        """The question taken apart."""
        view = self.view
        return parse(query, view, view.language)

    def answer(self, query: str, k: int = 10, where: Filter | None = None) -> Answer:
        """The hits of a question with what was understood of it."""
        return self.answer_many([query], k, [where])[0]

    def search(self, query: str, k: int = 10, where: Filter | None = None) -> list[Hit]:
        return list(self.answer(query, k, where).hits)

    def search_many(self, queries: Iterable[str], k: int = 10, where: Filter | None = None) -> list[list[Hit]]:
        asked = list(queries)
        return [list(answer.hits) for answer in self.answer_many(asked, k, [where] * len(asked))]

    def answer_many(
        self, queries: Sequence[str], k: int, wheres: Sequence[Filter | None], *, operators: bool = False
    ) -> list[Answer]:
        """`answer` for several questions, each with its own filter; what must be encoded is encoded together.

        With `operators`, a "quoted phrase" must stand in every hit and a -word must not.
        """
        check_k(k)
        assert self.collection is not None
        questions = [
            Question(query, k, where, self.span_config, self.config, True, self.rerank, operators)
            for query, where in zip(queries, wheres, strict=True)
        ]
        return search(self.view, questions, self.encoder)

    def rank(self, query: str, depth: int, where: Filter | None = None) -> Ranking:
        collection, view = self.collection, self.view
        scope = Scope(where) if where else EVERYTHING
        parsed = self.parse(query)
        vectors = self.encoder.encode_queries(encoder_texts(parsed, view.language)) if self.encoder else None
        documents = candidate_documents(view, parsed, scope, self.config, vectors, depth)
        scored = Scorer(view, self.config).score(parsed, documents, vectors)
        places = {document.id: at for at, document in enumerate(collection.documents)}
        owners = np.array([places[key.id] for key in scored.units.documents], dtype=np.int64)
        first = np.searchsorted(collection.owners, owners)
        positions = np.arange(len(scored.units)) + (first - scored.units.firsts)[scored.units.owners]
        scores = np.zeros(len(collection))
        scores[positions] = scored.scores
        among = np.zeros(len(collection), dtype=np.bool_)
        among[positions] = bool(query.strip())
        return Ranking.of(self.name, scores, depth, collection.tie_order, among=among, admitted=collection.mask(where))


def _file(document: Document, units: Units) -> PreparedFile:
    """A document of a collection as a file of its own, with the passages that the collection has of it."""
    document = with_hidden(document)
    indexed = IndexedDocument(document, profile(document), units)
    prepared = PreparedDocument(indexed, document.metadata)
    return PreparedFile(File(ROOT.name, document.id, len(document.text), 0, document.sha256), (prepared,))
