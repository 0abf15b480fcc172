"""pincite demo: the sample contracts, three questions, three passages."""

import sys
from pathlib import Path
from shutil import which

import typer

QUESTIONS = (
    "Who bears the cost of a product recall?",
    "When must the Company pay the termination fee?",
    "May the tenant underlet or assign the premises?",
)


def demo() -> None:
    """Answer three questions from the sample contracts, the passage marked, and say what to try next."""
    from pincite.cli.show import show_answer
    from pincite.documents import read_folder
    from pincite.pipeline import build_retriever
    from pincite.segment import WordWindows
    from pincite.text import Collection

    corpus = samples_folder() / "corpus"
    documents = read_folder(corpus).documents
    retriever = build_retriever("bm25")
    retriever.index(Collection.build(documents, WordWindows(100, 50)))
    counted = f"{len(documents)} sample agreements, {len(retriever.collection)} passages"
    typer.echo(f"{counted}; nothing leaves this machine.\n")
    for question in QUESTIONS:
        show_answer(question, retriever.search(question, k=1))
    command = "pincite" if which("pincite") else _shown(Path(sys.argv[0]))
    typer.echo("Try next:")
    typer.echo(f'  {command} search "May the licensee keep a copy of the software?" --corpus {_shown(corpus)}')
    typer.echo(f'  {command} search "your own question" --corpus path/to/your/text/files')
    typer.echo(f"  {command} --help")


def samples_folder() -> Path:
    """The sample contracts: inside an installed package, beside the source in a checkout."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "samples", package.parent.parent / "samples"):
        if folder.is_dir():
            return folder
    raise typer.BadParameter("the sample contracts are not installed with this copy of pincite")


def _shown(path: Path) -> str:
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
