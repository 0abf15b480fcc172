"""LegalBench-RAG as a benchmark: sets, pools, splits, and one run of a method over them."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from pincite.documents import read_folder
from pincite.errors import DataError, one_of
from pincite.evaluate.benchmark import Benchmark, BenchmarkQuestion, read_benchmark, read_json
from pincite.evaluate.names import asked
from pincite.evaluate.predictions import Prediction
from pincite.index import Index
from pincite.index.index import IN_MEMORY
from pincite.measures import Example, Span, each_figure, means, seed_measures, standard_measures
from pincite.models import CachedEncoder, CachedReranker, Encoder, Progress, Reranker
from pincite.pipeline import Method, ModelCache
from pincite.search import Answer, RerankStage, SearchRequest
from pincite.text import Collection, Document, Filter

DEPTH = 64
MINI = 194
SPLITS = ("test", "dev", "train", "all")


@dataclass(frozen=True, slots=True)
class Pool:
    """Documents that are searched together, and the questions of each set that are asked of them."""

    documents: tuple[Document, ...]
    questions: dict[str, tuple[BenchmarkQuestion, ...]]


def pool_of(data: Path, which: str, split: str, limit: int | None = None) -> Pool:
    """What is searched and asked: `mini` and `full` are one pool, a named set has its own documents."""
    sets = {path.stem: read_benchmark(path) for path in sorted((data / "benchmarks").glob("*.json"))}
    if which not in ("mini", "full", *sets):
        raise one_of("set", which, ["mini", "full", *sets])
    if split not in SPLITS:
        raise one_of("split", split, SPLITS)
    documents = {document.id: document for document in read_folder(data / "corpus").documents}
    for benchmark in sets.values():
        benchmark.check(documents.values())
    allowed = _split(data, split)
    if which == "mini":
        sets = {name: mini(benchmark) for name, benchmark in sets.items()}
        used = {document for benchmark in sets.values() for document in benchmark.document_ids}
        documents = {name: document for name, document in documents.items() if name in used}
    elif which != "full":
        sets = {which: sets[which]}
        folders = {name.split("/")[0] for name in sets[which].document_ids}
        documents = {name: document for name, document in documents.items() if name.split("/")[0] in folders}
    questions = {name: _allowed(benchmark, allowed)[:limit] for name, benchmark in sets.items()}
    questions = {name: kept for name, kept in questions.items() if kept}
    if not questions:
        raise DataError(f"set {which}, split {split}: no questions; its documents are in another split")
    return Pool(tuple(documents.values()), questions)


def mini(benchmark: Benchmark) -> Benchmark:
    """LegalBench-RAG's own recipe: the tests sorted by a random number seeded with their first document's path, 194."""
    order = sorted(benchmark.questions, key=lambda question: random.Random(question.gold[0].document).random())
    return Benchmark(benchmark.name, tuple(order[:MINI]))


def _split(data: Path, split: str) -> set[str] | None:
    path = data / "splits.json"
    if split == "all" or not path.is_file():
        return None
    return set(read_json(path)[split])


def _allowed(benchmark: Benchmark, documents: set[str] | None) -> tuple[BenchmarkQuestion, ...]:
    return tuple(q for q in benchmark.questions if documents is None or q.gold[0].document in documents)


@dataclass(frozen=True, slots=True)
class SetResult:
    """One set's examples and every measure of each."""

    examples: tuple[Example, ...]
    figures: dict[str, list[float]]
    styles: tuple[str, ...] = ()
    """The style of each example's question."""
    likelihoods: tuple[tuple[bool, float], ...] = ()
    """Of each question whether it has an answer, and how likely it was thought to have one."""


@dataclass(frozen=True, slots=True)
class BenchmarkRun:
    """One method on one pool under one way with names."""

    method: str
    names: str
    seconds: float
    queries_per_second: float
    models: dict[str, str]
    sets: dict[str, SetResult]

    def means(self) -> dict[str, dict[str, float]]:
        """The figures of each set, and of `all`: the plain mean of the sets."""
        table: dict[str, dict[str, float]] = {
            name: {"queries": len(result.examples), **means(result.figures)} for name, result in self.sets.items()
        }
        measures = [name for name in next(iter(table.values())) if name != "queries"]
        everything = {name: sum(row[name] for row in table.values()) / len(table) for name in measures}
        table["all"] = {"queries": sum(int(row["queries"]) for row in table.values()), **everything}
        return table


def run_method(
    method: Method,
    pool: Pool,
    names: str,
    encoder: Encoder | None,
    progress: Progress | None = None,
    location: str = IN_MEMORY,
) -> BenchmarkRun:
    """Indexes the pool, in memory or in a new index at a location, asks every question and measures the answers."""
    cached = CachedEncoder(encoder) if encoder else None
    searched = searched_pool(method, pool, cached, progress, location)
    started = perf_counter()
    answers: dict[str, Sequence[Answer]] = {}
    for name, questions in pool.questions.items():
        put = [asked(question, names) for question in questions]
        answers[name] = searched.search([query for query, _ in put], [where for _, where in put])
    seconds = perf_counter() - started
    count = sum(map(len, answers.values()))
    results = {name: _result(pool.questions[name], given) for name, given in answers.items()}
    return BenchmarkRun(method.label, names, seconds, count / seconds if seconds else 0.0, searched.models, results)


