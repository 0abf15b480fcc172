"""Prints the results of the commands of pincite index."""

from json import dumps
from typing import TYPE_CHECKING

import typer

from pincite.cli.show import safe
from pincite.engine.contract import every_file
from pincite.index.listing import listing
from pincite.index.remarks import remarks

if TYPE_CHECKING:
    from pincite.index import Index
    from pincite.index.ingest import IngestReport, SyncPlan


def report(done: "IngestReport", vectors: str, *, as_json: bool) -> None:
    """Prints what was done, then what is not searchable and why. The exit code is 1 if anything is not searchable."""
    names = ("new", "changed", "removed", "same", "excluded", "documents", "embedded")
    shape = {name: getattr(done, name) for name in names}
    if as_json:
        typer.echo(dumps({**shape, "notes": done.notes, "failures": done.failures}, indent=1, ensure_ascii=False))
    else:
        files = f"{done.new} files added, {done.changed} updated, {done.removed} removed, {done.same} same"
        files += f", {done.excluded} excluded" if done.excluded else ""
        embedded = f", {done.embedded} embedded" if done.embedded else ""
        typer.echo(f"{files}; {done.documents} documents read{embedded}")
        if vectors == "later" and done.documents:
            typer.echo("searchable by words now; 'pincite index embed' embeds them")
    for note in done.notes:
        typer.echo(f"note: {safe(note)}", err=True)
    if done.failures:
        typer.echo(f"{len(done.failures)} not searchable:", err=True)
        for failure in done.failures:
            typer.echo(f"  {safe(failure)}", err=True)
        raise typer.Exit(1)


def show_plan(plan: "SyncPlan", *, as_json: bool) -> None:
    """Prints what a sync would do."""
    changed = sorted([*plan.changed, *plan.redescribed])
    if as_json:
        shape = {"new": plan.new, "changed": changed, "gone": plan.gone, "same": len(plan.same)}
        shape |= {"excluded": plan.excluded, "patterns": list(plan.patterns)}
        typer.echo(dumps(shape, indent=1, ensure_ascii=False))
        return
    for sign, paths in (("+", plan.new), ("~", changed), ("-", plan.gone)):
        for path in paths:
            typer.echo(f"{sign} {safe(path)}")
    for path in plan.excluded:
        typer.echo(f"! {safe(path)}")
    if plan.patterns:
        typer.echo(f"excluded: {safe(', '.join(plan.patterns))}", err=True)
    counts = f"would add {len(plan.new)}, update {len(changed)} and remove {len(plan.gone)} files"
    typer.echo(f"{counts}; {len(plan.same)} are the same", err=True)


def list_failures(index: "Index", *, as_json: bool) -> None:
    """Prints the files that are not searchable, and why."""
    lines = [failure for _, failure in index.failures()]
    typer.echo(dumps(lines, indent=1, ensure_ascii=False) if as_json else "\n".join(map(safe, lines)))


def list_notes(index: "Index", *, as_json: bool) -> None:
    """Prints what was noticed about files when they were read."""
    lines = [note for file in every_file(index.engine) for note in file.notes]
    typer.echo(dumps(lines, indent=1, ensure_ascii=False) if as_json else "\n".join(map(safe, lines)))


def show_document(index: "Index", name: str, *, as_json: bool) -> None:
    """Prints the names of a document, its source and its outline."""
    record = index.record(name)
    headings = index.outline(record.id)
    reader = index.document(record.id).source.reader
    shape = {**listing(record), **remarks(index.engine, record), "reader": reader, "outline": headings}
    if as_json:
        typer.echo(dumps(shape, indent=1, ensure_ascii=False))
        return
    for key, value in shape.items():
        if key != "outline" and value:
            typer.echo(f"{key + ':':<14}{safe(_shown(value))}")
    typer.echo("outline:")
    for level, title, start in headings:
        typer.echo(f"  {'  ' * level}{safe(title)}  [{start}]")


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{name}={entry}" for name, entry in value.items())
    if isinstance(value, list):
        return "; ".join(map(str, value))
    return "yes" if value is True else str(value)
