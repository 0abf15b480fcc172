"""pincite index: creates, changes, lists and checks an index on disk."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pincite.cli import index_set, index_upgrade
from pincite.cli import options as o
from pincite.cli.progress import progress_bar, stage_bars

if TYPE_CHECKING:
    from pincite.index import Index

app = typer.Typer(
    name="index",
    help="An index on disk: create, add, sync, set, remove, list, show, embed, upgrade, check, export.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)
app.command("set")(index_set.set_)
app.command("upgrade")(index_upgrade.upgrade)

Location: TypeAlias = Annotated[
    str,
    typer.Option("--index", help="The index: a folder, usually named NAME.pincite, or opensearch://HOST:PORT/NAME."),
]
Wait: TypeAlias = Annotated[float, typer.Option(help="How many seconds to wait for another writer.")]
Create: TypeAlias = Annotated[bool, typer.Option("--create", help="Create the index if it does not exist.")]
Vectors: TypeAlias = Annotated[
    str, typer.Option(help="Embed new documents now, later ('index embed'), or never (none).")
]
Set: TypeAlias = Annotated[
    list[str] | None, typer.Option("--set", help="key=value for all documents of this call; repeatable.")
]
MetadataFile: TypeAlias = Annotated[
    Path | None, typer.Option("--metadata", help="A .csv or .json file with values for each document.")
]
Retry: TypeAlias = Annotated[bool, typer.Option("--retry", help="Try files again that could not be read before.")]
Reread: TypeAlias = Annotated[bool, typer.Option("--reread", help="Read all files again, also unchanged ones.")]
NoOcr: TypeAlias = Annotated[bool, typer.Option("--no-ocr", help="Do not recognise text on scanned pages.")]
OcrLanguage: TypeAlias = Annotated[
    str, typer.Option("--ocr-language", help="The languages of scanned pages, by tesseract's names: eng, eng+deu.")
]
Seconds: TypeAlias = Annotated[float, typer.Option("--seconds", help="The time limit for one file, without OCR.")]
OcrSeconds: TypeAlias = Annotated[
    float, typer.Option("--ocr-seconds", help="The time limit for the scanned pages of one file.")
]
Exclude: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--exclude", help="Leave out files like this (*.tmp, drafts/) from now on; repeatable."),
]
Include: TypeAlias = Annotated[
    list[str] | None, typer.Option("--include", help="Take in again what --exclude left out; repeatable.")
]
FollowLinks: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--follow-links/--no-follow-links", help="Follow symbolic links from now on, or no longer. At first: no."
    ),
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def create(
    folder: Annotated[
        str, typer.Argument(help="A new folder, usually named NAME.pincite, or opensearch://HOST:PORT/NAME.")
    ],
) -> None:
    """Create an empty index.

    [bold]Example[/bold]

    pincite index create contracts.pincite

    pincite index create 'opensearch://127.0.0.1:9200/contracts?shards=3&replicas=1'
    """
    from pincite.index import Index

    Index.create(folder).close()
    typer.echo(f"created {folder}; next: pincite index add FOLDER --index {folder}", err=True)


@app.command()
def add(
    paths: Annotated[list[Path], typer.Argument(help="Files or folders.")],
    index: Location,
    create: Create = False,
    name: Annotated[str, typer.Option(help="The first part of the ids, instead of the name of the folder.")] = "",
    vectors: Vectors = "now",
    encoder: o.EncoderName = "",
    set_: Set = None,
    metadata: MetadataFile = None,
    retry: Retry = False,
    reread: Reread = False,
    follow_links: FollowLinks = None,
    no_ocr: NoOcr = False,
    ocr_language: OcrLanguage = "eng",
    seconds: Seconds = 120.0,
    ocr_seconds: OcrSeconds = 1800.0,
    wait: Wait = 10.0,
    as_json: AsJson = False,
) -> None:
    """Add files and folders to an index. Unchanged files are skipped.

    [bold]Examples[/bold]

    pincite index add ~/contracts --index contracts.pincite --create

    pincite index add lease.pdf --index contracts.pincite --set matter=4711
    """
    from pincite.cli.index_output import report
    from pincite.documents.limits import Limits
    from pincite.documents.pdf_ocr import check_language
    from pincite.index.ingest_options import IngestOptions
    from pincite.index.metadata import Metadata

    options = IngestOptions(
        Metadata.read(metadata, set_ or []),
        Limits(seconds=seconds, ocr_seconds=ocr_seconds),
        ocr=not no_ocr,
        ocr_language=ocr_language,
        retry=retry,
        reread=reread,
        name=name,
        follow_links=follow_links,
    )
    check_language(ocr_language)
    _check(paths, vectors)
    with _opened(index, create=create, wait=wait) as opened, stage_bars() as progress:
        done = opened.add(*paths, vectors=vectors, encoder=encoder, options=options, progress=progress)
    report(done, vectors, as_json=as_json)


@app.command()
def sync(
    folder: Annotated[Path, typer.Argument(help="The folder to follow.")],
    index: Location,
    create: Create = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be done.")] = False,
    allow_removals: Annotated[
        bool, typer.Option("--allow-removals", help="Sync even if the folder or many of its files are gone.")
    ] = False,
    exclude: Exclude = None,
    include: Include = None,
    name: Annotated[str, typer.Option(help="The first part of the ids, instead of the name of the folder.")] = "",
    vectors: Vectors = "now",
    encoder: o.EncoderName = "",
    set_: Set = None,
    metadata: MetadataFile = None,
    retry: Retry = False,
    reread: Reread = False,
    follow_links: FollowLinks = None,
    no_ocr: NoOcr = False,
    ocr_language: OcrLanguage = "eng",
    seconds: Seconds = 120.0,
    ocr_seconds: OcrSeconds = 1800.0,
    wait: Wait = 10.0,
    as_json: AsJson = False,
) -> None:
    """Make an index follow a folder: add new files, update changed ones, remove those that are gone from this folder.

    Nothing is changed if the folder is missing or empty, or if more than 30 % of its files would be removed.

    [bold]Examples[/bold]

    pincite index sync ~/contracts --index contracts.pincite --dry-run

    pincite index sync ~/contracts --index contracts.pincite

    pincite index sync ~/contracts --index contracts.pincite --exclude drafts/
    """
    from pincite.cli.index_output import report, show_plan
    from pincite.documents.limits import Limits
    from pincite.documents.pdf_ocr import check_language
    from pincite.errors import DataError
    from pincite.index import Index
    from pincite.index.ingest_options import IngestOptions
    from pincite.index.metadata import Metadata

    options = IngestOptions(
        Metadata.read(metadata, set_ or []),
        Limits(seconds=seconds, ocr_seconds=ocr_seconds),
        ocr=not no_ocr,
        ocr_language=ocr_language,
        retry=retry,
        reread=reread,
        allow_removals=allow_removals,
        name=name,
        exclude=tuple(exclude or ()),
        include=tuple(include or ()),
        follow_links=follow_links,
    )
    check_language(ocr_language)
    _check([], vectors)
    if not folder.is_dir() and not Index.exists(index):
        raise DataError(f"{folder}: no such folder; nothing was created")
    with _opened(index, create=create and not dry_run, wait=wait, write=not dry_run) as opened:
        if dry_run:
            show_plan(opened.plan_sync(folder, options=options), as_json=as_json)
            return
        with stage_bars() as progress:
            done = opened.sync(folder, vectors=vectors, encoder=encoder, options=options, progress=progress)
    report(done, vectors, as_json=as_json)


@app.command()
def remove(
    documents: Annotated[list[str], typer.Argument(help="Ids, as 'index list' shows them.")],
    index: Location,
    purge: Annotated[
        bool, typer.Option("--purge", help="Also erase every trace of their text from the index.")
    ] = False,
    wait: Wait = 10.0,
) -> None:
    """Remove documents from an index. The files stay; the next sync of their folder adds them again.

    [bold]Example[/bold]

    pincite index remove contracts/old-lease.pdf --purge --index contracts.pincite
    """
    with _opened(index, wait=wait) as opened:
        count = opened.remove(*documents, purge=purge)
    typer.echo(f"removed {count} document{'s' if count != 1 else ''}{', and every trace of the text' if purge else ''}")
    typer.echo("the files are unchanged: a sync of their folder adds them again", err=True)


@app.command("list")
def list_(
    index: Location,
    failed: Annotated[
        bool, typer.Option("--failed", help="List the files that are not searchable instead, and why.")
    ] = False,
    notes: Annotated[
        bool, typer.Option("--notes", help="List what was noticed about files instead: damage, OCR, encodings.")
    ] = False,
    where: o.WherePairs = None,
    after: o.After = "",
    before: o.Before = "",
    as_json: AsJson = False,
) -> None:
    """List the documents of an index: id, title, kind, parties, date, pages.

    [bold]Examples[/bold]

    pincite index list --index contracts.pincite

    pincite index list --index contracts.pincite --where '{"date": {"gte": "2020-01-01"}}'
    """
    from pincite.cli.index_list import list_documents
    from pincite.cli.index_output import list_failures, list_notes
    from pincite.errors import UsageError

    filtered = o.filter_of(None, where, after, before)
    if filtered and (failed or notes):
        raise UsageError("--where, --after and --before choose documents; leave them out with --failed and --notes")
    with _opened(index, write=False) as opened:
        if failed:
            list_failures(opened, as_json=as_json)
        elif notes:
            list_notes(opened, as_json=as_json)
        else:
            list_documents(opened, filtered, as_json=as_json)


@app.command()
def show(
    document: Annotated[str, typer.Argument(help="An id, or a part of an id or title that only one document has.")],
    index: Location,
    text: Annotated[bool, typer.Option("--text", help="Print the whole text instead.")] = False,
    page: Annotated[int, typer.Option(min=1, help="With --image: which page of a PDF file.")] = 1,
    image: Annotated[Path | None, typer.Option(help="Write an image of this page (PNG) to this file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show one document: its names, its source and its outline.

    [bold]Examples[/bold]

    pincite index show garnet-quay --index contracts.pincite

    pincite index show deed.pdf --page 3 --image page-3.png --index contracts.pincite
    """
    from pincite.cli.index_output import show_document

    with _opened(index, write=False) as opened:
        if image is not None:
            _write_picture(opened, document, page, image)
        elif text:
            typer.echo(opened.document(document).text, nl=False)
        else:
            show_document(opened, document, as_json=as_json)


