"""Build time, query rate and memory of our BM25 beside rank-bm25, bm25s and tantivy, on the same passages in one run.

python benchmarks/lexical.py [--sizes 10000,100000] [--queries 300] [--json FILE]

Passages of 60 to 100 words and questions of 8 to 14 are drawn from a Zipf-like vocabulary with a fixed seed. Every
engine gets the same token lists (tantivy the same tokens as text), runs alone in a process of its own, and answers the
same questions with its best 10. Rates are medians over the questions; memory is what the process grew by. The engines
take turns for several rounds, and the best round of each counts: these machines are noisy.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

import numpy as np
import psutil

ENGINES = ("pincite", "bm25s", "tantivy", "rank-bm25")
INSTALLED = [name for name in ENGINES if find_spec(name.replace("-", "_"))]
K = 10


def passages(size, seed=7):
    rng = np.random.default_rng(seed)
    words = np.array([f"w{number}" for number in range(60_000)])
    chance = 1 / (np.arange(len(words)) + 2.7) ** 1.05
    chance /= chance.sum()
    lengths = rng.integers(60, 101, size)
    drawn = words[rng.choice(len(words), lengths.sum(), p=chance)]
    cuts = np.cumsum(lengths)[:-1]
    return [part.tolist() for part in np.split(drawn, cuts)]


def questions(corpus, count, seed=11):
    """Words of a random passage, as a person would ask: frequent and rare ones as they come."""
    rng = np.random.default_rng(seed)
    return [
        [str(word) for word in rng.choice(corpus[rng.integers(len(corpus))], rng.integers(8, 15), replace=False)]
        for _ in range(count)
    ]


def pincite_engine(corpus):
    from pincite.postings.postings import Postings
    from pincite.retrieve.bm25 import BM25Config, Weigher
    from pincite.text.order import best_first

    weigher = Weigher(Postings.build(corpus), BM25Config(form="lucene"))
    tie_order = np.arange(len(corpus))

    def ask(tokens):
        scores, matched = weigher.score(tokens)
        return best_first(scores, K, tie_order, matched)

    return ask


def bm25s_engine(corpus):
    import bm25s

    index = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
    index.index(corpus, show_progress=False)

    def ask(tokens):
        return index.retrieve([tokens], k=K, show_progress=False)[0][0]

    return ask


def tantivy_engine(corpus):
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("body", stored=False, tokenizer_name="whitespace")
    builder.add_integer_field("at", stored=True)
    index = tantivy.Index(builder.build())
    writer = index.writer(heap_size=256_000_000, num_threads=1)
    for at, tokens in enumerate(corpus):
        writer.add_document(tantivy.Document(body=[" ".join(tokens)], at=[at]))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def ask(tokens):
        return searcher.search(index.parse_query(" ".join(tokens), ["body"]), K).hits

    return ask


def rank_bm25_engine(corpus):
    from rank_bm25 import BM25Okapi

    index = BM25Okapi(corpus)

    def ask(tokens):
        return np.argsort(-index.get_scores(tokens))[:K]

    return ask


BUILDERS = {
    "pincite": pincite_engine,
    "bm25s": bm25s_engine,
    "tantivy": tantivy_engine,
    "rank-bm25": rank_bm25_engine,
}


def child(engine, size, count):
    corpus = passages(size)
    asked = questions(corpus, count if engine != "rank-bm25" else min(count, 30))
    for tokens in corpus[:64]:
        "".join(tokens)
    BUILDERS[engine](corpus[:50])(asked[0])  # imports and first-use costs are not the engine's build
    before = psutil.Process().memory_info().rss
    started = perf_counter()
    ask = BUILDERS[engine](corpus)
    built = perf_counter() - started
    grown = psutil.Process().memory_info().rss - before
    ask(asked[0])
    times = []
    for tokens in asked:
        started = perf_counter()
        ask(tokens)
        times.append(perf_counter() - started)
    return {
        "engine": engine,
        "passages": size,
        "build_s": built,
        "query_ms": float(np.median(times)) * 1e3,
        "mb": grown / 1e6,
    }


def measure(size, count, rounds):
    best = {}
    for _ in range(rounds):
        for engine in INSTALLED:
            with tempfile.TemporaryDirectory() as folder:
                out = Path(folder) / "row.json"
                command = [sys.executable, __file__, "--child", engine, "--sizes", str(size), "--queries", str(count)]
                subprocess.run([*command, "--json", str(out)], check=True)
                row = json.loads(out.read_text())
            old = best.get(engine, row)
            best[engine] = {key: min(old[key], row[key]) if key != "engine" else engine for key in row}
    return [best[engine] for engine in INSTALLED]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sizes", default="10000,100000")
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--child", choices=ENGINES, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    sizes = [int(size) for size in asked.sizes.split(",")]
    if asked.child:
        asked.json.write_text(json.dumps(child(asked.child, sizes[0], asked.queries)))
        return
    rows = []
    for name in sorted(set(ENGINES) - set(INSTALLED)):
        print(f"{name} is not installed (the extra 'bench'): left out")
    for size in sizes:
        rows += measure(size, asked.queries, asked.rounds)
        ours = rows[-len(INSTALLED)]
        print(f"\n{size:,} passages, {asked.queries} questions, the best {K} of each; best of {asked.rounds} rounds")
        print(f"{'engine':12}{'build s':>10}{'query ms':>10}{'MB':>8}{'build / ours':>14}{'query / ours':>14}")
        for row in rows[-len(INSTALLED) :]:
            ratios = f"{row['build_s'] / ours['build_s']:14.2f}{row['query_ms'] / ours['query_ms']:14.2f}"
            print(f"{row['engine']:12}{row['build_s']:10.2f}{row['query_ms']:10.3f}{row['mb']:8.0f}{ratios}")
    if asked.json:
        asked.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
