"""pincite compare: asks one question of many documents and shows a table."""

from pathlib import Path
from typing import Annotated

import typer

from pincite.cli import options as o


def compare(
    question: Annotated[str, typer.Argument(help="The question to ask of each document.")],
    index: Annotated[str, typer.Option(help="The index to search.")],
    document: o.DocumentNames = None,
    where: o.WherePairs = None,
    after: o.After = "",
    before: o.Before = "",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write a .csv, .xlsx, .docx or .json file.")
    ] = None,
) -> None:
    """Ask one question of many documents and show a row for each, those that do not answer last.

    [bold]Examples[/bold]

    pincite compare "May copies be kept?" --index contracts.pincite --where kind=nda

    pincite compare "Who insures?" --index contracts.pincite --output insurance.xlsx
    """
    from pincite.cli.progress import progress_bar
    from pincite.cli.show import safe
    from pincite.cli.tables import console, table
    from pincite.compare.export import MEDIA_TYPES, comparison_rows, exported
    from pincite.errors import UsageError
    from pincite.index import Index
    from pincite.output import check_writable, write_bytes, write_json

    suffix = output.suffix.lower() if output else ""
    if output and suffix[1:] not in (*MEDIA_TYPES, "json"):
        raise UsageError(f"--output {output}: name a file that ends in .csv, .xlsx, .docx or .json")
    if not question.strip():
        raise UsageError("the question is empty; write one in quotation marks")
    if output:
        check_writable(output)
    filtered = o.filter_of(document, where, after, before)
    with Index.open(index, read_only=True) as opened, progress_bar("comparing") as progress:
        rows = opened.compare(question, where=filtered, progress=progress)
    if output is None:
        shown = [
            [safe(title), safe(passage[:300]), page, likelihood]
            for _, _, title, _, page, passage, likelihood in comparison_rows(rows)
        ]
        console().print(table(["document", "answering passage", "page", "likelihood"], shown, left=2))
    elif suffix == ".json":
        write_json(output, [row.to_dict() for row in rows])
    else:
        write_bytes(output, exported(suffix[1:], question, comparison_rows(rows)))
    found = sum(row.found is not None for row in rows)
    typer.echo(f"{found} of {len(rows)} documents answer", err=True)
