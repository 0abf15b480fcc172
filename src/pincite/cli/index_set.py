"""pincite index set: corrects what was found in a document."""

from typing import Annotated

import typer


def set_(
    document: Annotated[str, typer.Argument(help="An id, or a part of an id or title that only one document has.")],
    values: Annotated[
        list[str],
        typer.Argument(
            metavar="KEY=VALUE...",
            help="title=, kind=, parties='A; B', party+=A, party-=A, date=, or any key of your own. "
            "An empty value takes a correction back.",
        ),
    ],
    index: Annotated[
        str,
        typer.Option(
            "--index", help="The index: a folder, usually named NAME.pincite, or opensearch://HOST:PORT/NAME."
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    wait: Annotated[float, typer.Option(help="How many seconds to wait for another writer.")] = 10.0,
) -> None:
    """Correct the title, kind, parties or date of a document, or set metadata of your own.

    A correction overrules what was found in the document. It survives sync, add and upgrade.

    [bold]Examples[/bold]

    pincite index set garnet-quay title="Lease of Garnet Quay" date="3 March 2021" --index contracts.pincite

    pincite index set nda-7.pdf kind=nda party+="Acme Ltd" party-="Signature Page" --index contracts.pincite

    pincite index set garnet-quay title= --index contracts.pincite
    """
    from json import dumps

    from pincite.cli.show import safe
    from pincite.index import Index
    from pincite.index.corrections import Correction
    from pincite.index.listing import listing

    correction = Correction.read(values)
    with Index.open(index, wait=wait) as opened:
        record = opened.correct(document, correction)
    shape = listing(record)
    if as_json:
        typer.echo(dumps(shape, indent=1, ensure_ascii=False))
        return
    typer.echo(safe(record.id))
    for key in correction.keys:
        value = shape[key] if key in ("title", "kind", "parties", "date") else record.metadata.get(key, "")
        shown = "; ".join(map(str, value)) if isinstance(value, list) else str(value)
        typer.echo(f"  {key + ':':<12}{safe(shown)}{_mark(key in record.metadata)}")


def _mark(is_said: bool) -> str:
    return "  (corrected)" if is_said else "  (as found)"
