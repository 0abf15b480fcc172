"""Training examples from labelled data: LegalBench-RAG's train documents and ContractNLI's train pairs."""

import json
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np

from pincite.engine.unit_vectors import context_texts
from pincite.errors import DataError
from pincite.evaluate.benchmark import BenchmarkQuestion, read_json
from pincite.evaluate.legalbench_rag import pool_of
from pincite.evaluate.names import split
from pincite.evaluate.wordings import WORDINGS
from pincite.models import Encoder
from pincite.query.normalise import bare_question
from pincite.query.reference import ParsedQuery
from pincite.retrieve import ContextRetriever
from pincite.search.scoring import Scorer, encoder_texts
from pincite.segment import Clauses
from pincite.text import Collection, Document
from pincite.text.english import ENGLISH
from pincite.text.units import LoadedDocument
from pincite.train.examples import TrainingExample, folded
from pincite.train.rewording import reworded

HARD, EASY, SIBLINGS = 16, 6, 2
"""How many negatives an example has: the best-ranked units of its document that are not answers, other units of it, and
the best of another document of the set that does not answer such a question."""

FURTHER = 12
"""Units that nobody judged: those that follow in the ranking."""

OTHER_WORDS = 0.3
"""The share of the benchmark questions that are reworded: the questions of a set are worded alike."""

WRITTEN_WORDS = 0.6
"""The share of the labelled questions that are put in other, written words, where there are some."""

Wordings = Mapping[str, Sequence[str]]
"""Other words for labelled questions."""

NOT_MENTIONED, OF_EACH = 3, 2
"""ContractNLI: how many documents that do not mention a hypothesis give negatives, and how many each gives."""

MOSTLY = 0.5
"""A unit answers if this share of it is gold, or if it holds this share of a gold span."""


class Miner:
    """Finds hard negatives: the units that a retriever would confuse with the answer."""

    def __init__(self, documents: Sequence[Document], encoder: Encoder | None) -> None:
        retriever = ContextRetriever(encoder)
        retriever.index(Collection.build(documents, Clauses()))
        self.encoder, self.view = encoder, retriever.view
        self.scorer = Scorer(self.view, retriever.config)
        self.keys = {document.id: document.key for document in documents}

    def ranked(self, question: str, document: str) -> tuple[LoadedDocument, list[int]]:
        """A document, and the numbers of its units, best first for the question."""
        parsed, key = ParsedQuery(question), self.keys[document]
        vectors = self.encoder.encode_queries(encoder_texts(parsed, self.view.language)) if self.encoder else None
        scored = self.scorer.score(parsed, {key: 1.0}, vectors)
        return self.view.load([key])[0], np.argsort(-scored.scores, kind="stable").tolist()


def from_legalbench_rag(
    data: Path,
    encoder: Encoder | None,
    which: str = "train",
    seed: int = 1,
    wordings: Wordings = MappingProxyType({}),
) -> Iterator[TrainingExample]:
    """An example for each question on the documents of a split, with negatives from the same document and a sibling."""
    pool = pool_of(data, "full", which)
    used = {question.gold[0].document for questions in pool.questions.values() for question in questions}
    miner = Miner([document for document in pool.documents if document.id in used], encoder)
    for name, questions in pool.questions.items():
        yield from _of_set(name, questions, miner, random.Random(f"{seed} {name}"), wordings)


def _of_set(
    name: str, questions: Sequence[BenchmarkQuestion], miner: Miner, chance: random.Random, wordings: Wordings
) -> Iterator[TrainingExample]:
    asked_of: defaultdict[str, set[str]] = defaultdict(set)
    for question in questions:
        asked_of[split(question.query)[1]].add(question.gold[0].document)
    documents = sorted({question.gold[0].document for question in questions})
    for question in questions:
        text = bare_question(split(question.query)[1])
        document = question.gold[0].document
        held, order = miner.ranked(split(question.query)[1], document)
        texts, gold = context_texts(held), gold_units(held, question)
        touched = touched_units(held, question)
        if not gold:
            continue
        wrong = [at for at in order if at not in touched]
        chosen = [*wrong[:HARD], *chance.sample(wrong[HARD:], min(EASY, len(wrong[HARD:])))]
        negatives = [texts[at] for at in chosen]
        elsewhere = [name for name in documents if name not in asked_of[split(question.query)[1]]]
        if elsewhere:
            sibling, best = miner.ranked(split(question.query)[1], chance.choice(elsewhere))
            negatives += [context_texts(sibling)[at] for at in best[:SIBLINGS]]
        put = reworded(text, chance) if chance.random() < OTHER_WORDS else text
        put = _in_written_words(split(question.query)[1], put, wordings, chance)
        further = [texts[at] for at in wrong[HARD : HARD + FURTHER]]
        yield _example(put, [texts[at] for at in gold], negatives, name, split(question.query)[1], further)


