"""pincite documents: lists the documents of a folder with their names, by which questions can refer to them."""

from typing import Annotated

import typer

from pincite.cli import options as o


def documents(
    corpus: o.Corpus,
    as_json: Annotated[bool, typer.Option("--json", help="A JSON array of profiles.")] = False,
    unreadable: o.Unreadable = "refuse",
) -> None:
    """List the documents of a folder with their title, kind, parties and date.

    [bold]Example[/bold]

    pincite documents --corpus samples/corpus
    """
    from dataclasses import asdict
    from json import dumps

    from pincite.cli.show import safe
    from pincite.cli.tables import console, table
    from pincite.documents import read_folder
    from pincite.documents.profile import profile

    reading = read_folder(corpus, unreadable=unreadable)
    found = [(document.id, profile(document)) for document in reading.documents]
    if as_json:
        shapes = [{"document": name, **asdict(entry)} for name, entry in found]
        typer.echo(dumps(shapes, indent=1, ensure_ascii=False))
    else:
        rows = [
            [name, safe(entry.title), entry.kind, safe("; ".join(entry.parties[:3])), entry.date]
            for name, entry in found
        ]
        console().print(table(["document", "title", "kind", "parties", "date"], rows, left=5))
    for line in reading.skipped:
        typer.echo(f"skipped {line}", err=True)
    if reading.skipped:
        raise typer.Exit(1)
