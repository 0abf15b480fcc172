"""Predictions: what a system answered to each question, on disk, and matched to the gold of a benchmark."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.errors import DataError
from pincite.evaluate.benchmark import Benchmark, read_json
from pincite.measures import Example, Span
from pincite.output import write_json
from pincite.text import Hit


@dataclass(frozen=True, slots=True)
class Prediction:
    """The passages given for one question, best first; `hits` and `scores` are None where only texts are known."""

    query: str
    texts: tuple[str, ...]
    hits: tuple[Span, ...] | None = None
    scores: tuple[float, ...] | None = None

    @classmethod
    def of(cls, query: str, hits: Sequence[Hit]) -> "Prediction":
        spans = tuple(Span(hit.passage.document_id, hit.start, hit.end) for hit in hits)
        return cls(query, tuple(hit.text for hit in hits), spans, tuple(hit.score for hit in hits))

    def to_dict(self) -> dict[str, Any]:
        shape: dict[str, Any] = {"query": self.query, "retrieved_passages": list(self.texts)}
        if self.hits is not None:
            scores = self.scores or (0.0,) * len(self.hits)
            shape["hits"] = [{**hit._asdict(), "score": score} for hit, score in zip(self.hits, scores, strict=True)]
        return shape


def write_predictions(path: Path, predictions: Sequence[Prediction]) -> None:
    write_json(path, [prediction.to_dict() for prediction in predictions])


def read_predictions(path: Path) -> list[Prediction]:
    """The predictions in a JSON file, ours or the seeds'."""
    content = read_json(path)
    if not isinstance(content, list):
        raise DataError(f'{path}: no predictions; expected [{{"query": ..., "retrieved_passages": [...]}}, ...]')
    return [_prediction(path, number, entry) for number, entry in enumerate(content)]


def match(benchmark: Benchmark, predictions: Sequence[Prediction]) -> list[Example]:
    """One example for each question of the benchmark, whatever order the predictions come in.

    By position where the queries agree, else by (query, n-th occurrence): some queries occur twice.
    """
    queries = [question.query for question in benchmark.questions]
    if queries != [prediction.query for prediction in predictions]:
        predictions = _by_occurrence(benchmark, predictions)
    return [
        Example(
            question.query,
            question.gold,
            question.answers,
            prediction.texts,
            prediction.hits,
            scores=prediction.scores,
        )
        for question, prediction in zip(benchmark.questions, predictions, strict=True)
    ]


def _by_occurrence(benchmark: Benchmark, predictions: Sequence[Prediction]) -> list[Prediction]:
    waiting: defaultdict[str, list[Prediction]] = defaultdict(list)
    for prediction in reversed(predictions):
        waiting[prediction.query].append(prediction)
    asked = Counter(question.query for question in benchmark.questions)
    given = Counter(prediction.query for prediction in predictions)
    missing, unknown = asked - given, given - asked
    if missing or unknown:
        problems = [
            f"{sum(lot.values())} {words}, the first one {next(iter(lot))[:80]!r}"
            for lot, words in ((missing, "have no prediction"), (unknown, "predictions are for no gold question"))
            if lot
        ]
        raise DataError(
            f"{len(predictions)} predictions for the {len(benchmark.questions)} questions of {benchmark.name}: "
            f"{'; '.join(problems)}. To score the first N questions alone, give --limit N"
        )
    return [waiting[question.query].pop() for question in benchmark.questions]


def _prediction(path: Path, number: int, entry: Any) -> Prediction:
    try:
        texts = tuple(str(text) for text in entry["retrieved_passages"])
        hits = scores = None
        if entry.get("hits") is not None:
            hits = tuple(Span(str(hit["document"]), int(hit["start"]), int(hit["end"])) for hit in entry["hits"])
            scores = tuple(float(hit.get("score", 0.0)) for hit in entry["hits"])
            if len(hits) != len(texts):
                raise DataError(f"{path}, prediction {number}: {len(hits)} hits beside {len(texts)} retrieved_passages")
        return Prediction(str(entry["query"]), texts, hits, scores)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise DataError(
            f'{path}, prediction {number}: expected {{"query", "retrieved_passages": [...], "hits": [{{"document", '
            f'"start", "end", "score"}}]}} (hits may be missing), found {str(entry)[:80]}'
        ) from None
