"""pincite export: writes results in the formats of other tools."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Write results in the formats of other tools.", no_args_is_help=True)


@app.command("trec")
def trec(
    predictions: Annotated[Path, typer.Argument(help="The predictions (JSON) with their hits.", metavar="PRED")],
    gold: Annotated[Path, typer.Argument(help="The benchmark with the gold answers (JSON).", metavar="GOLD")],
    out: Annotated[Path, typer.Argument(help="The folder for run.txt and qrels.txt.", metavar="OUT_DIR")],
    tag: Annotated[str, typer.Option(help="The name of the run, in its last column.")] = "pincite",
) -> None:
    """Write a TREC run and qrels, which ir_measures and trec_eval read.

    [bold]Example[/bold]

    pincite export trec pred.json samples/benchmarks/contracts.json trec/
    """
    from pincite.evaluate.trec import export_trec

    run, qrels = export_trec(predictions, gold, out, tag)
    typer.echo(f"{run}\n{qrels}")
    typer.echo(f"next: ir_measures {qrels} {run} 'nDCG@10 AP RR Success@10'", err=True)


@app.callback()
def _group() -> None:
    """Write results in the formats of other tools."""
