"""Where choices are made: LegalBench-RAG's dev documents of CUAD and MAUD, ContractNLI's own dev file, and the
written questions on every seventh train document, which no model was trained on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pincite.errors import DataError
from pincite.evaluate.benchmark import BenchmarkQuestion, read_json
from pincite.evaluate.legalbench_rag import pool_of
from pincite.evaluate.questions import question_pool, read_questions
from pincite.measures import Span
from pincite.text import Document, Filter

CONTRACTNLI, WRITTEN, OWN, FOREIGN = "contractnli dev", "written", "own questions", "foreign"
FOREIGN_FILE, ASKED_OF = "foreign.txt", 3
"""Questions that have nothing to do with any document, beside the own ones, and of how many documents each is asked."""


@dataclass(frozen=True, slots=True)
class DevSet:
    """Documents with questions, each with the filter it is asked under. A question without gold is not answered."""

    name: str
    documents: tuple[Document, ...]
    asked: tuple[tuple[BenchmarkQuestion, Filter | None], ...]


def dev_sets(data: Path, own: Path | None = None) -> list[DevSet]:
    """The dev sets of a data folder that holds `legalbench-rag/` and `contractnli/dev.json`, or one of them; `own` is a
    file with more written questions."""
    found = [
        *_of_legalbench_rag(data / "legalbench-rag"),
        *_of_contractnli(data / "contractnli" / "dev.json"),
        *_of_written(data, data / "questions" / "train.jsonl", WRITTEN),
        *(_of_written(data, own, OWN) if own else ()),
    ]
    if own and (foreign := own.parent / FOREIGN_FILE).is_file():
        found += _of_foreign(foreign, [dev for dev in found if dev.name in (WRITTEN, OWN)])
    if not found:
        raise DataError(f"{data}: neither legalbench-rag/ with a dev split nor contractnli/dev.json is there")
    return found


def _of_legalbench_rag(data: Path) -> Iterator[DevSet]:
    if not (data / "splits.json").is_file():
        return
    pool = pool_of(data, "full", "dev")
    for name, questions in pool.questions.items():
        used = {span.document for question in questions for span in question.gold}
        documents = tuple(document for document in pool.documents if document.id in used)
        yield DevSet(name, documents, tuple((question, None) for question in questions))


def _of_contractnli(path: Path) -> Iterator[DevSet]:
    """Every hypothesis is asked of every document, which is given as a filter: the hypotheses name none."""
    if not path.is_file():
        return
    content = read_json(path)
    documents, asked = [], []
    try:
        for number, entry in enumerate(content["documents"]):
            document = Document(f"{number} {entry['file_name']}", entry["text"])
            documents.append(document)
            for label, annotation in entry["annotation_sets"][0]["annotations"].items():
                hypothesis = content["labels"][label]["hypothesis"].rstrip(".")
                spans = tuple(Span(document.id, *entry["spans"][at]) for at in sorted(annotation["spans"]))
                answers = tuple(document.text[span.start : span.end] for span in spans)
                query = f"Does the document state that {hypothesis[0].lower()}{hypothesis[1:]}?"
                asked.append((BenchmarkQuestion(query, spans, answers), Filter(documents=(document.id,))))
    except (KeyError, TypeError, IndexError) as error:
        raise DataError(f"{path}: not in ContractNLI's format ({error!r})") from None
    yield DevSet(CONTRACTNLI, tuple(documents), tuple(asked))


def _of_written(data: Path, path: Path, name: str) -> Iterator[DevSet]:
    """The questions on the documents that are held out of training; each is asked of its document."""
    if not path.is_file():
        return
    kept = [question for question in read_questions(path) if held_out(question.document)]
    if not kept:
        return
    pool = question_pool(data, kept, "given", beside=path.parent)
    (questions,) = pool.questions.values()
    yield DevSet(name, pool.documents, tuple((question, question.where) for question in questions))


def _of_foreign(path: Path, written: Sequence[DevSet]) -> Iterator[DevSet]:
    """Questions of another world, asked of some of the documents that written questions are asked of: none answers."""
    documents = [document for dev in written for document in dev.documents]
    if not documents:
        return
    asked, used = [], {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        for turn in range(ASKED_OF):
            document = documents[(number * ASKED_OF + turn) * 7 % len(documents)]
            used[document.id] = document
            asked.append((BenchmarkQuestion(line, (), ()), Filter(documents=(document.id,))))
    yield DevSet(FOREIGN, tuple(used.values()), tuple(asked))


def held_out(document: str) -> bool:
    """Whether the written questions on a document are for fitting parameters and not for training models."""
    return sha256(document.encode()).digest()[0] % 7 == 0
