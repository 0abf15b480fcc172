"""A benchmark in LegalBench-RAG's format: questions with the spans that answer them, checked against the texts."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.documents import FolderContents, read_folder
from pincite.errors import DataError
from pincite.measures import Span
from pincite.text import Document, Filter


@dataclass(frozen=True, slots=True)
class BenchmarkQuestion:
    """A question, where its answers stand, and what they say."""

    query: str
    gold: tuple[Span, ...]
    answers: tuple[str, ...]
    where: Filter | None = None
    """The documents it is asked of, where they are given."""
    style: str = ""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """The questions of one file, in its order."""

    name: str
    questions: tuple[BenchmarkQuestion, ...]

    @property
    def document_ids(self) -> frozenset[str]:
        return frozenset(span.document for question in self.questions for span in question.gold)

    def first(self, limit: int | None) -> "Benchmark":
        """The first `limit` questions; all of them for None."""
        return Benchmark(self.name, self.questions[:limit])

    def check(self, documents: Iterable[Document]) -> None:
        """Raises where a document is missing or a span does not hold its answer."""
        texts = {document.id: document.text for document in documents}
        missing = sorted(self.document_ids - texts.keys())
        if missing:
            raise DataError(
                f"benchmark {self.name}: {len(missing)} of its {len(self.document_ids)} documents are not in the "
                f"corpus, the first one {missing[0]!r}; is the corpus the folder that its paths start from?"
            )
        for number, question in enumerate(self.questions):
            for span, answer in zip(question.gold, question.answers, strict=True):
                found = texts[span.document][span.start : span.end]
                if found != answer:
                    raise DataError(
                        f"benchmark {self.name}, test {number} ({question.query[:60]!r}): span "
                        f"[{span.start}, {span.end}] of {span.document} holds {found[:60]!r}, expected {answer[:60]!r}"
                    )


def read_benchmark(path: Path) -> Benchmark:
    """The benchmark in a JSON file: `{"tests": [{"query", "snippets": [{"file_path", "span", "answer"}]}]}`."""
    content = read_json(path)
    tests = content.get("tests") if isinstance(content, dict) else None
    if not isinstance(tests, list) or not tests:
        raise DataError(f'{path}: no benchmark; expected {{"tests": [{{"query": ..., "snippets": [...]}}, ...]}}')
    return Benchmark(path.stem, tuple(_question(path, number, test) for number, test in enumerate(tests)))


def read_corpus(root: Path, benchmark: Benchmark, unreadable: str = "refuse") -> FolderContents:
    """The documents that a benchmark is searched in.

    Its paths start below `root` ("contractnli/x.txt" in corpus/) or name `root` itself ("contractnli/x.txt" in
    corpus/contractnli/). The pool is every text file of the folders that the benchmark names.
    """
    if not root.is_dir():
        raise DataError(f"{root}: no such folder; name the folder with the benchmark's documents")
    folders = sorted({document_id.split("/", 1)[0] for document_id in benchmark.document_ids if "/" in document_id})
    inside = [folder for folder in folders if (root / folder).is_dir()]
    if inside:
        readings = [read_folder(root / folder, prefix=f"{folder}/", unreadable=unreadable) for folder in inside]
        documents = tuple(document for reading in readings for document in reading.documents)
        reading = FolderContents(documents, tuple(line for reading in readings for line in reading.skipped))
    else:
        prefix = f"{root.resolve().name}/" if folders == [root.resolve().name] else ""
        reading = read_folder(root, prefix=prefix, unreadable=unreadable)
    benchmark.check(reading.documents)
    return reading


def read_json(path: Path) -> Any:
    """What a JSON file holds, or an error that names it."""
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise DataError(f"{path}: no such file") from None
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise DataError(f"{path}: not JSON ({error})") from None


def _question(path: Path, number: int, test: Any) -> BenchmarkQuestion:
    try:
        snippets = test["snippets"]
        gold = tuple(Span(str(s["file_path"]), int(s["span"][0]), int(s["span"][1])) for s in snippets)
        return BenchmarkQuestion(str(test["query"]), gold, tuple(str(snippet["answer"]) for snippet in snippets))
    except (KeyError, TypeError, IndexError, ValueError):
        raise DataError(
            f'{path}, test {number}: expected {{"query", "snippets": [{{"file_path", "span": [a, b], "answer"}}]}}, '
            f"found {str(test)[:80]}"
        ) from None
