"""A trial as a new user would make it: questions as they are typed, over real files, and is the first answer right?"""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from pincite.documents import read_folder
from pincite.engine import MemoryEngine
from pincite.errors import DataError
from pincite.evaluate.legalbench_rag import BenchmarkModels
from pincite.evaluate.profiles import HALVES
from pincite.index import Index
from pincite.measures import Span
from pincite.measures.example import shared
from pincite.models import CachedEncoder, Encoder, Progress
from pincite.search import Answer, SearchRequest
from pincite.text import Document, Hit

LEAST = 40
"""Characters of a place that a hit must hold, if it does not hold half of it."""
FOLDERS = ("real", "samples/corpus")
"""Where the documents lie: below the data folder, and below the project."""


@dataclass(frozen=True, slots=True)
class TrialQuestion:
    """A question as it is typed, of some kind, and every place that counts as right."""

    kind: str
    question: str
    gold: tuple[Span, ...]
    hashes: tuple[str, ...]
    """SHA-256 of the text of the document of each place."""

    @property
    def half(self) -> str:
        """`report` for the half that is only used to report, by the hash of the question."""
        return HALVES[1 - int(sha256(self.question.encode()).hexdigest(), 16) % 2]

    def is_right(self, hit: Hit) -> bool:
        """Whether a hit, lead-ins included, holds half of a place, or lies by half in one and holds some of it."""
        spans = [Span(hit.document_id, span.start, span.end) for span in hit.spans]
        for place in self.gold:
            common = shared(spans, [place])
            inside = shared(spans[:1] if len(spans) == 1 else [Span(hit.document_id, hit.start, hit.end)], [place])
            if 2 * common >= place.length or (2 * inside >= hit.end - hit.start and inside >= LEAST):
                return True
        return False


def read_trial(path: Path, half: str) -> list[TrialQuestion]:
    """The questions of one half, or of all."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        rows = [_row(json.loads(line)) for line in lines if line.strip()]
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror}); --questions names the file") from None
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"{path}: not a file of trial questions ({error!r})") from None
    return [row for row in rows if half in ("all", row.half)]


def _row(given: dict[str, Any]) -> TrialQuestion:
    gold = tuple(Span(str(place["document"]), int(place["start"]), int(place["end"])) for place in given["gold"])
    return TrialQuestion(given["kind"], given["question"], gold, tuple(place["sha256"] for place in given["gold"]))


def trial_documents(data: Path, project: Path) -> list[Document]:
    """The files of the trial, as they are read."""
    found: list[Document] = []
    for root, folder in zip((data, project), FOLDERS, strict=True):
        found += read_folder(root / folder, prefix=f"{folder}/", unreadable="skip").documents
    return found


def checkable(
    questions: Sequence[TrialQuestion], documents: Sequence[Document]
) -> tuple[list[TrialQuestion], list[str]]:
    """The questions whose documents read as when their places were written down, and why the others are left out: a
    scan reads otherwise with another version of the program that recognises its letters, and not at all without it."""
    hashes = {document.id: document.sha256 for document in documents}
    kept, left_out = [], []
    for row in questions:
        for place, expected in zip(row.gold, row.hashes, strict=True):
            if hashes.get(place.document) != expected:
                said = "is missing" if place.document not in hashes else "reads otherwise than before"
                left_out.append(f"{row.question[:60]!r}: {place.document} {said}, so its places cannot be checked")
                break
        else:
            kept.append(row)
    if not kept:
        raise DataError(left_out[0] if left_out else "no questions to try: --questions and --half name them")
    return kept, left_out


def trial_answers(
    questions: Sequence[TrialQuestion],
    documents: Sequence[Document],
    encoder: Encoder | None,
    progress: Progress | None = None,
    *,
    fast: bool = False,
) -> list[Answer]:
    """The answers of the default method, as a user gets them: quotation marks and dashes are operators."""
    index = Index(MemoryEngine(), BenchmarkModels(CachedEncoder(encoder) if encoder else None))
    stages = None if progress is None else lambda _, done, total: progress(done, total)
    index.add_documents(documents, vectors="now" if encoder else "none", progress=stages)
    return index.answer([SearchRequest(row.question, fast=fast) for row in questions])


def trial_figures(questions: Sequence[TrialQuestion], answers: Sequence[Answer]) -> dict[str, dict[str, float]]:
    """For all questions and for each kind: how many there are, and the shares whose first hit, and one of whose first
    five hits, is right."""
    kinds: defaultdict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for row, answer in zip(questions, answers, strict=True):
        right = [row.is_right(hit) for hit in answer.hits[:5]]
        for name in ("all", row.kind):
            kinds[name].append((any(right[:1]), any(right)))
    return {
        name: {
            "questions": len(found),
            "first": sum(first for first, _ in found) / len(found),
            "five": sum(five for _, five in found) / len(found),
        }
        for name, found in kinds.items()
    }
