"""Case retrieval at COLIEE 2021's size, and the default method on 200 queries over 2,000 longer cases.

python benchmarks/cases.py [--method segments] [--cases 4415] [--queries 250] [--sentences 140] [--sample 8] [--sizes]
python benchmarks/cases.py --method default --cases 2000 --queries 200 --sentences 270
python benchmarks/cases.py --selection

The collection is generated: cases of a few thousand words from a vocabulary with a natural distribution, in sentences
of 22 words, each with the names of two parties; they name each other. Queries are among the candidates; the cases they
notice share sentences with them. Segments are windows of 10 sentences, stride 5, scored with Lucene's BM25. The paper's
way (one BM25 query for each query segment, rank-bm25 over all candidate segments, extra `bench`) is measured on a few
query segments and extrapolated to all of them. Seconds are wall-clock; those of the processor stand in brackets.

With --selection, the rule that decides how many cases are answers, on generated collections of several shapes: as a
table, the default numbers beside what 0.6.0 handed in, numbers chosen on other queries, and the best in hindsight.
"""

import argparse
import random
import resource
from dataclasses import dataclass, field
from time import perf_counter, process_time

import numpy as np

from pincite.cases import CaseRanker, CaseSet, Selection
from pincite.cases.comparison import cross_validated_f1
from pincite.cases.evaluation import as_ranked
from pincite.cases.methods import case_method, ranker_of
from pincite.cases.ranking import CaseTexts
from pincite.cases.selection import DEFAULT, measured, tuned_best, tuned_outstanding
from pincite.cases.words import Cleaning
from pincite.text import Document

WORDS, SENTENCE, NOTICED, NAMED = 60_000, 22, 4, 3


SHAPES = ((500, 2, 3), (500, 8, 3), (2000, 2, 3), (2000, 4, 3), (2000, 4, 1), (2000, 12, 3))
"""Collections for the table of selections: cases, how many of them a query notices, sentences it takes from each."""
SELECTED, SELECTED_SENTENCES = 50, 60
"""Queries of these collections, and the mean number of sentences in a case."""


def collection(cases, queries, sentences=140, seed=1, noticed_cases=NOTICED, taken=3):
    """Cases with words drawn by Zipf's law; a query takes some sentences over from each case it notices."""
    chance = np.random.default_rng(seed)
    names = np.array(["".join(chance.choice(list("abcdefghiklmnoprstuvw"), 4 + at % 7)) for at in range(WORDS)])
    share = 1 / np.arange(3, WORDS + 3)
    share /= share.sum()
    parties = [" v ".join(" ".join(names[chance.choice(WORDS, 2)]).title() for _ in "ab") for _ in range(cases)]
    made = []
    for _ in range(cases):
        count = int(np.clip(chance.normal(sentences, 0.4 * sentences), 20, 3 * sentences))
        words = names[chance.choice(WORDS, size=(count, SENTENCE), p=share)]
        made.append([" ".join(row).capitalize() + "." for row in words])
    relevant, picks = {}, random.Random(seed)
    for query in range(queries):
        noticed = picks.sample(range(queries, cases), min(noticed_cases, cases - queries))
        relevant[f"{query:06}.txt"] = frozenset(f"{case:06}.txt" for case in noticed)
        for case in noticed:
            at = picks.randrange(max(1, len(made[case]) - taken))
            made[query] += made[case][at : at + taken]
    for held in made[queries:]:
        held += [f"This was so held in {parties[case]}." for case in picks.sample(range(queries, cases), NAMED)]
    texts = [f"{name}\n{' '.join(held)}" for name, held in zip(parties, made, strict=True)]
    documents = tuple(Document(f"{at:06}.txt", text) for at, text in enumerate(texts))
    return CaseSet(documents, documents[:queries], relevant).checked()


