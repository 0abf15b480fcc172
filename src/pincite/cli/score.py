"""pincite score: scores predictions against gold, and prints the figures as score.py of the seeds does."""

from pathlib import Path
from typing import Annotated

import typer

from pincite.cli import options as o


def score(
    predictions: Annotated[
        Path, typer.Argument(help="The predictions (JSON), of Pincite or of the seeds.", metavar="PRED")
    ],
    gold: Annotated[Path, typer.Argument(help="The benchmark with the gold answers (JSON).", metavar="GOLD")],
    k: o.K = 10,
    output: Annotated[Path | None, typer.Option(help="Also write the figures to this file (JSON).")] = None,
    standard: Annotated[bool, typer.Option("--standard", help="Add all other measures of docs/measures.md.")] = False,
    limit: o.Limit = None,
) -> None:
    """Score predictions: exact match, span F1, recall@k, nDCG@k; with --standard all measures.

    [bold]Example[/bold]

    pincite score pred.json samples/benchmarks/contracts.json --standard
    """
    from pincite.evaluate.score import as_printed
    from pincite.evaluate.score import score as score_predictions
    from pincite.output import check_writable, write_json

    if output:
        check_writable(output)
    figures = score_predictions(predictions, gold, k=k, standard=standard, limit=limit)
    typer.echo(as_printed(figures))
    if output:
        write_json(output, figures)
