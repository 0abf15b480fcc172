"""The seeds' two tables beside what we measure: 500-word passages of ContractNLI, k = 10."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter

from pincite.evaluate.benchmark import read_benchmark, read_corpus
from pincite.evaluate.predictions import match
from pincite.evaluate.run import answer_benchmark
from pincite.measures import each_figure, means, seed_measures
from pincite.models import CachedEncoder, Encoder, Progress
from pincite.pipeline import build_plain
from pincite.segment import WordWindows
from pincite.text import Collection

FIGURES = ("exact_match", "span_f1", "recall@10", "ndcg@10")
SEED_ENCODER = "sentence-transformers/all-mpnet-base-v2"

PUBLISHED: dict[tuple[str, int], tuple[float, float, float, float]] = {
    ("tfidf", 100): (0.0, 0.2009, 0.3717, 0.2757),
    ("bm25", 100): (0.0, 0.2217, 0.5267, 0.4544),
    ("dense", 100): (0.0, 0.2147, 0.4317, 0.3232),
    ("tfidf", 977): (0.0, 0.2018, 0.3090, 0.2204),
    ("bm25", 977): (0.0, 0.2315, 0.5137, 0.4445),
    ("hybrid", 977): (0.0, 0.2357, 0.5511, 0.4808),
}
"""*Context-Aware Legal Information Retrieval* (2025), its tables for the first 100 and for all 977 queries.

Its Sentence-BERT row for 977 queries repeats the row for 100 to the last digit: it is left out, and the output says so.
"""

COPIED = "the seeds' row for 977 is their row for 100, copied: not compared"


@dataclass(frozen=True, slots=True)
class ReproductionRow:
    """One system on the first `queries` questions: what we measured and what the seeds published."""

    system: str
    queries: int
    measured: dict[str, float]
    seed: dict[str, float] = field(default_factory=dict)
    note: str = ""
    seconds: float = 0.0
    passages: int = 0

    def difference(self, figure: str) -> float | None:
        """Measured minus published; None where there is nothing to compare."""
        if figure not in self.measured or figure not in self.seed:
            return None
        return self.measured[figure] - self.seed[figure]

    def to_dict(self) -> dict[str, object]:
        return asdict(self)


def reproduce(
    data: Path, encoder: Encoder | None = None, progress: Progress | None = None, first: int = 100
) -> Iterator[ReproductionRow]:
    """A row for each system and number of queries, as it is measured. Without an encoder the dense rows are empty."""
    benchmark = read_benchmark(data / "benchmarks" / "contractnli.json")
    documents = read_corpus(data / "corpus", benchmark).documents
    collection = Collection.build(documents, WordWindows())
    cached = CachedEncoder(encoder) if encoder else None
    for system in ("tfidf", "bm25", "dense", "hybrid"):
        sizes = (min(first, len(benchmark.questions)), len(benchmark.questions))
        if system in ("dense", "hybrid") and cached is None:
            for queries in sizes:
                yield ReproductionRow(system, queries, {}, _published(system, queries), "left out: no encoder at hand")
            continue
        started = perf_counter()
        retriever = build_plain(system, encoder=cached, progress=progress)
        retriever.index(collection)
        examples = match(benchmark, answer_benchmark(retriever, benchmark, k=10))
        figures = each_figure(seed_measures(10), examples)
        seconds = perf_counter() - started
        for queries in sizes:
            measured = means({name: values[:queries] for name, values in figures.items()})
            note = _note(system, queries, cached)
            yield ReproductionRow(
                system, queries, measured, _published(system, queries), note, round(seconds, 2), len(collection)
            )


def _published(system: str, queries: int) -> dict[str, float]:
    figures = PUBLISHED.get((system, queries))
    return dict(zip(FIGURES, figures, strict=True)) if figures else {}


def _note(system: str, queries: int, encoder: Encoder | None) -> str:
    notes = []
    if system in ("dense", "hybrid") and encoder and encoder.name != SEED_ENCODER:
        notes.append(f"measured with {encoder.name}, the seeds used all-mpnet-base-v2")
    if (system, queries) == ("dense", 977):
        notes.append(COPIED)
    return "; ".join(notes)
