"""Training examples on the passages of the seeds: a question that names its document, and the window that answers.

Elsewhere the name of the document is removed from a question before the encoder reads it. The systems of the seeds keep
it, so an encoder for them must learn to use names.
"""

import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from pincite.evaluate.benchmark import BenchmarkQuestion
from pincite.evaluate.legalbench_rag import pool_of
from pincite.evaluate.names import split
from pincite.segment import WordWindows
from pincite.text import Passage
from pincite.train.examples import TrainingExample
from pincite.train.training import WINDOWS


def window_examples(data: Path, seed: int = 1) -> Iterator[TrainingExample]:
    """An example for each question of the train split. The positive is the window with the most gold. Negatives are
    another window of the document, and the window that answers the same question in another document."""
    pool = pool_of(data, "full", "train")
    texts = {document.id: document.text for document in pool.documents}
    documents = {document.id: document for document in pool.documents}
    cut: dict[str, list[Passage]] = {}
    for name, questions in pool.questions.items():
        chance = random.Random(f"{seed} windows {name}")
        best: dict[BenchmarkQuestion, str] = {}
        other: dict[BenchmarkQuestion, str] = {}
        alike: defaultdict[str, list[BenchmarkQuestion]] = defaultdict(list)
        for question in questions:
            document = question.gold[0].document
            windows = cut.setdefault(document, list(WordWindows()(documents[document])))
            held = [_held(window, question) for window in windows]
            empty = [at for at, share in enumerate(held) if not share]
            if not max(held) or not empty:
                continue
            answering, silent = windows[held.index(max(held))], windows[chance.choice(empty)]
            best[question] = texts[document][answering.start : answering.end]
            other[question] = texts[document][silent.start : silent.end]
            alike[split(question.query)[1]].append(question)
        for question, window in best.items():
            siblings = [
                best[one]
                for one in alike[split(question.query)[1]]
                if one.gold[0].document != question.gold[0].document
            ]
            wrong = [other[question], *([chance.choice(siblings)] if siblings else [])]
            yield TrainingExample(
                question.query, (window,), tuple(t for t in wrong if t != window), WINDOWS, question.query
            )


def _held(window: Passage, question: BenchmarkQuestion) -> int:
    """How many characters of a window are gold."""
    return sum(max(0, min(window.end, span.end) - max(window.start, span.start)) for span in question.gold)
