"""Dev questions with the scores of their candidates, on which fusion, trimmer and answerability are fitted."""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.engine.contract import CandidateView
from pincite.evaluate.benchmark import BenchmarkQuestion
from pincite.evaluate.dev_sets import dev_sets
from pincite.fuse.parts import FixedWeights, PartFusion
from pincite.measures import Example, Span, mean_figures
from pincite.measures.exact_match import ExactMatch
from pincite.measures.found import FoundAt
from pincite.measures.precision_chars import PrecisionChars
from pincite.measures.recall_budget import RecallBudget
from pincite.models import CachedEncoder, CachedReranker, Encoder, Reranker
from pincite.retrieve import ContextRetriever
from pincite.search import ContextConfig, Question, RerankStage, SpanConfig
from pincite.search.candidates import candidate_documents
from pincite.search.loading import Loader
from pincite.search.question_features import question_features
from pincite.search.rerank import FIRST, PART, fused
from pincite.search.run import prepare
from pincite.search.scoring import ScoredUnits, Scorer, encoder_texts
from pincite.search.spans import spans
from pincite.search.trimmer import Trimmer
from pincite.segment import Clauses
from pincite.text import Collection, Filter

FOLDS = 5
"""Folds of the cross-validation."""
SHOWN = 40
"""Hits of a question that are measured."""
MEASURES = (FoundAt(10), RecallBudget(4000), PrecisionChars(1), ExactMatch())
MOSTLY = 0.5
"""A unit is right if this share of it is gold, or if it holds this share of a gold span."""


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """A question whose best units the re-ranker has read. `best` holds their positions among the scored units."""

    set: str
    view: CandidateView
    loader: Loader
    question: BenchmarkQuestion
    document: str
    scored: ScoredUnits
    best: NDArray[np.int64]

    @property
    def fold(self) -> int:
        """The fold of the question, by its document: the questions of a document are in one fold."""
        return sha256(self.document.encode()).digest()[0] % FOLDS

    def parts(self) -> dict[str, NDArray[np.float64]]:
        return {name: values[self.best] for name, values in self.scored.parts.items()} | {
            FIRST: self.scored.scores[self.best]
        }

    def asked(self) -> NDArray[np.float64]:
        return question_features(self.view, self.scored.parsed)

    def right(self) -> NDArray[np.bool_]:
        """Which of the best units are right: mostly gold, or holding most of a gold span."""
        found = []
        for at in self.best.tolist():
            key, unit = self.scored.units.place(at)
            held = self.loader(key)
            start, end = held.units.edges(unit)
            found.append(any(_mostly(start, end, held.document.id, span) for span in self.question.gold))
        return np.array(found, dtype=np.bool_)


def read_held_out(
    data: Path,
    encoder: Encoder,
    reranker: Reranker,
    depth: int,
    tell: Callable[[str], None] = print,
    share: float = 1.0,
    own: Path | None = None,
    sets: Container[str] | None = None,
) -> list[Read]:
    """Every dev question, or a share of them, or those of some sets, with its candidates. Vectors and scores are
    cached."""
    cached, kept = CachedEncoder(encoder), CachedReranker(reranker)
    stage = RerankStage(kept, FixedWeights({FIRST: 1.0}), depth)
    found = []
    for dev in dev_sets(data, own):
        if sets is not None and dev.name not in sets:
            continue
        retriever = ContextRetriever(cached, ContextConfig())
        retriever.index(Collection.build(dev.documents, Clauses()))
        view = retriever.view
        loader, scorer = Loader(view), Scorer(view, retriever.config)
        asked = [(question, where) for question, where in dev.asked if _chance(question, where) < share]
        for question, where in asked:
            _, parsed, scope = prepare(view, Question(question.query, where=where, operators=False))
            vectors = cached.encode_queries(encoder_texts(parsed, view.language))
            documents = candidate_documents(view, parsed, scope, retriever.config, vectors, SHOWN)
            scored = scorer.score(parsed, documents, vectors)
            document = where.documents[0] if where else question.gold[0].document
            read = replace(stage.rerank(view, scored, loader), scores=scored.scores)
            found.append(Read(dev.name, view, loader, question, document, read, scored.best(depth)))
        tell(f"{dev.name}: {len(asked)} questions")
    return found


def _chance(question: BenchmarkQuestion, where: Filter | None) -> float:
    """A number from 0 to 1 that is always the same for a question."""
    return sha256(f"{question.query}{where.documents if where else ''}".encode()).digest()[0] / 256


def objective(read: Sequence[Read], fusion: PartFusion, trimmer: Trimmer | None = None) -> dict[str, float]:
    """found@10, recall_budget@4000, precision@1 and exact match as means over the sets, and the mean of the four."""
    by_set: dict[str, list[Example]] = {}
    for one in read:
        if one.question.gold:
            by_set.setdefault(one.set, []).append(_example(one, fusion, trimmer))
    tables = [mean_figures(MEASURES, examples) for examples in by_set.values()]
    figures = {name: float(np.mean([table[name] for table in tables])) for name in tables[0]}
    return figures | {"mean": float(np.mean(list(figures.values())))}


def _example(read: Read, fusion: PartFusion, trimmer: Trimmer | None) -> Example:
    scored = fused(fusion, read.view, read.scored, read.best)

    def extent(at: int) -> tuple[int, int]:
        assert trimmer is not None
        key, unit = scored.units.place(at)
        held = read.loader(key)
        return trimmer.extent(held, scored.parts[PART][at - unit : at - unit + len(held.units)], unit)

    hits = islice(spans(scored, read.loader, SHOWN, SpanConfig(), None, extent if trimmer else None), SHOWN)
    found = [(hit.loaded.document, hit.edges) for hit in hits]
    return Example(
        read.question.query,
        read.question.gold,
        read.question.answers,
        tuple(document.text[slice(*edges)] for document, edges in found),
        tuple(Span(document.id, *edges) for document, edges in found),
    )


def _mostly(start: int, end: int, document: str, span: Span) -> bool:
    shared = min(end, span.end) - max(start, span.start)
    least = MOSTLY * min(end - start, span.end - span.start)
    return document == span.document and shared > 0 and shared >= least
