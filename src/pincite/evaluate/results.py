"""Several runs as one result: the JSON of a benchmark, and which differences are more than chance."""

from collections.abc import Sequence
from typing import Any

from pincite.evaluate.legalbench_rag import BenchmarkRun
from pincite.measures.significance import Comparison, bootstrap, compare


def comparisons(runs: Sequence[BenchmarkRun], measures: Sequence[str]) -> list[Comparison]:
    """The last method against each other one, over the questions of all sets together."""
    return compare({run.method: pooled(run, measures) for run in runs}, measures)


def pooled(run: BenchmarkRun, measures: Sequence[str]) -> dict[str, list[float]]:
    """Each measure's value for every question of every set."""
    return {
        measure: [value for result in run.sets.values() for value in result.figures[measure]] for measure in measures
    }


def as_json(runs: Sequence[BenchmarkRun], which: str, split: str, found: Sequence[Comparison]) -> dict[str, Any]:
    """The shape that docs/contracts.md fixes, with intervals for the main figures."""
    return {
        "runs": [
            {
                "method": run.method,
                "set": which,
                "split": split,
                "names": run.names,
                "models": run.models,
                "seconds": round(run.seconds, 3),
                "queries_per_second": round(run.queries_per_second, 2),
                "sets": run.means(),
                "intervals": {
                    name: {measure: bootstrap(result.figures[measure]) for measure in ("found@10", "precision@1")}
                    for name, result in run.sets.items()
                },
            }
            for run in runs
        ],
        "significance": [comparison.to_dict() for comparison in found],
    }
