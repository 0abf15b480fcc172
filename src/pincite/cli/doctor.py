"""pincite doctor: looks at the installation, the sandbox, the models and an index, and says what to do."""

from pathlib import Path
from typing import Annotated

import typer

MARKS = {"well": "ok  ", "poor": "note", "bad": "BAD "}
"""How something is: as it should be, usable with less, not usable."""


def doctor(
    index: Annotated[Path | None, typer.Option("--index", help="Also look at this index.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Look at everything that Pincite needs, and say what to do about what is missing.

    The exit code is 1 if something cannot be used as it is.

    [bold]Examples[/bold]

    pincite doctor

    pincite doctor --index contracts.pincite
    """
    from json import dumps

    from pincite.index.diagnosis import diagnosis

    found = diagnosis(index)
    if as_json:
        typer.echo(dumps([finding.to_dict() for finding in found], indent=1))
    else:
        for finding in found:
            typer.echo(f"{MARKS[finding.state]}  {finding.what:<14} {finding.says}")
            if finding.advice:
                typer.echo(f"{'':<22}{finding.advice}")
    if any(finding.state == "bad" for finding in found):
        raise typer.Exit(1)
