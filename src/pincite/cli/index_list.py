"""Prints the documents of an index: date, kind and title in columns, and below them the id and the parties."""

import shutil
import textwrap
from collections.abc import Iterator, Sequence
from json import dumps
from typing import TYPE_CHECKING

import typer

from pincite.cli.show import safe
from pincite.engine.contract import every_file, every_root
from pincite.index.corrections import corrected_fields
from pincite.index.exclusions import exclusions
from pincite.index.listing import listing
from pincite.index.remarks import remarks
from pincite.index.upgrade import is_earlier
from pincite.text.kinds import KINDS
from pincite.text.title_case import title_case

if TYPE_CHECKING:
    from pincite.engine.records import DocumentRecord
    from pincite.index import Index
    from pincite.text import Filter

DATE = len("2024-03-31")
LEAST_TITLE = 24
"""Columns that a title gets at least."""
MOST_PARTIES = 2
"""Parties that are named; of the others the number."""
UNBROKEN = "\u00a0"
"""A space at which no line is broken."""


def list_documents(index: "Index", where: "Filter | None" = None, *, as_json: bool) -> None:
    """Prints every document, or those that a filter admits, and on standard error what should be looked at."""
    records = list(index.every_document(where))
    if as_json:
        shapes = [{**listing(record), **remarks(index.engine, record)} for record in records]
        typer.echo(dumps(shapes, indent=1, ensure_ascii=False))
        return
    for line in listed(records, shutil.get_terminal_size((80, 24)).columns):
        typer.echo(line)
    for advice in _advice(index, records):
        typer.echo(advice, err=True)


def listed(records: "Sequence[DocumentRecord]", columns: int) -> Iterator[str]:
    """The lines of the list. Only an id may be longer than there are columns: it is never broken, so that it can be
    copied."""
    kind = max((len(record.profile.kind) for record in records), default=0)
    kind = max(4, min(kind, columns - DATE - LEAST_TITLE - 4, max(map(len, KINDS))))
    margin = " " * (DATE + 2)
    for record in records:
        profile = record.profile
        titles = textwrap.wrap(safe(title_case(record.title)) or "(no title)", max(10, columns - DATE - kind - 4))
        kinds = textwrap.wrap(safe(profile.kind) or "-", kind)
        for at in range(max(len(titles), len(kinds))):
            day = profile.iso_date or "-" if at == 0 else ""
            shown = (kinds[at : at + 1] or [""])[0], (titles[at : at + 1] or [""])[0]
            yield f"{day:<{DATE}}  {shown[0]:<{kind}}  {shown[1]}".rstrip()
        yield f"{margin}{safe(record.id)}"
        for line in textwrap.wrap(_more(record), columns, initial_indent=margin, subsequent_indent=margin):
            yield line.replace(UNBROKEN, " ")


def counted(number: int, what: str) -> str:
    """A number of things.

    >>> counted(1, "file"), counted(1200, "file")
    ('1 file', '1,200 files')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _more(record: "DocumentRecord") -> str:
    """The parties, the size, and what is unusual."""
    parties = record.profile.parties
    names = "; ".join(title_case(party) for party in parties[:MOST_PARTIES])
    if len(parties) > MOST_PARTIES:
        names += f" and {len(parties) - MOST_PARTIES} more"
    said = corrected_fields(record.metadata)
    parts = (
        safe(names),
        counted(record.pages, "page").replace(" ", UNBROKEN) if record.pages else "",
        counted(record.unit_count, "passage").replace(" ", UNBROKEN),
        f"corrected: {', '.join(said)}" if said else "",
        "made by an earlier version" if is_earlier(record) else "",
    )
    return f"{UNBROKEN}| ".join(part for part in parts if part)


def _advice(index: "Index", records: "Sequence[DocumentRecord]") -> Iterator[str]:
    """What there is in all, and what can be done about what is missing."""
    here = f"--index {index.location}"
    embedded = sum(record.has_vectors for record in records)
    yield f"{counted(len(records), 'document')}, {counted(sum(record.unit_count for record in records), 'passage')}"
    if records and embedded < len(records):
        yield f"not embedded: {counted(len(records) - embedded, 'document')}; to embed: pincite index embed {here}"
    if earlier := sum(map(is_earlier, records)):
        how = f"answering as before; to get what is new: pincite index upgrade {here}"
        yield f"made by an earlier version: {counted(earlier, 'document')}, {how}"
    if missing := len({(file.root, file.path) for file, _ in index.failures()}):
        yield f"{missing} files are not searchable: pincite index list --failed {here}"
    if noted := sum(bool(file.notes) for file in every_file(index.engine)):
        yield f"{noted} files have notes: pincite index list --notes {here}"
    for root in every_root(index.engine):
        if patterns := exclusions(index.engine, root.name):
            yield f"excluded from {safe(root.name)}: {safe(', '.join(patterns))}"
