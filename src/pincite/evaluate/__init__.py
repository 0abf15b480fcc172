"""Evaluation: benchmarks, predictions, scores and the reproduction of the seeds' tables."""

from pincite.evaluate.benchmark import Benchmark, BenchmarkQuestion, read_benchmark, read_corpus
from pincite.evaluate.predictions import Prediction, match, read_predictions, write_predictions

__all__ = [
    "Benchmark",
    "BenchmarkQuestion",
    "Prediction",
    "match",
    "read_benchmark",
    "read_corpus",
    "read_predictions",
    "write_predictions",
]
