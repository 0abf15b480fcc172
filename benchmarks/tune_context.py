"""Tunes the weights of the context method on the dev split, one at a time, and prints what each value is worth.

python benchmarks/tune_context.py [--data DIR] [--questions N] [--weights unit,near]

Dev: LegalBench-RAG's dev documents of CUAD and MAUD, and ContractNLI's dev.json (the document given as a filter: its
hypotheses name none). The objective is the mean over the three sets of found@10, recall_budget@4000, precision@1 and
exact match. No test document or query is touched.
"""

import argparse
from dataclasses import replace
from pathlib import Path

from pincite.evaluate.data import data_folder
from pincite.evaluate.dev_sets import dev_sets
from pincite.measures import Example, Span, mean_figures
from pincite.measures.exact_match import ExactMatch
from pincite.measures.found import FoundAt
from pincite.measures.precision_chars import PrecisionChars
from pincite.measures.recall_budget import RecallBudget
from pincite.models import CachedEncoder, load_encoder
from pincite.retrieve import ContextRetriever
from pincite.search import ContextConfig, SpanConfig
from pincite.segment import Clauses
from pincite.text import Collection

MEASURES = [FoundAt(10), RecallBudget(4000), PrecisionChars(1), ExactMatch()]
GRID = {
    "unit": (0.8, 1.2, 1.6),
    "near": (0.5, 0.8, 1.1),
    "dense": (0.7, 1.0, 1.3),
    "around": (0.0, 0.2, 0.4, 0.6),
    "definition": (0.0, 0.3, 0.5, 1.0),
    "drafted": (0.0, 0.5, 1.0, 1.5),
    "k1": (0.5, 0.9, 1.4),
    "b": (0.0, 0.2, 0.4),
    "frame": (0.2, 0.5, 0.8),
}
DROPS = (0.0, 0.1, 0.2, 0.3)


def objective(sets, encoder, config, spans):
    total = 0.0
    for dev in sets:
        asked = [(question, where) for question, where in dev.asked if question.gold]
        context = ContextRetriever(encoder, config, spans)
        context.index(Collection.build(dev.documents, Clauses()))
        answers = context.answer_many([question.query for question, _ in asked], 40, [where for _, where in asked])
        examples = [
            Example(question.query, question.gold, question.answers, tuple(hit.text for hit in answer.hits),
                    tuple(Span(hit.passage.document_id, hit.start, hit.end) for hit in answer.hits))
            for (question, _), answer in zip(asked, answers, strict=True)
        ]  # fmt: skip
        figures = mean_figures(MEASURES, examples)
        total += sum(figures.values()) / len(figures)
    return total / len(sets)


def first(dev, count):
    """The first questions of a set with the documents they are about."""
    if count is None:
        return dev
    asked = [(question, where) for question, where in dev.asked if question.gold][:count]
    used = {span.document for question, _ in asked for span in question.gold}
    return replace(dev, asked=tuple(asked), documents=tuple(d for d in dev.documents if d.id in used))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--questions", type=int, help="only the first N of each set, and their documents")
    parser.add_argument("--weights", default=",".join([*GRID, "drop"]), help="only these")
    options = parser.parse_args()
    sets = [first(dev, options.questions) for dev in dev_sets(data_folder(options.data))]
    chosen = options.weights.split(",")
    encoder = CachedEncoder(load_encoder("all-MiniLM-L6-v2:int8"))
    config, spans = ContextConfig(), SpanConfig()
    print(f"shipped: {objective(sets, encoder, config, spans):.4f}", flush=True)
    for name, values in GRID.items():
        if name not in chosen:
            continue
        row = [(objective(sets, encoder, replace(config, **{name: value}), spans), value) for value in values]
        print(f"{name:12}" + "".join(f"{value:8g}: {score:.4f}" for score, value in row), flush=True)
    if "drop" in chosen:
        row = [(objective(sets, encoder, config, replace(spans, drop=value)), value) for value in DROPS]
        print(f"{'drop':12}" + "".join(f"{value:8g}: {score:.4f}" for score, value in row), flush=True)


if __name__ == "__main__":
    main()
