"""The command line: one file for each command. Nothing heavy is imported before a command needs it."""

import sys

import typer

from pincite.cli import (
    benchmark,
    cases,
    compare,
    demo,
    doctor,
    documents,
    export,
    index,
    keys,
    models,
    reproduce,
    run,
    score,
    search,
    serve,
    sweep,
    train,
)
from pincite.errors import PinciteError

app = typer.Typer(
    name="pincite",
    help="Answers a legal question with the exact passage: the document, the place, the words. Offline.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("demo")(demo.demo)
app.command("search")(search.search)
app.command("compare")(compare.compare)
app.command("serve")(serve.serve)
app.command("mcp")(serve.mcp)
app.command("worker")(serve.worker)
app.command("doctor")(doctor.doctor)
app.command("documents")(documents.documents)
app.command("run")(run.run)
app.command("sweep")(sweep.sweep)
app.command("score")(score.score)
app.command("reproduce")(reproduce.reproduce)
app.add_typer(index.app, name="index")
app.add_typer(benchmark.app, name="benchmark")
app.add_typer(export.app, name="export")
app.add_typer(models.app, name="models")
app.add_typer(train.app, name="train")
app.add_typer(cases.app, name="cases")
app.add_typer(keys.app, name="keys")


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"pincite {version('pincite')}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    pass


STOPPED = 130
"""The exit code after Ctrl-C: 128 plus the number of the signal."""


def main() -> None:
    """Runs the command line. An error of ours is one clear message and the exit code that fits it."""
    try:
        app()
    except PinciteError as error:
        typer.echo(f"pincite: {error}", err=True)
        sys.exit(error.exit_code)
    except SystemExit as ended:
        # typer turns Ctrl-C and a closed pipe into exits of its own
        if ended.code == STOPPED:
            typer.echo("pincite: stopped", err=True)
        if isinstance(ended.__context__, BrokenPipeError):
            sys.exit(0)
        raise
