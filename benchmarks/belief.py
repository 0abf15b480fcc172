"""Does belief mean what it says? Of references believed so much, how many documents are right; a table and a picture.

    python benchmarks/belief.py [SPLIT ...] [--picture docs/belief.svg]

The references of written questions (`$PINCITE_DATA/questions`), put into words as `pincite benchmark questions` does.
"""

import sys
from itertools import pairwise
from pathlib import Path

from pincite import Index
from pincite.evaluate.data import folder_of_data
from pincite.evaluate.questions import question_pool, read_questions
from pincite.output import write_text
from pincite.query.reference import SURE, parse

EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0)
SIDE, MARGIN = 320, 44
COLOURS = ("#1f6feb", "#d1242f", "#2da44e")


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


def picture(tables: dict[str, list[tuple[float, float, int]]]) -> str:
    """The reliability diagram: what is on the diagonal means what it says."""

    def place(x: float, y: float) -> tuple[float, float]:
        return MARGIN + SIDE * x, MARGIN / 2 + SIDE * (1 - y)

    (left, bottom), (right, top) = place(0, 0), place(1, 1)
    middle, centre = (left + right) / 2, (top + bottom) / 2
    box = f"0 0 {SIDE + 2 * MARGIN} {SIDE + 1.6 * MARGIN}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" font-family="sans-serif" font-size="11">',
        f'<rect x="{left}" y="{top}" width="{SIDE}" height="{SIDE}" fill="#fff" stroke="#999"/>',
        f'<line x1="{left}" y1="{bottom}" x2="{right}" y2="{top}" stroke="#bbb" stroke-dasharray="4 4"/>',
        f'<text x="{middle}" y="{bottom + 34}" text-anchor="middle">belief in the first document</text>',
        f'<g transform="rotate(-90 14 {centre})">',
        f'<text x="14" y="{centre}" text-anchor="middle">share that is right</text></g>',
    ]
    for tick in (0, 0.25, 0.5, 0.75, 1):
        x, y = place(tick, tick)
        lines.append(f'<text x="{x}" y="{bottom + 16}" text-anchor="middle">{tick:g}</text>')
        lines.append(f'<text x="{left - 8}" y="{y + 4}" text-anchor="end">{tick:g}</text>')
    for at, (colour, (name, rows)) in enumerate(zip(COLOURS, tables.items(), strict=False)):
        points = " ".join("{:.1f},{:.1f}".format(*place(belief, share)) for belief, share, _ in rows)
        lines.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for belief, share, count in rows:
            x, y = place(belief, share)
            said = f"<title>{name}: {count}</title>"
            lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}">{said}</circle>')
        lines.append(f'<text x="{left + 10}" y="{top + 18 + 16 * at}" fill="{colour}">{name}</text>')
    return "\n".join([*lines, "</svg>", ""])


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
        write_text(target, picture(tables))


if __name__ == "__main__":
    main()
