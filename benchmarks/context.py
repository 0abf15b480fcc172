"""Speed of context-aware retrieval beside the seeds' hybrid, over every document of LegalBench-RAG, in one run.

python benchmarks/context.py [--data DIR] [--queries 200] [--json FILE]

Indexing is timed without embeddings, at three sizes of the collection, with what the process grew by. Queries are timed
after encoding, with the vectors of all questions given: random unit vectors stand in for the units' embeddings, whose
values do not change how long the arithmetic takes.
"""

import argparse
import json
from pathlib import Path
from time import perf_counter

import numpy as np
import psutil

from pincite.evaluate.data import benchmark_folder
from pincite.evaluate.legalbench_rag import pool_of
from pincite.models.contract import Encoder
from pincite.retrieve import BM25, ContextRetriever, Dense, Hybrid
from pincite.segment import Clauses, WordWindows
from pincite.text import Collection


class RandomVectors(Encoder):
    """Unit vectors drawn with a fixed seed; all questions have the same. Encoding is timed in benchmarks/encode.py."""

    name, sha256, dimensions = "random", "0" * 64, 384

    def __init__(self):
        self.questions = self.encode(["what is asked", "how it is drafted"])

    def encode(self, texts, progress=None):
        drawn = np.random.default_rng(3).standard_normal((len(texts), self.dimensions), dtype=np.float32)
        return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)

    def encode_queries(self, texts, progress=None):
        return self.questions[: len(texts)]


def index_speed(documents):
    rows = []
    for share in (0.25, 0.5, 1.0):
        some = documents[: round(len(documents) * share)]
        before = psutil.Process().memory_info().rss
        started = perf_counter()
        context = ContextRetriever()
        context.index(Collection.build(some, Clauses()))
        assert context.view.document_count == len(some)  # the engine in memory builds its fragments for the first view
        seconds = perf_counter() - started
        grown = (psutil.Process().memory_info().rss - before) / 1e6
        characters = sum(len(document.text) for document in some)
        rows.append({"documents": len(some), "characters": characters, "units": len(context.collection),
                     "seconds": seconds, "mb_per_second": characters / seconds / 1e6, "memory_mb": grown})  # fmt: skip
        del context
    return rows


def timed(ask, queries):
    ask(queries[0])
    times = []
    for query in queries:
        started = perf_counter()
        ask(query)
        times.append(perf_counter() - started)
    return {"p50_ms": float(np.median(times)) * 1e3, "p95_ms": float(np.quantile(times, 0.95)) * 1e3}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    pool = pool_of(benchmark_folder(asked.data), "full", "test")
    queries = [question.query for questions in pool.questions.values() for question in questions]
    queries = queries[:: max(1, len(queries) // asked.queries)][: asked.queries]
    rows = index_speed(list(pool.documents))
    print(f"{'documents':>10}{'characters':>12}{'units':>9}{'index s':>9}{'MB/s':>7}{'memory MB':>11}")
    for row in rows:
        print(f"{row['documents']:10}{row['characters']:12,}{row['units']:9}{row['seconds']:9.1f}"
              f"{row['mb_per_second']:7.2f}{row['memory_mb']:11.0f}")  # fmt: skip

    encoder = RandomVectors()
    context = ContextRetriever(encoder)
    context.index(Collection.build(pool.documents, Clauses()))
    hybrid = Hybrid([BM25(), Dense(encoder)])
    hybrid.index(Collection.build(pool.documents, WordWindows()))
    named = timed(lambda query: context.search(query, 10), queries)
    bare = [query.partition(";")[2] or query for query in queries]
    unnamed = timed(lambda query: context.search(query, 10), bare)
    seeds = timed(lambda query: hybrid.search(query, 10), queries)
    result = {"context, document named": named, "context, no document named": unnamed, "the seeds' hybrid": seeds}
    print(f"\n{'after encoding, 10 hits':30}{'p50 ms':>9}{'p95 ms':>9}{'p50 / hybrid':>14}")
    for name, row in result.items():
        print(f"{name:30}{row['p50_ms']:9.1f}{row['p95_ms']:9.1f}{row['p50_ms'] / seeds['p50_ms']:14.2f}")
    if asked.json:
        asked.json.write_text(json.dumps({"indexing": rows, "queries": result}, indent=1) + "\n")


if __name__ == "__main__":
    main()