def _write_picture(opened: "Index", document: str, page: int, file: Path) -> None:
    from pincite.compare.page_images import page_image
    from pincite.documents.limits import Limits
    from pincite.output import write_bytes

    limits = Limits()
    with opened.original_at_hand(opened.record(document)) as path:
        image = page_image(opened.document(document), path, page, (), limits.seconds, limits.memory_bytes)
    write_bytes(file, image)
    typer.echo(f"wrote {file}", err=True)


@app.command()
def embed(
    index: Location,
    encoder: o.EncoderName = "",
    again: Annotated[bool, typer.Option("--again", help="Embed all documents again, with this encoder.")] = False,
    wait: Wait = 10.0,
) -> None:
    """Embed the documents that have no vectors. A stopped run continues with the next call.

    [bold]Example[/bold]

    pincite index embed --index contracts.pincite
    """
    with _opened(index, wait=wait) as opened, progress_bar("embedding") as progress:
        count = opened.embed(encoder, again=again, progress=progress)
        name = opened.engine.configuration.encoder
    typer.echo(f"embedded {count} document{'s' if count != 1 else ''}" + (f" with {name}" if name else ""))


@app.command()
def check(
    index: Location,
    repair: Annotated[bool, typer.Option("--repair", help="Rebuild what is damaged.")] = False,
    questions: Annotated[int, typer.Option(help="How many questions to measure approximate search with.")] = 200,
    as_json: AsJson = False,
    wait: Wait = 10.0,
) -> None:
    """Check an index: every document against its hash, every fragment, approximate search against exact search.

    [bold]Example[/bold]

    pincite index check --index contracts.pincite
    """
    from json import dumps

    with _opened(index, wait=wait, write=repair) as opened:
        found = opened.check(repair=repair, questions=questions)
    if as_json:
        typer.echo(dumps({**found.figures, "faults": found.faults}, indent=1))
    else:
        for name, value in found.figures.items():
            typer.echo(f"{name + ':':<28}{value}")
    for fault in found.faults:
        typer.echo(f"fault: {fault}", err=True)
    if found.faults:
        raise typer.Exit(1)
    typer.echo("all is well", err=True)


