"""Dev questions with what every part and the re-ranker say of their candidates: what small parameters are fitted on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.evaluate.benchmark import Question
from pincite.evaluate.dev_sets import dev_sets
from pincite.fuse.parts import FixedWeights, PartFusion
from pincite.measures import Example, Span, mean_figures
from pincite.measures.exact_match import ExactMatch
from pincite.measures.found import Found
from pincite.measures.precision_chars import PrecisionChars
from pincite.measures.recall_budget import RecallBudget
from pincite.models import CachedEncoder, CachedReranker, Encoder, Reranker
from pincite.rerank.question import question_features
from pincite.rerank.rescoring import FIRST, PART, Rescoring, best_units, fused
from pincite.retrieve import ContextConfig, ContextRetriever, SpanConfig
from pincite.retrieve.answers import take_apart
from pincite.retrieve.context_scores import Scored, encoder_texts
from pincite.retrieve.shelves import Shelves
from pincite.retrieve.spans import spans
from pincite.segment import Clauses
from pincite.text import Collection
from pincite.trim import Trimmer

FOLDS = 5
SHOWN = 40
MEASURES = (Found(10), RecallBudget(4000), PrecisionChars(1), ExactMatch())
MOSTLY = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """A question whose best units were read: `best` says which of the scored units those are."""

    set: str
    shelves: Shelves
    question: Question
    document: str
    scored: Scored
    best: NDArray[np.int64]

    @property
    def fold(self) -> int:
        """Questions of one document are never in two folds."""
        return sha256(self.document.encode()).digest()[0] % FOLDS

    def parts(self) -> dict[str, NDArray[np.float64]]:
        return {name: values[self.best] for name, values in self.scored.parts.items()} | {
            FIRST: self.scored.scores[self.best]
        }

    def asked(self) -> NDArray[np.float64]:
        return question_features(self.shelves, self.scored.understood)

    def right(self) -> NDArray[np.bool_]:
        """Which of the best units answer: they are mostly gold, or hold most of a gold span."""
        found = []
        for at in self.best.tolist():
            document, unit = self.scored.looked.place(at)
            held = self.shelves.load(document)
            start, end = held.units.edges(unit)
            found.append(any(_mostly(start, end, held.document.id, span) for span in self.question.gold))
        return np.array(found, dtype=np.bool_)


def read_held_out(
    data: Path, encoder: Encoder, reranker: Reranker, depth: int, tell: Callable[[str], None] = print
) -> list[Read]:
    """Every dev question with its candidates; vectors and scores are kept in the cache."""
    cached, kept = CachedEncoder(encoder), CachedReranker(reranker)
    rescoring = Rescoring(kept, FixedWeights({FIRST: 1.0}), depth)
    found = []
    for dev in dev_sets(data):
        retriever = ContextRetriever(cached, ContextConfig())
        retriever.index(Collection.build(dev.documents, Clauses()))
        searcher = retriever.searcher
        for question, where in dev.asked:
            taken = take_apart(searcher, question.query, retriever.collection.admitted(where), demands=False)
            vectors = cached.encode_queries(encoder_texts(taken.understood))
            scored = searcher.score(searcher.candidates(taken.understood, taken.admitted, vectors, SHOWN), vectors)
            best = best_units(searcher.shelves, scored, depth)
            document = where.documents[0] if where else question.gold[0].document
            read = rescoring(searcher.shelves, scored)
            whole = replace(read, scores=scored.scores)
            found.append(Read(dev.name, searcher.shelves, question, document, whole, best))
        tell(f"{dev.name}: {len(dev.asked)} questions")
    return found


def objective(read: Sequence[Read], fusion: PartFusion, trimmer: Trimmer | None = None) -> dict[str, float]:
    """found@10, recall_budget@4000, precision@1 and exact match, each as the mean over the sets, and their mean."""
    by_set: dict[str, list[Example]] = {}
    for one in read:
        if one.question.gold:
            by_set.setdefault(one.set, []).append(_example(one, fusion, trimmer))
    tables = [mean_figures(MEASURES, examples) for examples in by_set.values()]
    figures = {name: float(np.mean([table[name] for table in tables])) for name in tables[0]}
    return figures | {"mean": float(np.mean(list(figures.values())))}


def _example(read: Read, fusion: PartFusion, trimmer: Trimmer | None) -> Example:
    scored = fused(fusion, read.shelves, read.scored, read.best)

    def extent(at: int) -> tuple[int, int]:
        assert trimmer is not None
        document, unit = scored.looked.place(at)
        held = read.shelves.load(document)
        return trimmer.extent(held, scored.parts[PART][at - unit : at - unit + len(held.units)], unit)

    hits = spans(read.shelves, scored, SHOWN, SpanConfig(), None, extent if trimmer else None)
    found = [(hit.held.document, hit.edges) for hit in hits]
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
