"""Approximate nearest neighbours: faiss's inverted lists, as the index uses them, beside usearch's graph.

python benchmarks/neighbours.py [--rows 100000] [--queries 200] [--npy FILE]

The vectors are those of benchmarks/index.py, or the rows of a .npy file. Both get the same 8-bit rows; recall is
against exact search over those rows.
"""

import argparse
from pathlib import Path
from time import perf_counter

import numpy as np

from index import GivenVectors
from pincite.engine.unit_vectors import quantise
from pincite.index.embedded.neighbours import Approximate, exact_many

ENOUGH = 0.985
"""usearch looks wider until it reaches this recall."""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--npy", type=Path)
    asked = parser.parse_args()
    if asked.npy:
        vectors = np.load(asked.npy)
        questions = vectors[:: max(1, len(vectors) // asked.queries)][: asked.queries]
        rows = np.setdiff1d(np.arange(len(vectors)), np.arange(len(vectors))[:: max(1, len(vectors) // asked.queries)])
        vectors = vectors[rows]
    else:
        vectors = GivenVectors().draw(asked.rows)
        questions = GivenVectors(seed=5).draw(asked.queries)
    codes, scales = quantise(vectors)
    everything = np.arange(len(codes))
    truth = exact_many(codes, scales, everything, questions, 10)
    print(f"{'':14}{'build s':>9}{'query ms':>10}{'recall@10':>11}")

    started = perf_counter()
    lists = Approximate.build(codes, scales, everything)
    built = perf_counter() - started
    show("faiss", built, lambda question: lists.nearest(question, 10, codes, scales), questions, truth)

    try:
        from usearch.index import Index
    except ImportError:
        print("usearch is not installed (the extra 'bench'): left out")
        return
    started = perf_counter()
    graph = Index(ndim=codes.shape[1], metric="cos", dtype="i8")
    graph.add(everything, vectors)
    built = perf_counter() - started
    for expansion in (64, 128, 256, 512):
        graph.expansion_search = expansion
        name = f"usearch, {expansion}"
        if show(name, built, lambda question: graph.search(question, 10).keys, questions, truth) >= ENOUGH:
            break


def show(name, built, ask, questions, truth):
    ask(questions[0])
    times, found = [], 0
    for question, near in zip(questions, truth, strict=True):
        started = perf_counter()
        rows = ask(question)
        times.append(perf_counter() - started)
        found += len(np.intersect1d(rows, near))
    recall = found / (10 * len(truth))
    print(f"{name:14}{built:9.1f}{np.median(times) * 1e3:10.2f}{recall:11.4f}", flush=True)
    return recall


if __name__ == "__main__":
    main()
