"""Questions as people ask them: written ones with the places that answer them, by document, style and reference.

A line of `SPLIT.jsonl` is a question: `{"document", "style", "question", "reference", "gold": [[start, end], ...]}`.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from pincite.documents import read_folder
from pincite.documents.workers import read_files
from pincite.errors import DataError, one_of
from pincite.evaluate.benchmark import BenchmarkQuestion
from pincite.evaluate.legalbench_rag import BenchmarkRun, Pool
from pincite.evaluate.likelihoods import likelihood_figures
from pincite.measures import Span, means
from pincite.text import Document, Filter

FORMS = ("named", "given", "bare")
"""named: the question says which document it means; given: a filter does; bare: nothing does."""
CORPORA = ("legalbench-rag/corpus/", "questions/corpus/")
"""Folders whose documents are all searched where the document is not given. A document's id is its path below them."""
SENTENCES = (
    "{reference}: {question}",
    "In {reference}, {question}",
    "{question} I mean {reference}.",
    "{question} ({reference})",
    "Under {reference}: {question}",
    "[{reference}] {question}",
    "re {reference}: {question}",
    "{open} under {reference}?",
    "{open} in {reference}?",
    "Looking at {reference} - {question}",
    "{open}, according to {reference}?",
    "For {reference}, {question}",
)
"""How a reference is put into words beside a question."""
KEYWORDS = ("{reference} {open}", "{open} {reference}", "{reference}: {open}", "{open}, {reference}")
"""The same beside keywords."""


@dataclass(frozen=True, slots=True)
class WrittenQuestion:
    """A question about one document, and where its answers stand; none where the document does not answer it."""

    document: str
    """The path of its document below the data folder."""
    style: str
    question: str
    reference: str
    """How the asker calls the document; "" where they do not."""
    gold: tuple[tuple[int, int], ...]
    sha256: str = ""
    """The hash of the document's text, where it is known."""

    @property
    def document_id(self) -> str:
        return document_id(self.document)

    @property
    def named(self) -> str:
        """The question with its reference put into words, always in the same one of several forms.

        >>> WrittenQuestion("a.txt", "plain", "May copies be kept?", "the Acme NDA", ()).named
        'May copies be kept under the Acme NDA?'
        """
        forms = KEYWORDS if self.style == "keywords" else SENTENCES
        form = forms[int(sha256(f"{self.document}\0{self.question}".encode()).hexdigest(), 16) % len(forms)]
        asked = self.question
        if not form.startswith("{question}") and asked[1:2].islower() and "] {" not in form:
            asked = asked[0].lower() + asked[1:]
        return form.format(reference=self.reference, question=asked, open=self.question.rstrip(" ?."))


def document_id(path: str) -> str:
    """The id of a document in a benchmark by its path below the data folder."""
    return next((path.removeprefix(corpus) for corpus in CORPORA if path.startswith(corpus)), path)


def read_questions(path: Path) -> list[WrittenQuestion]:
    """The questions of a file, in its order."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror}); a split is a file SPLIT.jsonl") from None
    found = [_question(path, number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    if not found:
        raise DataError(f"{path}: no questions in it")
    return found


def _question(path: Path, number: int, line: str) -> WrittenQuestion:
    try:
        given: dict[str, Any] = json.loads(line)
        gold = tuple((int(start), int(end)) for start, end in given["gold"])
        style, question, reference = (" ".join(str(given[name]).split()) for name in ("style", "question", "reference"))
        return WrittenQuestion(str(given["document"]), style, question, reference, gold, str(given.get("sha256", "")))
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(
            f'{path}, line {number}: expected {{"document", "style", "question", "reference", "gold": [[start, end]]}} '
            f"({error!r})"
        ) from None


def question_pool(
    root: Path, questions: Sequence[WrittenQuestion], form: str, limit: int | None = None, beside: Path | None = None
) -> Pool:
    """The documents below `root` that are searched, and the questions as they are put. Documents that are not below
    `root` are looked up below `beside`.

    Where the document is given, nothing else is searched; otherwise everything in `CORPORA` is, too.
    """
    if form not in FORMS:
        raise one_of("form", form, FORMS)
    kept = [question for question in questions if form != "named" or question.reference][:limit]
    if not kept:
        raise DataError("no question has a reference; use --form given or --form bare")
    documents = {document.id: document for document in read_documents(root, kept, beside, everything=form != "given")}
    for question in kept:
        _check(question, documents.get(question.document_id))
    put = tuple(_put(question, documents[question.document_id], form) for question in kept)
    return Pool(tuple(documents.values()), {"questions": put})


def read_documents(
    root: Path, questions: Iterable[WrittenQuestion], beside: Path | None = None, *, everything: bool = False
) -> Iterator[Document]:
    """The documents of the questions, below `root` or else below `beside`; `everything`: all of `CORPORA`, too."""
    corpora = [corpus for corpus in CORPORA if everything and (root / corpus).is_dir()]
    for corpus in corpora:
        yield from read_folder(root / corpus, unreadable="skip").documents
    named = dict.fromkeys(question.document for question in questions)
    files = [(_file(root, beside, path), document_id(path)) for path in named if not path.startswith(tuple(corpora))]
    for path, _ in files:
        if not path.is_file():
            raise DataError(f"{path}: no such document; --data is the folder whose parent holds the documents")
    yield from chain.from_iterable(reading.documents for reading in read_files(files))


def _file(root: Path, beside: Path | None, path: str) -> Path:
    return beside / path if beside is not None and not (root / path).is_file() else root / path


def _check(question: WrittenQuestion, document: Document | None) -> None:
    if document is None:
        raise DataError(f"{question.document}: the document cannot be read")
    if question.sha256 and question.sha256 != document.sha256:
        raise DataError(
            f"{question.question[:60]!r}: {question.document} is not the document it was written on (SHA-256 "
            f"{document.sha256[:12]}..., expected {question.sha256[:12]}...)"
        )
    for start, end in question.gold:
        if not 0 <= start < end <= len(document.text):
            raise DataError(
                f"{question.question[:60]!r}: [{start}, {end}] lies outside {question.document}, "
                f"which has {len(document.text)} characters"
            )


def _put(question: WrittenQuestion, document: Document, form: str) -> BenchmarkQuestion:
    query = question.named if form == "named" else question.question
    where = Filter(documents=(document.id,)) if form == "given" else None
    gold = tuple(Span(document.id, start, end) for start, end in question.gold)
    answers = tuple(document.text[start:end] for start, end in question.gold)
    return BenchmarkQuestion(query, gold, answers, where, question.style)


def style_figures(run: BenchmarkRun) -> dict[str, dict[str, float]]:
    """The figures of each style of question."""
    (result,) = run.sets.values()
    table = {}
    for style in sorted(set(result.styles)):
        places = [at for at, found in enumerate(result.styles) if found == style]
        figures = {name: [values[at] for at in places] for name, values in result.figures.items()}
        table[style] = {"queries": float(len(places)), **means(figures)}
    return table


def question_likelihoods(run: BenchmarkRun) -> dict[str, float]:
    """How well likelihoods tell questions with an answer from those without (`likelihoods`)."""
    (result,) = run.sets.values()
    if not result.likelihoods:
        return {}
    labels, likely = np.array(result.likelihoods, dtype=np.float64).T
    return likelihood_figures(likely, labels)
