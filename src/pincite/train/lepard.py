"""Training examples from LePaRD: the words around a citation are the question, the quoted passage is the answer."""

import csv
from collections.abc import Iterator
from pathlib import Path

from pincite.errors import DataError
from pincite.train.examples import TrainingExample

ASKS, ANSWERS = "destination_context", "quote"


def from_lepard(path: Path, negatives: int = 8) -> Iterator[TrainingExample]:
    """An example for each row of the CSV file. Its negatives are the quotes of earlier rows."""
    try:
        with path.open(encoding="utf-8", newline="") as held:
            rows = csv.DictReader(held)
            missing = {ASKS, ANSWERS} - set(rows.fieldnames or ())
            if missing:
                raise DataError(f"{path}: the column {min(missing)!r} is missing; name a CSV file of LePaRD")
            before: list[str] = []
            for row in rows:
                asks, answers = (row[ASKS] or "").strip(), (row[ANSWERS] or "").strip()
                if not asks or not answers:
                    continue
                wrong = tuple(dict.fromkeys(text for text in before if text != answers))
                if wrong:
                    yield TrainingExample(asks, (answers,), wrong, "lepard", answers[:80])
                before = [*before, answers][-negatives:]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path}: cannot be read ({error})") from None
