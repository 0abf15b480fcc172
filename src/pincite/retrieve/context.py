"""Context-aware retrieval over a collection in memory: the right document, the right clause, the exact span."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pincite.documents.profile import profile
from pincite.engine.catalogue import Catalogue
from pincite.engine.contract import EVERYTHING, CandidateView, Scope
from pincite.engine.fragment_view import FragmentState, FragmentView
from pincite.engine.records import DocumentRecord
from pincite.engine.unit_vectors import DECIMALS, context_texts
from pincite.fuse import Ranking
from pincite.models import Encoder, Progress, Vectors
from pincite.postings.fragment import Flags, Fragment, IndexedDocument
from pincite.postings.fragments import Fragments, UnitLayout
from pincite.query.reference import ParsedQuery, parse
from pincite.retrieve.contract import Retriever
from pincite.search import Answer, ContextConfig, Question, RerankStage, SpanConfig, search
from pincite.search.candidates import candidate_documents
from pincite.search.run import NO_ENCODER, NO_VECTORS
from pincite.search.scoring import Scorer, encoder_texts
from pincite.text import Collection, Filter, Hit
from pincite.text.document import DocumentKey
from pincite.text.english import ENGLISH
from pincite.text.order import check_k
from pincite.text.units import LoadedDocument


class ContextRetriever(Retriever):
    """Understands which document a question names, and ranks the units of that document in their context.

    A document is embedded when it is first looked into, or all at once with `encode_all`. Without an encoder the dense
    part is left out, and every answer says so.
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
        loaded = [LoadedDocument(*pair) for pair in zip(collection.documents, collection.units, strict=True)]
        indexed = [IndexedDocument(document, profile(document), units) for document, units in loaded]
        keys = [DocumentKey(*key) for key in collection.keys]
        fragments = Fragments([Fragment.build(indexed, ENGLISH)], keys, ENGLISH)
        records = [_record(at, entry, key.sha256) for at, (entry, key) in enumerate(zip(indexed, keys, strict=True))]
        self.vectors = EncodedWhenNeeded(loaded, self.encoder) if self.encoder else None
        self.state = FragmentState(0, fragments, Catalogue(records), self.vectors)
        self._loaded = loaded

    @property
    def view(self) -> CandidateView:
        return FragmentView(self.state, lambda places: [self._loaded[place] for place in places])

    def encode_all(self) -> None:
        """Embeds every unit now."""
        if self.vectors:
            self.vectors.encode(range(len(self.collection.documents)), self.progress)

    def parse(self, query: str) -> ParsedQuery:
        """The question taken apart."""
        return parse(query, self.view, ENGLISH)

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
            Question(query, k, self._known(where), self.span_config, self.config, True, self.rerank, operators)
            for query, where in zip(queries, wheres, strict=True)
        ]
        answers = search(self.view, questions, self.encoder)
        if self.encoder is not None:
            return answers
        return [_without_encoder(answer) for answer in answers]

    def _known(self, where: Filter | None) -> Filter | None:
        """A collection in memory knows the metadata of its documents and nothing else: other keys fit nothing."""
        if where is None:
            return None
        return Filter(documents=tuple(d.id for d in self.collection.documents if where.admits(d)) or ("",))

    def rank(self, query: str, depth: int, where: Filter | None = None) -> Ranking:
        collection, view = self.collection, self.view
        filtered = self._known(where)
        scope = Scope(filtered) if filtered else EVERYTHING
        parsed = self.parse(query)
        vectors = self.encoder.encode_queries(encoder_texts(parsed, ENGLISH)) if self.encoder else None
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


class EncodedWhenNeeded:
    """Vectors in memory, made by an encoder document by document."""

    def __init__(self, loaded: Sequence[LoadedDocument], encoder: Encoder) -> None:
        self.loaded = loaded
        self.encoder = encoder
        self.with_vectors: Flags = np.ones(len(loaded), dtype=np.bool_)
        self._vectors: dict[int, Vectors] = {}

    def encode(self, documents: Iterable[int], progress: Progress | None = None) -> None:
        """Embeds the units of these documents, where they are not yet."""
        missing = [at for at in documents if at not in self._vectors]
        texts = [context_texts(self.loaded[at]) for at in missing]
        vectors = self.encoder.encode_passages([text for document in texts for text in document], progress)
        place = 0
        for at, document in zip(missing, texts, strict=True):
            self._vectors[at] = vectors[place : place + len(document)]
            place += len(document)

    def cosines(self, layout: UnitLayout, questions: Vectors) -> tuple[NDArray[np.float64], Flags]:
        documents = layout.documents.tolist()
        self.encode(documents)
        found = [np.round(self._vectors[at] @ questions.T, DECIMALS).astype(np.float64) for at in documents]
        none = np.zeros((0, len(questions)))
        return np.concatenate([none, *found]), np.ones(len(layout), dtype=np.bool_)

    def nearest(self, question: Vectors, units: int, admitted: Flags) -> list[tuple[int, float]]:
        return []


def _record(number: int, indexed: IndexedDocument, sha256: str) -> DocumentRecord:
    document, found, units = indexed
    return DocumentRecord(
        number, document.id, "", document.id, document.title, document.metadata, {}, found, sha256, "",
        len(document.source.page_starts), len(document.text), len(units), False,
    )  # fmt: skip


def _without_encoder(answer: Answer) -> Answer:
    from dataclasses import replace

    return replace(answer, notes=tuple(NO_ENCODER if note == NO_VECTORS else note for note in answer.notes))
