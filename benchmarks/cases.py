"""Case retrieval at COLIEE 2021's size: ranked and tuned, beside the same work done one query a segment.

python benchmarks/cases.py [--cases 4415] [--queries 250] [--sample 8] [--sizes]

The collection is generated: cases of a few thousand words from a vocabulary with a natural distribution, in sentences
of 22 words. Queries are among the candidates; the cases they notice share sentences with them. Segments are windows of
10 sentences, stride 5, scored with Lucene's BM25. The paper's way (one BM25 query for each query segment, rank-bm25
over all candidate segments, extra `bench`) is measured on a few query segments and extrapolated to all of them.
"""

import argparse
import random
import resource
from time import perf_counter

import numpy as np

from pincite.cases import CaseRanker, CaseSet
from pincite.cases.analysis import Analysis
from pincite.cases.evaluation import as_ranked
from pincite.cases.methods import case_method
from pincite.cases.segments import Sentences, Vocabulary, Windows
from pincite.cases.selection import tuned
from pincite.text import Document

WORDS, SENTENCE, NOTICED = 60_000, 22, 4


def collection(cases, queries, seed=1):
    """Cases with words drawn by Zipf's law; a query takes some sentences over from each case it notices."""
    chance = np.random.default_rng(seed)
    names = np.array(["".join(chance.choice(list("abcdefghiklmnoprstuvw"), 4 + at % 7)) for at in range(WORDS)])
    share = 1 / np.arange(3, WORDS + 3)
    share /= share.sum()
    made = []
    for _ in range(cases):
        count = int(np.clip(chance.normal(140, 60), 20, 400))
        words = names[chance.choice(WORDS, size=(count, SENTENCE), p=share)]
        made.append([" ".join(row).capitalize() + "." for row in words])
    relevant, picks = {}, random.Random(seed)
    for query in range(queries):
        noticed = picks.sample(range(queries, cases), min(NOTICED, cases - queries))
        relevant[f"{query:06}.txt"] = frozenset(f"{case:06}.txt" for case in noticed)
        for case in noticed:
            at = picks.randrange(max(1, len(made[case]) - 3))
            made[query] += made[case][at : at + 3]
    documents = tuple(Document(f"{at:06}.txt", " ".join(held)) for at, held in enumerate(made))
    return CaseSet(documents, documents[:queries], relevant).checked()


def ours(cases):
    started = perf_counter()
    ranker = CaseRanker(cases, case_method("segments"))
    ready = perf_counter()
    rankings = ranker.rank()
    ranked = perf_counter()
    best, figures = tuned(as_ranked(cases, rankings)[:100])
    done = perf_counter()
    return ranker, (ready - started, ranked - ready, done - ranked), best, figures


def papers_way(cases, ranker, sample):
    """Seconds for all query segments, from some of them."""
    try:
        from rank_bm25 import BM25Okapi
    except ImportError:
        return None
    segments, asked = ranker.segments, ranker.asked
    terms = np.array(list(ranker.vocabulary), dtype=object)

    def words(counts, row):
        held = counts[row]
        return [term for at, count in zip(held.indices, held.data, strict=True) for term in [terms[at]] * int(count)]

    index = BM25Okapi([words(segments.counts, row) for row in range(segments.counts.shape[0])])
    chosen = random.Random(2).sample(range(asked.counts.shape[0]), min(sample, asked.counts.shape[0]))
    started = perf_counter()
    for row in chosen:
        index.get_scores(sorted(set(words(asked.counts, row))))
    return (perf_counter() - started) / len(chosen) * asked.counts.shape[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cases", type=int, default=4415)
    parser.add_argument("--queries", type=int, default=250)
    parser.add_argument("--sample", type=int, default=8)
    parser.add_argument(
        "--sizes", action="store_true", help="also a quarter and a half of the cases, and 10 and 25 segments"
    )
    asked = parser.parse_args()
    sizes = [asked.cases // 4, asked.cases // 2, asked.cases] if asked.sizes else [asked.cases]
    for size in sizes:
        cases = collection(size, asked.queries)
        words = sum(len(case.text.split()) for case in cases.candidates)
        ranker, (ready, ranked, grid), best, figures = ours(cases)
        total = ready + ranked + grid
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(f"{size} cases, {words / size:.0f} words each, {ranker.segments.counts.shape[0]} segments")
        print(f"  index {ready:.1f} s, rank {asked.queries} queries {ranked:.1f} s, tune {grid:.2f} s: {total:.1f} s")
        print(f"  memory {memory:.1f} GB; micro-F1 {figures.f1:.3f} at {best}", flush=True)
    if asked.sizes:
        for most in (10, 25):
            few = Sentences(cases.queries, Analysis(), Vocabulary(ranker.vocabulary)).windows(Windows(10, 5, most))
            started = perf_counter()
            for at in range(len(cases.queries)):
                ranker.index.best(few.counts[few.of_case(at)])
            print(f"  the first {most} segments of each query: {perf_counter() - started:.1f} s")
    slow = papers_way(cases, ranker, asked.sample)
    if slow is None:
        print("  rank-bm25 is not installed: no comparison")
    else:
        print(f"  one rank-bm25 query a segment: {slow:.0f} s extrapolated, {slow / ranked:.0f} times our ranking")


if __name__ == "__main__":
    main()
