"""Runs a retriever over a benchmark: the questions in, predictions out."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pincite.evaluate.benchmark import Benchmark, read_benchmark, read_corpus
from pincite.evaluate.predictions import Prediction, match
from pincite.measures import Measure, mean_figures, seed_measures, standard_measures
from pincite.models import Progress
from pincite.pipeline import RetrieverOptions, build_plain
from pincite.retrieve import Retriever
from pincite.segment import Segmenter, segmenter
from pincite.text import Collection, Document
from pincite.text.order import check_k


@dataclass(frozen=True, slots=True)
class Run:
    """What a run gave: the predictions, how many passages were searched, and the files that were left out."""

    predictions: tuple[Prediction, ...]
    passages: int
    skipped: tuple[str, ...] = ()


def answer_benchmark(retriever: Retriever, benchmark: Benchmark, k: int) -> tuple[Prediction, ...]:
    """The predictions of a retriever that has its collection."""
    queries = [question.query for question in benchmark.questions]
    answers = retriever.search_many(queries, k)
    return tuple(Prediction.of(query, hits) for query, hits in zip(queries, answers, strict=True))


def run(
    retriever_name: str,
    corpus: Path,
    benchmark_path: Path,
    *,
    k: int = 10,
    segment: Segmenter | None = None,
    options: RetrieverOptions | None = None,
    limit: int | None = None,
    unreadable: str = "refuse",
    progress: Progress | None = None,
) -> Run:
    """Reads the corpus, indexes it and answers the benchmark's questions (the first `limit` of them)."""
    check_k(k)
    retriever = build_plain(retriever_name, options, progress=progress)
    benchmark = read_benchmark(benchmark_path)
    reading = read_corpus(corpus, benchmark, unreadable)
    retriever.index(Collection.build(reading.documents, segment or segmenter("words")))
    predictions = answer_benchmark(retriever, benchmark.first(limit), k)
    return Run(predictions, len(retriever.collection), reading.skipped)


@dataclass(frozen=True, slots=True)
class SweepRow:
    """One line of a sweep: how the documents were cut, and what came of it."""

    size: int
    overlap: float
    passages: int
    figures: dict[str, float]


def sweep(
    retriever_name: str,
    documents: Iterable[Document],
    benchmark: Benchmark,
    *,
    sizes: Iterable[int],
    overlaps: Iterable[float],
    segment: str = "words",
    k: int = 10,
    options: RetrieverOptions | None = None,
    progress: Progress | None = None,
) -> Iterable[SweepRow]:
    """The same retriever over several sizes and overlaps (a share of the size), a row each as it is done."""
    kept = tuple(documents)
    measures: list[Measure] = [*seed_measures(check_k(k)), *standard_measures(k)]
    shapes = [(size, overlap) for size in sizes for overlap in overlaps]
    cutters = [segmenter(segment, size, round(size * overlap)) for size, overlap in shapes]
    for (size, overlap), cutter in zip(shapes, cutters, strict=True):
        retriever = build_plain(retriever_name, options, progress=progress)
        retriever.index(Collection.build(kept, cutter))
        examples = match(benchmark, answer_benchmark(retriever, benchmark, k))
        yield SweepRow(size, overlap, len(retriever.collection), mean_figures(measures, examples))
