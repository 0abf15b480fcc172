"""Training examples: a question, passages that answer it, and passages that do not. They are stored as compressed JSON
Lines."""

import gzip
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from pincite.errors import DataError, OutputError


@dataclass(frozen=True, slots=True)
class TrainingExample:
    """`kind` names what is asked. Examples of one kind are never negatives of each other. Without positives, nothing
    answers the question. `unlabelled` are passages that nobody judged: a teacher scores them for a student."""

    question: str
    positives: tuple[str, ...]
    negatives: tuple[str, ...]
    source: str
    kind: str = ""
    unlabelled: tuple[str, ...] = ()

    def check(self, where: str) -> None:
        """An error if the example has no question or no passage, or if a passage is both positive and negative."""
        if not self.question.strip():
            raise DataError(f"{where}: the question is empty")
        if not any(text.strip() for text in self.positives) and (self.positives or not self.negatives):
            raise DataError(f"{where} ({self.question[:60]!r}): no passage answers it")
        both = {folded(text) for text in self.positives} & {folded(text) for text in self.negatives}
        if both:
            raise DataError(f"{where} ({self.question[:60]!r}): {min(both)[:60]!r} is both an answer and not an answer")


def write_examples(path: Path, examples: Iterable[TrainingExample]) -> int:
    """Checks and writes the examples, and returns how many there are."""
    count = 0
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with gzip.GzipFile(path, "wb", mtime=0) as out:
            for count, example in enumerate(examples, start=1):
                example.check(f"example {count}")
                out.write((json.dumps(asdict(example), ensure_ascii=False) + "\n").encode())
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from None
    return count


def read_examples(path: Path) -> list[TrainingExample]:
    """Reads and checks the examples of a file."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as held:
            rows = [json.loads(line) for line in held]
        examples = [
            TrainingExample(
                row["question"],
                tuple(row["positives"]),
                tuple(row["negatives"]),
                row["source"],
                row.get("kind", ""),
                tuple(row.get("unlabelled", ())),
            )
            for row in rows
        ]
    except (OSError, ValueError, KeyError, TypeError, EOFError) as error:
        raise DataError(f"{path}: not a file of training examples ({error})") from None
    for number, example in enumerate(examples, start=1):
        example.check(f"{path}, example {number}")
    if not examples:
        raise DataError(f"{path}: has no examples; 'pincite train examples' writes them")
    return examples


def file_hash(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def folded(text: str) -> str:
    """The text in lower case with single blanks, for comparing."""
    return " ".join(text.split()).casefold()