@app.command()
def backup(
    folder: Annotated[Path, typer.Argument(help="A new folder for the backup.")],
    index: Location,
    wait: Wait = 10.0,
) -> None:
    """Copy an index into a new folder, with the checksum of every file. Searching goes on meanwhile.

    [bold]Example[/bold]

    pincite index backup ~/backups/contracts-2026-11-17 --index contracts.pincite
    """
    with _opened(index, wait=wait, write=False) as opened, progress_bar("copying") as progress:
        made = opened.backup(folder, progress)
    typer.echo(f"wrote {made.folder}: {made.files} files, {made.size / 1e6:.1f} MB")


@app.command()
def restore(
    folder: Annotated[Path, typer.Argument(help="The folder of a backup.")],
    index: Annotated[str, typer.Option("--index", help="A new folder for the index, or opensearch://HOST:PORT/NAME.")],
) -> None:
    """Make an index of a backup, in a new folder or on a cluster. A damaged backup is refused.

    [bold]Example[/bold]

    pincite index restore ~/backups/contracts-2026-11-17 --index contracts.pincite
    """
    from pincite.index import Index

    with Index.restore(folder, index) as opened:
        count = len(opened)
    typer.echo(f"restored {index}: {count} documents")


@app.command()
def export(
    index: Location,
    to: Annotated[Path | None, typer.Option(help="A file. Default: standard output.")] = None,
) -> None:
    """Write each document as a line of JSON: text, metadata, source, passages.

    [bold]Example[/bold]

    pincite index export --index contracts.pincite --to contracts.jsonl
    """
    from pincite.errors import OutputError
    from pincite.output import atomic_file

    damaged: list[str] = []
    try:
        with _opened(index, write=False) as opened:
            if to is None:
                for line in opened.export(damaged):
                    typer.echo(line)
            else:
                with atomic_file(to) as out:
                    for line in opened.export(damaged):
                        out.write(f"{line}\n".encode())
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"{to}: cannot be written ({error.strerror})") from None
    for line in damaged:
        typer.echo(line, err=True)
    if damaged:
        raise typer.Exit(1)


def _opened(folder: str, *, create: bool = False, wait: float = 10.0, write: bool = True) -> "Index":
    from pincite.index import Index

    if create and not Index.exists(folder):
        Index.create(folder).close()
    return Index.open(folder, read_only=not write, wait=wait)


def _check(paths: list[Path], vectors: str) -> None:
    """Finds wrong input before an index is created for it."""
    from pincite.errors import DataError, one_of
    from pincite.index.index import VECTORS

    if vectors not in VECTORS:
        raise one_of("choice of --vectors", vectors, VECTORS)
    missing = [str(path) for path in paths if not path.exists() and not path.is_symlink()]
    if missing:
        raise DataError(f"{', '.join(missing)}: no such file or folder; nothing was added")
