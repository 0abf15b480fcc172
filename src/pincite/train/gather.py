"""Gathers the training examples of a data folder in one file, and the held-out ones in another."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from pincite.evaluate.benchmark import read_json
from pincite.evaluate.legalbench_rag import pool_of
from pincite.evaluate.questions import read_questions
from pincite.models import Encoder
from pincite.train.examples import TrainingExample, write_examples
from pincite.train.lepard import from_lepard
from pincite.train.sources import from_contractnli, from_legalbench_rag, read_wordings
from pincite.train.synthetic_examples import made_examples
from pincite.train.training import DEV, EXAMPLES
from pincite.train.windows import window_examples
from pincite.train.written_examples import from_written


def gather(
    data: Path,
    out: Path,
    lepard: Path | None = None,
    seed: int = 1,
    questions: Sequence[Path] = (),
    encoder: Encoder | None = None,
    wordings: Path | None = None,
    dev_questions: Path | None = None,
) -> dict[str, int]:
    """Writes the examples of the train split and of the dev split, and returns how many each has.

    No test document or question is used. Synthetic examples come from train documents only. `questions` are files of
    written questions; the encoder finds their hard negatives. `wordings` is a file with other words for the labelled
    questions. `dev_questions` are written questions for the learning curve, on documents that nobody trains on.
    """
    benchmark, pairs = data / "legalbench-rag", data / "contractnli" / "train_pairs.jsonl"
    train = set(read_json(benchmark / "splits.json")["train"])
    documents = [document for document in pool_of(benchmark, "full", "train").documents if document.id in train]
    more: Iterator[TrainingExample] = from_lepard(lepard) if lepard else iter(())
    worded = read_wordings(wordings) if wordings else {}
    labelled = from_contractnli(pairs, seed, worded) if pairs.is_file() else iter(())
    everything = chain(
        from_legalbench_rag(benchmark, None, "train", seed, worded),
        labelled,
        made_examples(documents, seed),
        window_examples(benchmark, seed),
        *(from_written(data, read_questions(path), encoder, path.parent, seed) for path in questions),
        more,
    )
    judging: Iterable[TrainingExample] = ()
    if dev_questions:
        judging = from_written(data, read_questions(dev_questions), encoder, dev_questions.parent, every=True)
    return {
        EXAMPLES: write_examples(out / EXAMPLES, everything),
        DEV: write_examples(out / DEV, chain(from_legalbench_rag(benchmark, None, "dev", seed), judging)),
    }