def _result(questions: Sequence[BenchmarkQuestion], answers: Sequence[Answer]) -> SetResult:
    """The measures of the questions that have an answer, and how likely each question was thought to have one."""
    answered = [(question, answer) for question, answer in zip(questions, answers, strict=True) if question.gold]
    examples = tuple(_example(question, answer) for question, answer in answered)
    judged = any(answer.answered is not None for answer in answers)
    likelihoods = tuple(
        (bool(question.gold), answer.answered or 0.0)
        for question, answer in zip(questions, answers, strict=True)
        if answer.answered is not None or (judged and not answer.hits)  # no hit: the documents do not answer
    )
    styles = tuple(question.style for question, _ in answered)
    return SetResult(examples, each_figure([*seed_measures(), *standard_measures()], examples), styles, likelihoods)


def _example(question: BenchmarkQuestion, answer: Answer) -> Example:
    prediction = Prediction.of(answer.query, answer.hits)
    first = answer.hits[0] if answer.hits else None
    spans = tuple(Span(first.document_id, span.start, span.end) for span in first.spans) if first else ()
    return Example(
        question.query, question.gold, question.answers, prediction.texts, prediction.hits, spans, prediction.scores
    )


class SearchedIndex:
    """The pool in an index, in memory unless a location is named, searched as `Index` searches: with 8-bit vectors.

    Quotation marks and dashes are words like others: the questions of a benchmark are not written in our operators.
    """

    def __init__(
        self,
        method: Method,
        pool: Pool,
        encoder: Encoder | None,
        progress: Progress | None,
        location: str = IN_MEMORY,
    ) -> None:
        self.method = method
        self._models = BenchmarkModels(encoder, method.own_reranker)
        self.index = Index(Index.create(location).engine, self._models)
        stages = None if progress is None else lambda _, done, total: progress(done, total)
        vectors = "now" if encoder else "none"
        self.index.add_documents(pool.documents, vectors=vectors, encoder=method.encoder, progress=stages)
        stage = self._models.rerank(method)
        used = (encoder, stage and stage.reranker)
        self.models = {model.name: model.sha256 for model in used if model}

    def search(self, queries: Sequence[str], wheres: Sequence[Filter | None], depth: int = DEPTH) -> Sequence[Answer]:
        name, fusion = self.method.name, self.method.fusion
        requests = [
            SearchRequest(query, depth, where, method=name, fusion=fusion, operators=False)
            for query, where in zip(queries, wheres, strict=True)
        ]
        return self.index.answer(requests)


class BenchmarkModels(ModelCache):
    """Models whose vectors and scores are kept in the cache, so that a benchmark never makes one twice."""

    def __init__(self, encoder: Encoder | None, own_reranker: Reranker | None = None) -> None:
        super().__init__()
        self._given = encoder
        self._own_reranker = own_reranker

    def _load_encoder(self, name: str) -> Encoder:
        return self._given or CachedEncoder(super()._load_encoder(name))

    def _load_stage(self, method: Method, reranker: str) -> RerankStage:
        if self._own_reranker is not None and method.rerank is not None:
            # What it gives is not kept: nobody knows when its code or weights change.
            return method.rerank.load(self._own_reranker)
        stage = super()._load_stage(method, reranker)
        return replace(stage, reranker=CachedReranker(stage.reranker))


class SearchedPlainly:
    """The pool searched by a plain retriever over its own passages."""

    def __init__(self, method: Method, pool: Pool, encoder: Encoder | None, progress: Progress | None) -> None:
        self.retriever = method.build(encoder, progress)
        self.retriever.index(Collection.build(pool.documents, method.segmenter))
        self.models = {encoder.name: encoder.sha256} if encoder else {}

    def search(self, queries: Sequence[str], wheres: Sequence[Filter | None], depth: int = DEPTH) -> Sequence[Answer]:
        if any(wheres):
            found = [self.retriever.search(query, depth, where) for query, where in zip(queries, wheres, strict=True)]
        else:
            found = self.retriever.search_many(queries, depth)
        return [Answer(query, tuple(hits)) for query, hits in zip(queries, found, strict=True)]


def searched_pool(
    method: Method,
    pool: Pool,
    encoder: Encoder | None,
    progress: Progress | None = None,
    location: str = IN_MEMORY,
) -> SearchedIndex | SearchedPlainly:
    """The pool, ready to be searched by a method."""
    if method.plain or method.own_retriever is not None:
        return SearchedPlainly(method, pool, encoder, progress)
    return SearchedIndex(method, pool, encoder, progress, location)
