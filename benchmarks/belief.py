"""Does belief mean what it says? Of references believed so much, how many documents are right; a table and a picture.

    python benchmarks/belief.py [SPLIT ...] [--picture docs/belief.svg]

The references of written questions (`$PINCITE_DATA/questions`), put into words as `pincite benchmark questions` does.
"""

import sys
from itertools import pairwise
from pathlib import Path

from reliability import picture

from pincite import Index
from pincite.evaluate.data import folder_of_data
from pincite.evaluate.questions import question_pool, read_questions
from pincite.output import write_text
from pincite.query.reference import SURE, parse

EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0)


def beliefs(data: Path, split: str) -> list[tuple[float, bool]]:
    """Of each question with a reference: the belief in the first document, and whether it is the right one."""
    questions = [question for question in read_questions(data / "questions" / f"{split}.jsonl") if question.reference]
    index = Index.create(":memory:")
    index.add_documents(question_pool(data, questions, "named").documents, vectors="none")
    found = []
    with index.engine.view() as view:
        for question in questions:
            documents = parse(question.named, view, view.language).documents
            if documents:
                found.append((documents[0].belief, documents[0].id == question.document_id))
    return found


def binned(found: list[tuple[float, bool]]) -> list[tuple[float, float, int]]:
    """For each bin: the mean belief, the share of right documents, and how many there are."""
    rows = []
    for low, high in pairwise(EDGES):
        inside = [(belief, right) for belief, right in found if low < belief <= high]
        if inside:
            count = len(inside)
            rows.append((sum(one for one, _ in inside) / count, sum(right for _, right in inside) / count, count))
    return rows


def main() -> None:
    words = sys.argv[1:]
    target = Path(words.pop(words.index("--picture") + 1)) if "--picture" in words else None
    splits = [word for word in words if not word.startswith("--")] or ["dev", "dev2"]
    tables = {}
    for split in splits:
        found = beliefs(folder_of_data(None), split)
        tables[split] = binned(found)
        sure = [right for belief, right in found if belief >= SURE]
        print(f"{split}: {len(found)} references with a document")
        print(f"  sure (belief of at least {SURE}): {len(sure)}, right {sum(sure) / len(sure):.4f}")
        for belief, share, count in tables[split]:
            print(f"  belief {belief:.3f}  right {share:.3f}  of {count}")
    if target:
        write_text(target, picture(tables, "belief in the first document", "share that is right"))


if __name__ == "__main__":
    main()
