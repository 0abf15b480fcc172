"""pincite models: encoders, exported and inspected."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Encoders: turn a model into one that runs without torch.", no_args_is_help=True)


@app.command("export")
def export(
    model: Annotated[str, typer.Argument(help="A Hugging Face name or folder.", metavar="NAME_OR_FOLDER")],
    out: Annotated[Path, typer.Argument(help="A new folder for the exported model.", metavar="OUT")],
    int8: Annotated[bool, typer.Option("--int8", help="A quarter of the size, two to three times the speed.")] = False,
) -> None:
    """Turn an encoder into an ONNX folder, and say how close the two are.

    [bold]Example[/bold]

    pincite models export all-MiniLM-L6-v2 minilm-int8/ --int8
    """
    from pincite.models.export import export_encoder
    from pincite.models.load import export_source

    closeness = export_encoder(export_source(model), out, int8=int8)
    typer.echo(f"{out}: {closeness.megabytes:.1f} MB")
    typer.echo(
        f"cosine with the original: {closeness.mean_cosine:.4f} on average, {closeness.least_cosine:.4f} at least"
    )
    typer.echo(f"speed: {closeness.speed_ratio:.1f} times torch's, on the calibration sentences")
    typer.echo(f"next: pincite run --retriever dense --encoder {out} ...", err=True)


@app.callback()
def _group() -> None:
    """Encoders: turn a model into one that runs without torch."""
