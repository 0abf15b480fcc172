"""Checks a file of written questions against its documents: offsets, hashes, gold, duplicates, and the balance."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from pincite.evaluate.questions import WrittenQuestion, read_documents, read_questions
from pincite.text import Document

SHORTEST, LONGEST = 15, 1500
"""Characters of a gold span."""
UNANSWERABLE = "unanswerable"
JUDGING = ("dev", "dev2")
"""Splits of `DATA/questions` that judge: nothing is written on their documents, whatever they are called, nor on
other versions of them."""
SHINGLE, SAMPLED = 12, 8
"""Documents are compared by runs of so many words, of which one in so many is looked at."""
MOST_COMMON = 0.5
"""The share of the shorter document's runs that another one may have, too."""


@dataclass(frozen=True, slots=True)
class QuestionCheck:
    """What is wrong with a file of questions, a line each, and how its questions are spread."""

    questions: int
    documents: int
    styles: Counter[str]
    with_reference: int
    faults: tuple[str, ...]


def check_questions(path: Path, data: Path) -> QuestionCheck:
    """Reads the questions and their documents, which stand below `data` or beside the file."""
    questions = read_questions(path)
    documents = {document.id: document for document in read_documents(data, questions, path.parent)}
    judging = _judging(data)
    alike = {name: _twin(document, judging) for name, document in documents.items()}
    seen: dict[tuple[str, str], int] = {}
    faults = []
    for number, question in enumerate(questions, start=1):
        document = documents.get(question.document_id)
        found = list(_faults(question, document)) if document else [f"{question.document}: cannot be read"]
        if document and (twin := alike[document.id]):
            found.append(f"its document has most of its text in common with {twin}, which judges; write on another one")
        key = question.document, " ".join(question.question.casefold().split())
        if key in seen:
            found.append(f"the same question stands as number {seen[key]}")
        seen.setdefault(key, number)
        faults += [f"question {number} ({question.question[:50]!r}): {fault}" for fault in found]
    return QuestionCheck(
        questions=len(questions),
        documents=len({question.document for question in questions}),
        styles=Counter(question.style for question in questions),
        with_reference=sum(bool(question.reference) for question in questions),
        faults=tuple(faults),
    )


def _judging(data: Path) -> dict[str, frozenset[int]]:
    """The documents that judge, with their shingles."""
    files = [path for split in JUDGING if (path := data / "questions" / f"{split}.jsonl").is_file()]
    return {
        document.id: _shingles(document)
        for path in files
        for document in read_documents(data, read_questions(path), data)
    }


def _twin(document: Document, judging: Mapping[str, frozenset[int]]) -> str:
    """A document that judges and is this one, or another version of it; "" where there is none."""
    own = _shingles(document)
    common = {name: len(own & other) / max(1, min(len(own), len(other))) for name, other in judging.items()}
    nearest = max(common, key=common.__getitem__, default="")
    return nearest if nearest and common[nearest] > MOST_COMMON else ""


def _shingles(document: Document) -> frozenset[int]:
    """A sample of the runs of words of a document."""
    words = [crc32(word.encode()) for word in re.findall(r"\w+", document.text.casefold())]
    runs = (hash(tuple(words[at : at + SHINGLE])) for at in range(max(1, len(words) - SHINGLE + 1)))
    return frozenset(run for run in runs if run % SAMPLED == 0) or frozenset([hash(tuple(words))])


def _faults(question: WrittenQuestion, document: Document) -> Iterator[str]:
    if question.sha256 and question.sha256 != document.sha256:
        yield f"{question.document} has another text than the one it was written on (SHA-256 {document.sha256[:12]}...)"
        return
    if not question.question:
        yield "the question is empty"
    if question.style == UNANSWERABLE and question.gold:
        yield "it is called unanswerable and has gold"
    if question.style != UNANSWERABLE and not question.gold:
        yield "it has no gold; if nothing answers it, its style is 'unanswerable'"
    for at, (start, end) in enumerate(question.gold):
        if not 0 <= start < end <= len(document.text):
            yield f"[{start}, {end}] lies outside {question.document}, which has {len(document.text)} characters"
        elif len(document.text[start:end].strip()) < SHORTEST:
            yield f"[{start}, {end}] covers nothing that could answer: {document.text[start:end]!r}"
        elif end - start > LONGEST:
            yield f"[{start}, {end}] is longer than {LONGEST} characters; give the sentences that answer"
        if any(start < other and begin < end for begin, other in question.gold[:at]):
            yield f"[{start}, {end}] overlaps another of its spans"
