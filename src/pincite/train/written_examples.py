"""Training examples from questions that people wrote on single documents, with exact gold or none."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from pincite.engine.unit_vectors import context_texts
from pincite.evaluate.benchmark import BenchmarkQuestion
from pincite.evaluate.dev_sets import held_out
from pincite.evaluate.questions import WrittenQuestion, question_pool
from pincite.models import Encoder
from pincite.query.normalise import bare_question
from pincite.text.english import ENGLISH
from pincite.train.examples import TrainingExample, folded
from pincite.train.sources import Miner, gold_units, touched_units
from pincite.train.typing_errors import mistyped

SOURCE, UNANSWERED = "written", "unanswered"
HARD, EASY, SIBLINGS = 14, 3, 2
"""Negatives: the best-ranked units of the document that hold no gold, other units of it, and, where the question keeps
its reference, the best units of another document."""
FURTHER, ELSEWHERE = 20, 6
"""Units that nobody judged: those that follow in the ranking, and the best of another document."""
ALIKE = 0.8
"""A unit that shares this much of its words with an answer is no negative: it says the same."""
WITH_REFERENCE, LOWER_CASE, MISTYPED = 0.12, 0.1, 0.1
"""Shares of the questions that keep their reference, are put in lower case, and have a typing error."""


def from_written(
    data: Path,
    questions: Sequence[WrittenQuestion],
    encoder: Encoder | None,
    beside: Path | None = None,
    seed: int = 1,
    *,
    every: bool = False,
) -> Iterator[TrainingExample]:
    """An example for each question on a document that is not held out for fitting, or for every question."""
    kept = [one for one in questions if every or not held_out(one.document)]
    if not kept:
        return
    pool = question_pool(data, kept, "given", beside=beside)
    (asked,) = pool.questions.values()
    documents = [document.id for document in pool.documents]
    miner = Miner(pool.documents, encoder)
    chance = random.Random(f"{seed} written")
    for written, question in zip(kept, asked, strict=True):
        if example := _example(written, question, miner, documents, chance):
            yield example


def _example(
    written: WrittenQuestion,
    question: BenchmarkQuestion,
    miner: Miner,
    documents: Sequence[str],
    chance: random.Random,
) -> TrainingExample | None:
    """The example; None where the gold lies in no unit. A question that keeps its reference is not answered by another
    document; without it, another document may well answer."""
    loaded, order = miner.ranked(written.question, written.document_id)
    texts, gold = context_texts(loaded), gold_units(loaded, question)
    if written.gold and not gold:
        return None
    touched = touched_units(loaded, question)
    wrong = [at for at in order if at not in touched]
    chosen = [*wrong[:HARD], *chance.sample(wrong[HARD:], min(EASY, len(wrong[HARD:])))]
    negatives = [texts[at] for at in chosen]
    unjudged = [texts[at] for at in wrong[HARD : HARD + FURTHER]]
    others = [document for document in documents if document != written.document_id]
    keep = bool(written.reference) and chance.random() < WITH_REFERENCE
    if others:
        sibling, best = miner.ranked(written.question, chance.choice(others))
        elsewhere = [context_texts(sibling)[at] for at in best[:ELSEWHERE]]
        negatives += elsewhere[:SIBLINGS] if keep else []
        unjudged += elsewhere[SIBLINGS:] if keep else elsewhere
    positives = [texts[at] for at in gold]
    kind = f"{written.document}: {written.question}"
    return TrainingExample(
        _put(written.named if keep else written.question, chance),
        tuple(positives),
        tuple(dict.fromkeys(_without_likes(negatives, positives))),
        SOURCE if positives else UNANSWERED,
        kind,
        tuple(dict.fromkeys(unjudged)),
    )


def _put(question: str, chance: random.Random) -> str:
    """The question as models read it, sometimes in lower case or with a typing error."""
    text = bare_question(question)
    if chance.random() < LOWER_CASE:
        text = text.lower()
    return mistyped(text, chance) if chance.random() < MISTYPED else text


def _without_likes(negatives: Sequence[str], positives: Sequence[str]) -> Iterator[str]:
    """The negatives that do not say nearly the same as an answer."""
    right, same = [set(ENGLISH.stems(text)) for text in positives], set(map(folded, positives))
    for text in negatives:
        words = set(ENGLISH.stems(text))
        alike = (len(words & answer) >= ALIKE * max(1, min(len(words), len(answer))) for answer in right)
        if folded(text) not in same and not any(alike):
            yield text
