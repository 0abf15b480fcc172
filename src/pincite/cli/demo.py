"""pincite demo: answers three questions from the sample contracts."""

import sys
from pathlib import Path
from shutil import which

import typer

QUESTIONS = (
    "Under the Garnet Quay lease, may the tenant underlet the premises?",
    "Who bears the cost of a product recall in the Caldera supply agreement?",
    "For how many years do the confidentiality obligations continue under the Tamarisk NDA?",
)


def demo() -> None:
    """Answer three questions from the sample contracts, and show what to try next."""
    from pincite.cli.progress import stage_bars
    from pincite.cli.show import show_answer
    from pincite.documents import read_folder
    from pincite.index import Index

    corpus = samples_folder() / "corpus"
    with Index.create(":memory:") as index:
        with stage_bars() as progress:
            index.add_documents(read_folder(corpus).documents, progress=progress)
        units = sum(record.unit_count for record in index)
        typer.echo(f"{len(index)} sample agreements, {units} sentences and list items; nothing leaves this machine.\n")
        for question in QUESTIONS:
            show_answer(index.search(question, k=1))
    command = "pincite" if which("pincite") else _shown(Path(sys.argv[0]))
    typer.echo("Try next:")
    typer.echo(f'  {command} search "May the licensee keep a copy of the software?" --corpus {_shown(corpus)}')
    typer.echo(f"  {command} index add path/to/your/documents --index mine.pincite --create")
    typer.echo(f'  {command} search "your own question" --index mine.pincite')
    typer.echo(f"  {command} --help")


def samples_folder() -> Path:
    """The folder of the sample contracts: in an installed package, or next to the source in a checkout."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "samples", package.parent.parent / "samples"):
        if folder.is_dir():
            return folder
    raise typer.BadParameter("the sample contracts are missing; install pincite again")


def _shown(path: Path) -> str:
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
