"""pincite index upgrade: brings documents that an earlier version made to the present one."""

from json import dumps
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pincite.index.upgrade import UpgradeReport
    from pincite.index.upgrade_plan import UpgradePlan

MOST_TITLES = 20
"""Changed titles that are listed; --json has them all."""


def upgrade(
    index: Annotated[
        str,
        typer.Option(
            "--index", help="The index: a folder, usually named NAME.pincite, or opensearch://HOST:PORT/NAME."
        ),
    ],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be done, and how long.")] = False,
    vectors: Annotated[str, typer.Option(help="Embed again now, later ('index embed'), or never (none).")] = "now",
    no_ocr: Annotated[bool, typer.Option("--no-ocr", help="Do not recognise text on scanned pages.")] = False,
    seconds: Annotated[float, typer.Option("--seconds", help="The time limit for one file.")] = 120.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    wait: Annotated[float, typer.Option(help="How many seconds to wait for another writer.")] = 10.0,
) -> None:
    """Bring documents that an earlier version made to the present one: better titles, outlines and passages.

    Files that are still there are read again; of the others the stored text is taken. Corrections are kept. The index
    can be searched meanwhile. A stopped upgrade continues with the next call.

    [bold]Examples[/bold]

    pincite index upgrade --index contracts.pincite --dry-run

    pincite index upgrade --index contracts.pincite
    """
    from pincite.cli.progress import stage_bars
    from pincite.documents.limits import Limits
    from pincite.index import Index
    from pincite.index.ingest_options import IngestOptions

    options = IngestOptions(limits=Limits(seconds=seconds), ocr=not no_ocr)
    with Index.open(index, wait=wait, read_only=dry_run) as opened:
        plan = opened.plan_upgrade(vectors=vectors)
        if dry_run:
            typer.echo(dumps(_plan_shape(plan), indent=1) if as_json else _planned(plan))
            return
        typer.echo(_planned(plan), err=True)
        with stage_bars() as progress:
            done = opened.upgrade(vectors=vectors, options=options, progress=progress)
    _report(done, as_json=as_json)


def _planned(plan: "UpgradePlan") -> str:
    from pincite.cli.index_list import counted

    if not plan.documents and not plan.unembedded:
        return f"nothing to upgrade: the index has {counted(plan.total, 'document')}, made by this version"
    said = f"made by an earlier version: {plan.documents} of {counted(plan.total, 'document')}"
    if plan.documents:
        said += f", {plan.from_files} to read from their files, {plan.from_text} from the stored text"
    if plan.unembedded:
        said += f"; not embedded yet: {counted(plan.unembedded, 'passage')} of others"
    rates = [f"{plan.character_rate:,.0f} characters" if plan.character_rate else ""]
    rates += [f"{plan.unit_rate:,.0f} embedded passages" if plan.unit_rate else ""]
    measured = " and ".join(rate for rate in rates if rate)
    return f"{said}; this takes about {duration(plan.seconds)} (measured: {measured} a second)"


def duration(seconds: float) -> str:
    """A length of time for people.

    >>> duration(0.2), duration(59), duration(240), duration(9000)
    ('a second', '59 seconds', '4 minutes', '2.5 hours')
    """
    if seconds < 1.5:
        return "a second"
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 5400 else f"{seconds / 3600:.1f} hours"


def _plan_shape(plan: "UpgradePlan") -> dict[str, object]:
    return {
        "total": plan.total,
        "documents": plan.documents,
        "from_files": plan.from_files,
        "from_text": plan.from_text,
        "passages": plan.units,
        "seconds": round(plan.seconds, 1),
    }


def _report(done: "UpgradeReport", *, as_json: bool) -> None:
    from pincite.cli.index_list import counted
    from pincite.cli.show import safe

    shape = {
        "documents": done.documents,
        "from_files": done.from_files,
        "from_text": done.from_text,
        "passages_before": done.units_before,
        "passages_after": done.units_after,
        "embedded": done.embedded,
        "titles": [change._asdict() for change in done.titles],
    }
    if as_json:
        typer.echo(dumps({**shape, "notes": done.notes, "failures": done.failures}, indent=1, ensure_ascii=False))
    elif done.documents or done.embedded:
        documents = f"upgraded {counted(done.documents, 'document')}, {done.from_files} from their files"
        passages = f"passages: {done.units_before} before, {done.units_after} now"
        typer.echo(f"{documents}; {done.embedded} embedded; {passages}; titles changed: {len(done.titles)}")
        for name, before, after in done.titles[:MOST_TITLES]:
            typer.echo(f"  {safe(name)}\n    {safe(before) or '(none)'} -> {safe(after) or '(none)'}")
        if len(done.titles) > MOST_TITLES:
            typer.echo(f"  and {len(done.titles) - MOST_TITLES} more; --json lists them all")
    for note in done.notes:
        typer.echo(f"note: {safe(note)}", err=True)
    for failure in done.failures:
        typer.echo(f"not upgraded: {safe(failure)}", err=True)
    if done.failures:
        raise typer.Exit(1)