def gold_units(held: LoadedDocument, question: BenchmarkQuestion) -> list[int]:
    starts, ends = held.units.starts.astype(np.int64), held.units.ends.astype(np.int64)
    found: set[int] = set()
    for span in question.gold:
        if span.document == held.document.id:
            shared = np.minimum(ends, span.end) - np.maximum(starts, span.start)
            mostly = (shared >= MOSTLY * (ends - starts)) | (shared >= MOSTLY * (span.end - span.start))
            found.update(np.flatnonzero((shared > 0) & mostly).tolist())
    return sorted(found)


def touched_units(held: LoadedDocument, question: BenchmarkQuestion) -> set[int]:
    """The units that hold any gold. They are not used as negatives."""
    found: set[int] = set()
    for span in question.gold:
        if span.document == held.document.id:
            shared = np.minimum(held.units.ends, span.end) - np.maximum(held.units.starts, span.start)
            found.update(np.flatnonzero(shared > 0).tolist())
    return found


def read_wordings(path: Path) -> Wordings:
    """Other wordings of labelled questions, {question: [wording, ...]}; none that is used for testing."""
    found = read_json(path)
    tested = {_bare(wording) for wordings in WORDINGS.values() for wording in wordings}
    try:
        return {question: [one for one in held if _bare(one) not in tested] for question, held in found.items()}
    except (AttributeError, TypeError) as error:
        raise DataError(f'{path}: expected {{"question": ["wording", ...]}} ({error})') from None


def _bare(question: str) -> str:
    return folded(question).rstrip("?. ")


def _in_written_words(question: str, otherwise: str, wordings: Wordings, chance: random.Random) -> str:
    written = wordings.get(question)
    return chance.choice(written) if written and chance.random() < WRITTEN_WORDS else otherwise


def from_contractnli(path: Path, seed: int = 1, wordings: Wordings = MappingProxyType({})) -> Iterator[TrainingExample]:
    """ContractNLI's train pairs: the evidence is the answer. Negatives are other spans of the same document, and of
    documents without evidence for the hypothesis. Each hypothesis is used as it is and reworded."""
    chance = random.Random(f"{seed} contractnli")
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: cannot be read ({error})") from None
    rows = [row for row in rows if row["evidence"]]
    spans: defaultdict[int, dict[str, set[str]]] = defaultdict(dict)
    mentioned: defaultdict[int, set[str]] = defaultdict(set)
    for row in rows:
        mentioned[row["document"]].add(row["hypothesis"])
        for text in (*row["evidence"], *row["other_spans"]):
            spans[row["document"]][text] = set(ENGLISH.stems(text))
    for row in rows:
        elsewhere = [document for document in sorted(spans) if row["hypothesis"] not in mentioned[document]]
        asked = set(ENGLISH.stems(" ".join((row["hypothesis"], *row["evidence"]))))
        negatives = list(row["other_spans"])
        for document in chance.sample(elsewhere, min(NOT_MENTIONED, len(elsewhere))):
            likeness = {text: _alike(asked, words) for text, words in spans[document].items()}
            negatives += sorted(likeness, key=lambda text: (-likeness[text], text))[:OF_EACH]
        question = row["hypothesis"] if chance.random() < OTHER_WORDS else reworded(row["hypothesis"], chance)
        question = _in_written_words(row["hypothesis"], question, wordings, chance)
        yield _example(question, row["evidence"], negatives, "contractnli", row["hypothesis"])


def _alike(asked: set[str], words: set[str]) -> float:
    return float(len(asked & words) / (len(words) + 10) ** 0.5)


def _example(
    question: str,
    positives: Sequence[str],
    negatives: Sequence[str],
    source: str,
    kind: str,
    unlabelled: Sequence[str] = (),
) -> TrainingExample:
    right = set(map(folded, positives))
    wrong = dict.fromkeys(text for text in negatives if folded(text) not in right)
    return TrainingExample(question, tuple(positives), tuple(wrong), source, kind, tuple(dict.fromkeys(unlabelled)))
