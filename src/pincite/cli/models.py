"""pincite models: lists, shows and verifies the shipped models, and exports others to ONNX."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    help="Models: list, show and verify the shipped ones; export others to run without torch.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)


@app.command("list")
def list_models() -> None:
    """List the shipped models.

    [bold]Example[/bold]

    pincite models list
    """
    from pincite.cli.tables import console, table
    from pincite.models.shipped import SHIPPED

    rows = [
        [
            model.name,
            model.kind,
            f"{_megabytes(model.folder):.1f} MB" if model.folder.is_dir() else "not installed",
            model.about,
        ]
        for model in SHIPPED.values()
    ]
    console().print(table(["model", "kind", "size", "about"], rows, left=4))


@app.command("show")
def show(name: Annotated[str, typer.Argument(help="A name that 'models list' prints.")]) -> None:
    """Print the card of a model: training data, licences, figures and limits.

    [bold]Example[/bold]

    pincite models show legal-encoder
    """
    from pincite.errors import one_of
    from pincite.models.shipped import MODEL_CARD, SHIPPED

    if name not in SHIPPED:
        raise one_of("model", name, list(SHIPPED))
    typer.echo((SHIPPED[name].checked() / MODEL_CARD).read_text(encoding="utf-8"))
    typer.echo(f"SHA-256 of its files: {SHIPPED[name].sha256}")


@app.command("verify")
def verify() -> None:
    """Check the hash of each shipped model, and that it runs. The exit code is 1 if one fails.

    [bold]Example[/bold]

    pincite models verify
    """
    from pincite.errors import PinciteError
    from pincite.models import load_encoder, load_reranker
    from pincite.models.shipped import SHIPPED

    failed = False
    for model in SHIPPED.values():
        if not model.in_wheel and not model.folder.is_dir():
            typer.echo(f"{model.name}: not installed (it is only in the source)")
            continue
        try:
            if model.kind == "encoder":
                load_encoder(model.name).encode_queries(["a lease"])
            else:
                load_reranker(model.name).scores("a lease", ["the tenant"])
        except PinciteError as error:
            failed = True
            typer.echo(f"{model.name}: {error}", err=True)
        else:
            typer.echo(f"{model.name}: as shipped, SHA-256 {model.sha256[:16]}...")
    if failed:
        raise typer.Exit(1)


@app.command("export")
def export(
    model: Annotated[str, typer.Argument(help="A Hugging Face name or folder.", metavar="NAME_OR_FOLDER")],
    out: Annotated[Path, typer.Argument(help="A new folder for the exported model.", metavar="OUT")],
    int8: Annotated[
        bool, typer.Option("--int8", help="Quantise: a quarter of the size, two to three times the speed.")
    ] = False,
) -> None:
    """Export an encoder as an ONNX folder, and compare it with the original.

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


def _megabytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.iterdir()) / 1e6
