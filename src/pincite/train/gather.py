"""Gathers the training examples of a data folder in one file, and the held-out ones in another."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from pincite.evaluate.benchmark import read_json
from pincite.evaluate.legalbench_rag import pool_of
from pincite.train.examples import TrainingExample, write_examples
from pincite.train.lepard import from_lepard
from pincite.train.sources import from_contractnli, from_legalbench_rag
from pincite.train.synthetic_examples import made_examples
from pincite.train.training import DEV, EXAMPLES
from pincite.train.windows import window_examples


def gather(data: Path, out: Path, lepard: Path | None = None, seed: int = 1) -> dict[str, int]:
    """Writes the examples of the train split and of the dev split, and returns how many each has.

    No test document or question is used. Synthetic examples come from train documents only.
    """
    benchmark, pairs = data / "legalbench-rag", data / "contractnli" / "train_pairs.jsonl"
    train = set(read_json(benchmark / "splits.json")["train"])
    documents = [document for document in pool_of(benchmark, "full", "train").documents if document.id in train]
    more: Iterator[TrainingExample] = from_lepard(lepard) if lepard else iter(())
    labelled = from_contractnli(pairs, seed) if pairs.is_file() else iter(())
    everything = chain(
        from_legalbench_rag(benchmark, None, "train", seed),
        labelled,
        made_examples(documents, seed),
        window_examples(benchmark, seed),
        more,
    )
    return {
        EXAMPLES: write_examples(out / EXAMPLES, everything),
        DEV: write_examples(out / DEV, from_legalbench_rag(benchmark, None, "dev", seed)),
    }
