"""Training examples on the seeds' passages: a question that names its document, and the window of it that answers.

Elsewhere names are taken out of the question before an encoder reads it. The seeds' systems do not do that, so an
encoder that is to be used in them must know what a name is worth.
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
    """One for each question of the train split: the window that holds most of the gold; against it another window of
    the same document, and the one that answers the same question in a sibling document."""
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
    """How many characters of gold a window holds."""
    return sum(max(0, min(window.end, span.end) - max(window.start, span.start)) for span in question.gold)