@dataclass
class Stages:
    """What each stage of the work took."""

    taken: list[tuple[str, float, float]] = field(default_factory=list)

    def __call__(self, name, work):
        wall, processor = perf_counter(), process_time()
        done = work()
        self.taken.append((name, perf_counter() - wall, process_time() - processor))
        return done

    def __str__(self):
        everything = [("in all", *(sum(times) for times in list(zip(*self.taken, strict=True))[1:]))]
        return ", ".join(f"{name} {wall:.1f} s ({own:.1f})" for name, wall, own in [*self.taken, *everything])


def ours(cases, method, stages):
    texts = CaseTexts(cases.candidates)
    stages("read", lambda: texts.words(Cleaning()))
    if method.name.startswith("blend"):
        stages("citations", texts.citations)
    ranker = stages("segments and weights", lambda: ranker_of(cases, method, texts))
    return ranker, stages("rank", ranker.rank)


def papers_way(ranker, sample):
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
        index.get_scores(words(asked.counts, row))
    return (perf_counter() - started) / len(chosen) * asked.counts.shape[0]


def selections(methods=("default", "segments")):
    """Prints the table of selections."""
    print("| cases | relevant for each query | sentences shared | method | default | precision | recall | best 200 "
          "| cross-validated | in hindsight |")  # fmt: skip
    print("| --- " * 10 + "|")
    for cases, noticed, taken in SHAPES:
        made = collection(cases, SELECTED, SELECTED_SENTENCES, noticed_cases=noticed, taken=taken)
        texts = CaseTexts(made.candidates, keep=True)
        for name in methods:
            rankings = ranker_of(made, case_method(name), texts).rank()
            ranked, queries = as_ranked(made, rankings), [ranking.query for ranking in rankings]
            by_default, best = measured(ranked, DEFAULT), tuned_outstanding(ranked)
            chosen = cross_validated_f1(queries, ranked, tuned_outstanding)
            figures = (by_default.f1, by_default.precision, by_default.recall, measured(ranked, Selection()).f1, chosen)
            shown = " | ".join(f"{value:.3f}" for value in figures)
            print(f"| {cases:,} | {noticed} | {taken} | `{case_method(name).name}` | {shown} "
                  f"| {best[1].f1:.3f} ({best[0].deviations}, {best[0].most}) |", flush=True)  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--method", default="segments")
    parser.add_argument("--cases", type=int, default=4415)
    parser.add_argument("--queries", type=int, default=250)
    parser.add_argument("--sentences", type=int, default=140, help="the mean number in a case")
    parser.add_argument("--sample", type=int, default=8, help="query segments scored by rank-bm25; 0 for none")
    parser.add_argument("--sizes", action="store_true", help="also a quarter and a half of the cases")
    parser.add_argument("--selection", action="store_true", help="the table of the rule that selects, and nothing else")
    asked = parser.parse_args()
    if asked.selection:
        selections()
        return
    method = case_method(asked.method)
    for size in [asked.cases // 4, asked.cases // 2, asked.cases] if asked.sizes else [asked.cases]:
        cases = collection(size, asked.queries, asked.sentences)
        words = sum(len(case.text.split()) for case in cases.candidates)
        stages = Stages()
        ranker, rankings = ours(cases, method, stages)
        ranked = as_ranked(cases, rankings)
        best, figures = stages("tune", lambda held=ranked: tuned_best(held[:100]))
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(f"{method.name}: {asked.queries} queries, {size} cases of {words / size:.0f} words")
        print(f"  {stages}; memory {memory:.1f} GB")
        print(f"  micro-F1 {measured(ranked, DEFAULT).f1:.3f} by default, {figures.f1:.3f} tuned ({best})", flush=True)
    if asked.sample and isinstance(ranker, CaseRanker):
        slow = papers_way(ranker, asked.sample)
        print("  no rank-bm25 here" if slow is None else f"  one rank-bm25 query a segment: {slow:.0f} s extrapolated")


if __name__ == "__main__":
    main()
