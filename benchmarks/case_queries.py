"""Whether words that a query repeats should count, in each part of the blend of `pincite cases`: two sets of labels.

python benchmarks/case_queries.py [--data $PINCITE_DATA/aila2019]

First AILA's own queries: MAP of all eight combinations, and of the one that is best on the other folds. Then long
queries that nobody labelled: 100 candidate cases, whose relevant cases are those that they name by their parties.
"""

import argparse
import os
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np

from pincite.cases import CaseSet
from pincite.cases.cross_validation import cross_validated
from pincite.cases.evaluation import evaluated
from pincite.cases.loading import load_cases
from pincite.cases.methods import BLEND, case_method, ranker_of
from pincite.cases.ranking import CaseTexts
from pincite.cases.selection import DEFAULT

QUERIES, LEAST = 100, 3


def precision_of_each(cases, method, texts):
    figures = evaluated(cases, ranker_of(cases, method, texts).rank(), DEFAULT)
    print(f"  {method.name}: MAP {np.mean(figures.each['map']):.4f}", flush=True)
    return figures


def counted(method, once):
    """The method with repeated words counted or not."""
    name = f"{method.name}, {'each word once' if once else 'repeated words'}"
    return replace(method, name=name, bm25=replace(method.bm25, once=once))


def blends():
    for flags in product((False, True), repeat=len(BLEND.parts)):
        parts = tuple(counted(part, once) for part, once in zip(BLEND.parts, flags, strict=True))
        names = ", ".join(part.name for part, once in zip(BLEND.parts, flags, strict=True) if once)
        yield replace(BLEND, name=f"blend+cited, once: {names or 'none'}", parts=parts)


def citing_cases(cases, texts):
    """Cases that name at least three others, by the hash of their text, and what they name."""
    _, graph = texts.citations()
    named = np.asarray((graph > 0).sum(axis=1)).ravel()
    places = sorted(np.flatnonzero(named >= LEAST).tolist(), key=lambda at: cases.candidates[at].sha256)[:QUERIES]
    relevant = {
        cases.candidates[at].id: frozenset(cases.candidates[to].id for to in graph[at].indices) for at in places
    }
    return CaseSet(cases.candidates, tuple(cases.candidates[at] for at in places), relevant).checked()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("PINCITE_DATA", ".")) / "aila2019")
    cases = load_cases("aila", parser.parse_args().data)
    cases = cases.only(cases.judged())
    texts = CaseTexts(cases.candidates, keep=True)
    print("AILA's queries")
    each = {blend.name: precision_of_each(cases, blend, texts) for blend in blends()}
    queries = next(iter(each.values())).queries
    values, chosen = cross_validated(queries, {name: one.each["map"] for name, one in each.items()})
    print(f"  chosen on the other folds: MAP {np.mean(values):.4f} {chosen}")
    print(f"{QUERIES} candidates as queries")
    own = citing_cases(cases, texts)
    for once in (False, True):
        precision_of_each(own, counted(case_method("document"), once), texts)
    for blend in blends():
        precision_of_each(own, blend, texts)


if __name__ == "__main__":
    main()
