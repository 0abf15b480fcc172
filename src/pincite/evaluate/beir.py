"""Benchmarks in BEIR's layout: `corpus.jsonl`, `queries.jsonl` and `qrels/SPLIT.tsv`, judged by whole documents."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from pincite.errors import DataError, OutputError
from pincite.evaluate.legalbench_rag import Pool, searched_pool
from pincite.measures.textbook import falling, library, trec_name
from pincite.models import CachedEncoder, Encoder, Progress
from pincite.output import write_text
from pincite.pipeline import Method
from pincite.search import Answer
from pincite.text import Document

HITS, DOCUMENTS = 300, 100
"""Hits that are asked for, and how many documents at most are made of them."""


@dataclass(frozen=True, slots=True)
class Beir:
    """Documents, the questions that have judgments, and how relevant each judged document is."""

    documents: tuple[Document, ...]
    queries: dict[str, str]
    qrels: dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class BeirRun:
    """What one method retrieved, and ir-measures' figures for it."""

    method: str
    models: dict[str, str]
    seconds: float
    run: dict[str, dict[str, float]]
    figures: dict[str, float]


def read_beir(folder: Path, split: str = "test", limit: int | None = None) -> Beir:
    """The benchmark in a folder. Questions without judgments in the split are left out, as BEIR does."""
    for name in ("corpus.jsonl", "queries.jsonl"):
        if not (folder / name).is_file():
            raise DataError(f"{folder}: lacks {name}; BEIR's layout is corpus.jsonl, queries.jsonl, qrels/SPLIT.tsv")
    path = folder / "qrels" / f"{split}.tsv"
    if not path.is_file():
        splits = sorted(found.stem for found in (folder / "qrels").glob("*.tsv"))
        there = f"the splits there are: {', '.join(splits)}" if splits else "there is no qrels/*.tsv at all"
        raise DataError(f"{folder}: lacks qrels/{split}.tsv; {there}")
    documents = tuple(
        Document(row["_id"], _joined(row["title"], row["text"]), row["title"] or row["_id"])
        for row in _rows(folder / "corpus.jsonl")
    )
    if not documents:
        raise DataError(f"{folder / 'corpus.jsonl'}: no documents in it")
    qrels = _judgments(path)
    asked = {row["_id"]: row["text"] for row in _rows(folder / "queries.jsonl") if row["_id"] in qrels}
    unknown = sorted(qrels.keys() - asked.keys())
    if unknown:
        raise DataError(f"{path}: judges the question {unknown[0]!r}, which queries.jsonl does not have")
    kept = dict(list(asked.items())[:limit])
    return Beir(documents, kept, {query: qrels[query] for query in kept})


def run_beir(method: Method, data: Beir, encoder: Encoder | None, progress: Progress | None = None) -> BeirRun:
    """Indexes the documents, asks every question, ranks documents by their best hit and measures that."""
    searched = searched_pool(method, Pool(data.documents, {}), CachedEncoder(encoder) if encoder else None, progress)
    started = perf_counter()
    answers = searched.search(list(data.queries.values()), [None] * len(data.queries), HITS)
    seconds = perf_counter() - started
    run = {query: _documents(answer) for query, answer in zip(data.queries, answers, strict=True)}
    figures = {str(name): float(value) for name, value in library().calc_aggregate(measures(), data.qrels, run).items()}
    return BeirRun(method.label, searched.models, seconds, run, {str(name): figures[str(name)] for name in measures()})


def measures() -> list[Any]:
    """BEIR's own figures, in ir-measures' words."""
    ir = library()
    return [ir.nDCG @ 10, ir.R @ 100, ir.AP @ 100, ir.RR @ 10, ir.P @ 10, ir.Success @ 10]


def write_runs(folder: Path, data: Beir, runs: Sequence[BeirRun]) -> None:
    """`qrels.txt` and a TREC run for each method, from which other tools compute the same figures. Blanks in ids are
    written as %20."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be made ({error.strerror})") from None
    judged = ((query, name, gain) for query, row in data.qrels.items() for name, gain in row.items())
    write_text(
        folder / "qrels.txt",
        "".join(f"{trec_name(query)} 0 {trec_name(name)} {gain}\n" for query, name, gain in judged),
    )
    for run in runs:
        tag = "".join(c if c.isalnum() or c in "+-._" else "_" for c in run.method)
        lines = (
            f"{trec_name(query)} Q0 {trec_name(name)} {rank} {score:.9g} {tag}\n"
            for query, row in run.run.items()
            for rank, (name, score) in enumerate(row.items(), start=1)
        )
        write_text(folder / f"{tag}.txt", "".join(lines))


def _documents(answer: Answer) -> dict[str, float]:
    """The documents of the hits, each at its first hit, with that hit's score."""
    best: dict[str, float] = {}
    for hit in answer.hits:
        best.setdefault(hit.document_id, hit.score)
    names = list(best)[:DOCUMENTS]
    return dict(zip(names, falling([best[name] for name in names]), strict=True))


def _joined(title: str, text: str) -> str:
    return f"{title}\n\n{text}" if title and text else title or text


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
                yield {"_id": str(row["_id"]), "title": str(row.get("title") or ""), "text": str(row["text"])}
            except (ValueError, KeyError, TypeError, AttributeError):
                raise DataError(
                    f'{path}, line {number}: expected {{"_id", "text"}} and perhaps "title", found {line[:80]!r}'
                ) from None


def _judgments(path: Path) -> dict[str, dict[str, int]]:
    """The judgments of a split; its first line may be the header `query-id corpus-id score`."""
    qrels: dict[str, dict[str, int]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        cells = line.split("\t")
        if not line.strip() or (number == 1 and cells[-1].strip() == "score"):
            continue
        try:
            query, document, gain = cells
            qrels.setdefault(query, {})[document] = int(gain)
        except ValueError:
            raise DataError(
                f"{path}, line {number}: expected query-id, corpus-id and score between tabs, found {line[:80]!r}"
            ) from None
    if not qrels:
        raise DataError(f"{path}: no judgments in it")
    return qrels
