"""Predictions and gold as a TREC run and qrels, which ir_measures, ranx and trec_eval read."""

from collections.abc import Sequence
from pathlib import Path

from pincite.errors import DataError, OutputError
from pincite.evaluate.benchmark import read_benchmark
from pincite.evaluate.predictions import match, read_predictions
from pincite.measures import Example
from pincite.measures.textbook import judgments, retrieved
from pincite.output import write_text


def export_trec(predictions: Path, gold: Path, out: Path, tag: str = "pincite") -> tuple[Path, Path]:
    """Writes `run.txt` and `qrels.txt` into `out`. The qrels are the gold's alone: they fit every run on it."""
    examples = match(read_benchmark(gold), read_predictions(predictions))
    if any(example.hits is None for example in examples):
        raise DataError(f"{predictions}: has no 'hits'; a TREC run needs the passages' places, not their texts alone")
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{out}: cannot be made ({error.strerror})") from None
    run, qrels = out / "run.txt", out / "qrels.txt"
    run_lines, qrels_lines = _lines(examples, tag)
    write_text(run, "".join(run_lines))
    write_text(qrels, "".join(qrels_lines))
    return run, qrels


def _lines(examples: Sequence[Example], tag: str) -> tuple[list[str], list[str]]:
    run: list[str] = []
    qrels: list[str] = []
    for number, example in enumerate(examples):
        query = f"q{number}"
        for rank, (name, score) in enumerate(retrieved(example).items(), start=1):
            run.append(f"{query} Q0 {name} {rank} {score:.9g} {tag}\n")
        qrels.extend(f"{query} 0 {name} {relevance}\n" for name, relevance in judgments(example).items())
    return run, qrels
