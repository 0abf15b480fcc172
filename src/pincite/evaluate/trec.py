"""Predictions and gold as a TREC run and qrels, which ir_measures and trec_eval read."""

from collections.abc import Sequence
from pathlib import Path

from pincite.errors import DataError, OutputError
from pincite.evaluate.benchmark import read_benchmark
from pincite.evaluate.predictions import match, read_predictions
from pincite.measures import Example
from pincite.measures.textbook import judged
from pincite.output import write_text


def export_trec(predictions: Path, gold: Path, out: Path, tag: str = "pincite") -> tuple[Path, Path]:
    """Writes `run.txt` and `qrels.txt` into `out`, judged as docs/measures.md says: half of a hit gold."""
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
    """A passage's name is `rank` within its question, percent-free and without blanks; unreached gold is `gold-n`."""
    run: list[str] = []
    qrels: list[str] = []
    for number, example in enumerate(examples):
        judgments, retrieved = judged(example)
        query = f"q{number}"
        for rank, (name, score) in enumerate(retrieved.items(), start=1):
            run.append(f"{query} Q0 {_name(name)} {rank} {score:g} {tag}\n")
        qrels.extend(f"{query} 0 {_name(name)} {relevance}\n" for name, relevance in judgments.items())
    return run, qrels


def _name(name: str) -> str:
    return name.replace(" ", "-") if name.startswith("gold") else f"hit-{name}"
