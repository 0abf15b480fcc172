"""pincite index: a collection on disk that is created, filled, changed, looked at and checked."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO, TypeAlias

import typer

from pincite.cli import options as o
from pincite.cli.progress import progress_bar
from pincite.cli.search import DEFAULT_ENCODER

if TYPE_CHECKING:
    from pincite.index import EmbeddedEngine
    from pincite.index.adding import Added, Adding, Plan

app = typer.Typer(
    name="index",
    help="A collection on disk: create, add, sync, remove, list, show, embed, check, export.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)

Index: TypeAlias = Annotated[Path, typer.Option("--index", help="The index: a folder, by custom named NAME.pincite.")]
Wait: TypeAlias = Annotated[float, typer.Option(help="So many seconds to wait for another writer.")]
Create: TypeAlias = Annotated[bool, typer.Option("--create", help="Make the index if it is not there.")]
Vectors: TypeAlias = Annotated[str, typer.Option(help="Vectors of new documents: now, later ('index embed'), or none.")]
Set: TypeAlias = Annotated[
    list[str] | None, typer.Option("--set", help="key=value for every document of this call; repeatable.")
]
MetadataFile: TypeAlias = Annotated[
    Path | None, typer.Option("--metadata", help="A .csv or .json file with values for each document.")
]
Retry: TypeAlias = Annotated[bool, typer.Option("--retry", help="Read files again that could not be read before.")]
Reread: TypeAlias = Annotated[bool, typer.Option("--reread", help="Read all files again, with today's readers.")]
NoOcr: TypeAlias = Annotated[bool, typer.Option("--no-ocr", help="Leave scanned pages unread, also with tesseract.")]
Seconds: TypeAlias = Annotated[float, typer.Option("--seconds", help="The most time for reading one file.")]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="As JSON, for programs.")]


@app.command()
def create(folder: Annotated[Path, typer.Argument(help="A new folder, by custom named NAME.pincite.")]) -> None:
    """Make an empty index.

    [bold]Example[/bold]

    pincite index create contracts.pincite
    """
    from pincite.index import EmbeddedEngine

    EmbeddedEngine.create(folder)
    typer.echo(f"made {folder}; next: pincite index add FOLDER --index {folder}", err=True)


@app.command()
def add(
    paths: Annotated[list[Path], typer.Argument(help="Files or folders.")],
    index: Index,
    create: Create = False,
    name: Annotated[str, typer.Option(help="What the ids begin with, instead of the folder's own name.")] = "",
    vectors: Vectors = "now",
    encoder: o.EncoderName = DEFAULT_ENCODER,
    set_: Set = None,
    metadata: MetadataFile = None,
    retry: Retry = False,
    reread: Reread = False,
    no_ocr: NoOcr = False,
    seconds: Seconds = 120.0,
    wait: Wait = 10.0,
    as_json: AsJson = False,
) -> None:
    """Read files and folders into an index; what is there and has not changed is left as it is.

    [bold]Examples[/bold]

    pincite index add ~/contracts --index contracts.pincite --create

    pincite index add lease.pdf --index contracts.pincite --set matter=4711
    """
    from pincite.errors import DataError
    from pincite.index.adding import add as add_path

    _check_vectors(vectors)
    settings = _adding(name, set_, metadata, retry=retry, reread=reread, ocr=not no_ocr, seconds=seconds)
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        raise DataError(f"{', '.join(missing)}: no such file or folder; nothing was added")
    with _opened(index, create=create, wait=wait) as engine, engine.writing():
        results = []
        for path in paths:
            with progress_bar("reading") as progress:
                results.append(add_path(engine, path, settings, progress))
        embedded = _embed(engine, encoder) if vectors == "now" else 0
    _report(results, embedded, vectors, as_json=as_json)


@app.command()
def sync(
    folder: Annotated[Path, typer.Argument(help="The folder that the index shall follow.")],
    index: Index,
    create: Create = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")] = False,
    allow_removals: Annotated[
        bool, typer.Option("--allow-removals", help="Also where the folder is missing, or much of it is gone.")
    ] = False,
    name: Annotated[str, typer.Option(help="What the ids begin with, instead of the folder's own name.")] = "",
    vectors: Vectors = "now",
    encoder: o.EncoderName = DEFAULT_ENCODER,
    set_: Set = None,
    metadata: MetadataFile = None,
    retry: Retry = False,
    reread: Reread = False,
    no_ocr: NoOcr = False,
    seconds: Seconds = 120.0,
    wait: Wait = 10.0,
    as_json: AsJson = False,
) -> None:
    """Make an index follow a folder: add the new, update the changed, remove the gone (of this folder only).

    If the folder is missing or empty, or more than 30 % of its files would go, nothing is changed.

    [bold]Examples[/bold]

    pincite index sync ~/contracts --index contracts.pincite --dry-run

    pincite index sync ~/contracts --index contracts.pincite
    """
    from pincite.errors import DataError
    from pincite.index.adding import plan_sync
    from pincite.index.adding import sync as sync_folder

    _check_vectors(vectors)
    settings = _adding(
        name, set_, metadata, retry=retry, reread=reread, ocr=not no_ocr, seconds=seconds, allow_removals=allow_removals
    )
    if not folder.is_dir() and not index.exists():
        raise DataError(f"{folder}: no such folder; nothing was made")
    with _opened(index, create=create and not dry_run, wait=wait, write=not dry_run) as engine:
        if dry_run:
            _show_plan(plan_sync(engine, folder, settings), as_json=as_json)
            return
        with engine.writing():
            with progress_bar("reading") as progress:
                result = sync_folder(engine, folder, settings, progress)
            embedded = _embed(engine, encoder) if vectors == "now" else 0
    _report([result], embedded, vectors, as_json=as_json)


@app.command()
def remove(
    documents: Annotated[list[str], typer.Argument(help="Ids, as 'index list' shows them.")],
    index: Index,
    purge: Annotated[bool, typer.Option("--purge", help="Leave no byte of their text in the folder.")] = False,
    wait: Wait = 10.0,
) -> None:
    """Remove documents from an index. Files are never touched; the next sync of their folder brings them back.

    [bold]Example[/bold]

    pincite index remove contracts/old-lease.pdf --purge --index contracts.pincite
    """
    with _opened(index, wait=wait) as engine:
        count = engine.remove(documents, purge=purge)
    typer.echo(f"removed {count} document{'s' if count != 1 else ''}{', and every trace of the text' if purge else ''}")
    typer.echo("the files themselves are untouched: a sync of their folder reads them again", err=True)


@app.command("list")
def list_(
    index: Index,
    failed: Annotated[
        bool, typer.Option("--failed", help="Instead: the files that are not searchable, and why.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List the documents of an index: id, title, kind, parties, date, pages.

    [bold]Example[/bold]

    pincite index list --index contracts.pincite
    """
    from json import dumps

    from pincite.cli.show import safe
    from pincite.cli.tables import console, table

    with _opened(index, write=False) as engine:
        if failed:
            lines = [line for file in engine.files().values() for line in file.failures]
            typer.echo(dumps(lines, indent=1, ensure_ascii=False) if as_json else "\n".join(map(safe, lines)))
            return
        entries = engine.documents()
        missing = sum(1 for file in engine.files().values() if file.failures)
    if as_json:
        from pincite.index.listing import listing

        typer.echo(dumps([listing(entry) for entry in entries], indent=1, ensure_ascii=False))
        return
    rows = [
        [
            *(safe(entry.id), safe(entry.title), entry.profile.kind, safe("; ".join(entry.profile.parties[:2]))),
            *(
                entry.profile.iso_date,
                str(entry.pages or ""),
                str(entry.unit_count),
                "yes" if entry.has_vectors else "",
            ),
        ]
        for entry in entries
    ]
    columns = ["document", "title", "kind", "parties", "date", "pages", "passages", "vectors"]
    longest = max((len(row[0]) for row in rows), default=0)
    console(least=longest + 100).print(table(columns, rows, left=5, whole=True))
    if missing:
        typer.echo(f"{missing} files are not searchable: pincite index list --failed --index {index}", err=True)


@app.command()
def show(
    document: Annotated[str, typer.Argument(help="An id, or a part of an id or title that only one document has.")],
    index: Index,
    text: Annotated[bool, typer.Option("--text", help="The whole text instead.")] = False,
    page: Annotated[int, typer.Option(min=1, help="With --image: which page of a PDF file.")] = 1,
    image: Annotated[Path | None, typer.Option(help="Write that page as a picture (PNG) to this file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show one document: what it is called, where it came from, its outline.

    [bold]Examples[/bold]

    pincite index show garnet-quay --index contracts.pincite

    pincite index show deed.pdf --page 3 --image page-3.png --index contracts.pincite
    """
    if image is not None:
        _write_picture(index, document, page, image)
        return
    from json import dumps

    from pincite.cli.show import safe
    from pincite.index.listing import listing, outline

    with _opened(index, write=False) as engine:
        held = engine.held(document)
        entry = next(entry for entry in engine.documents() if entry.id == held.document.id)
    if text:
        typer.echo(held.document.text, nl=False)
        return
    shape = {**listing(entry), "reader": held.document.source.reader, "outline": outline(held)}
    if as_json:
        typer.echo(dumps(shape, indent=1, ensure_ascii=False))
        return
    for key, value in shape.items():
        if key == "outline" or not value:
            continue
        pairs = [f"{name}={held}" for name, held in value.items()] if isinstance(value, dict) else value
        shown = "; ".join(map(str, pairs)) if isinstance(pairs, list) else "yes" if pairs is True else str(pairs)
        typer.echo(f"{key + ':':<14}{safe(shown)}")
    typer.echo("outline:")
    for level, title, start in outline(held):
        typer.echo(f"  {'  ' * level}{safe(title)}  [{start}]")


def _write_picture(index: Path, document: str, page: int, file: Path) -> None:
    from pincite.evaluate.output import write_bytes
    from pincite.serve.backend import Backend

    with Backend(index) as backend:
        write_bytes(file, backend.page_image(backend.named(document).id, page))
    typer.echo(f"wrote {file}", err=True)


@app.command()
def embed(
    index: Index,
    encoder: o.EncoderName = "",
    again: Annotated[bool, typer.Option("--again", help="Make all vectors anew, with this encoder.")] = False,
    wait: Wait = 10.0,
) -> None:
    """Make the vectors that are missing; stopped in the middle, the next call goes on.

    [bold]Example[/bold]

    pincite index embed --index contracts.pincite
    """
    from pincite.models import load_encoder

    with _opened(index, wait=wait) as engine, engine.writing():
        name = encoder or engine.configuration.encoder or DEFAULT_ENCODER
        loaded = load_encoder(name)
        if again:
            engine.forget_vectors()
        with progress_bar("making vectors") as progress:
            count = engine.embed(loaded, progress, _loadable(name))
    typer.echo(f"made the vectors of {count} document{'s' if count != 1 else ''} with {name}")


@app.command()
def check(
    index: Index,
    repair: Annotated[bool, typer.Option("--repair", help="Make snapshots anew that are not as written.")] = False,
    questions: Annotated[int, typer.Option(help="So many questions measure the approximate search.")] = 200,
    as_json: AsJson = False,
    wait: Wait = 10.0,
) -> None:
    """Check an index: every document against its hash, every snapshot, approximate search against exact search.

    [bold]Example[/bold]

    pincite index check --index contracts.pincite
    """
    from json import dumps

    with _opened(index, wait=wait, write=repair) as engine:
        found = engine.check(repair=repair, questions=questions)
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
def export(
    index: Index,
    to: Annotated[Path | None, typer.Option(help="A file; else standard output.")] = None,
) -> None:
    """Write every document as a line of JSON: text, metadata, source, passages. What is in an index is never locked in.

    [bold]Example[/bold]

    pincite index export --index contracts.pincite --to contracts.jsonl
    """
    from pincite.errors import OutputError
    from pincite.index.listing import exported

    damaged: list[str] = []
    try:
        with _opened(index, write=False) as engine, _written(to) as out:
            for line in exported(engine, damaged):
                out.write(line + "\n")
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"{to}: cannot be written ({error.strerror})") from None
    for line in damaged:
        typer.echo(line, err=True)
    if damaged:
        raise typer.Exit(1)


@contextmanager
def _written(path: Path | None) -> "Iterator[TextIO]":
    """Standard output, or a file that is there whole or not at all."""
    if path is None:
        yield sys.stdout
        return
    fresh = path.with_name(path.name + ".new")
    with fresh.open("w", encoding="utf-8") as out:
        yield out
    fresh.rename(path)


@contextmanager
def _opened(
    folder: Path, *, create: bool = False, wait: float = 10.0, write: bool = True
) -> "Iterator[EmbeddedEngine]":
    from pincite.index import EmbeddedEngine
    from pincite.index.store import DATABASE

    if create and not (folder / DATABASE).exists():
        EmbeddedEngine.create(folder)
    with EmbeddedEngine(folder, write=write, wait=wait) as engine:
        yield engine


def _check_vectors(vectors: str) -> None:
    from pincite.errors import one_of

    if vectors not in ("now", "later", "none"):
        raise one_of("choice of --vectors", vectors, ("now", "later", "none"))


def _adding(
    name: str,
    pairs: list[str] | None,
    file: Path | None,
    *,
    retry: bool,
    reread: bool,
    ocr: bool,
    seconds: float,
    allow_removals: bool = False,
) -> "Adding":
    from pincite.documents.limits import Limits
    from pincite.index.adding import Adding
    from pincite.index.metadata import Metadata

    said = Metadata.read(file, pairs or [])
    return Adding(
        said,
        Limits(seconds=seconds),
        ocr=ocr,
        retry=retry,
        reread=reread,
        allow_removals=allow_removals,
        name=name,
    )


def _embed(engine: "EmbeddedEngine", name: str) -> int:
    """Makes the missing vectors where the encoder is at hand; else says how to get them."""
    from pincite.errors import ModelError, UsageError
    from pincite.models import load_encoder

    if name == o.NO_ENCODER or all(entry.has_vectors for entry in engine.documents()):
        return 0
    chosen = engine.configuration.encoder if name == DEFAULT_ENCODER and engine.configuration.encoder else name
    try:
        loaded = load_encoder(chosen)
    except (ModelError, UsageError) as error:
        if name != DEFAULT_ENCODER:
            raise
        typer.echo(f"note: no vectors were made ({str(error).splitlines()[0]}); search by words works", err=True)
        return 0
    with progress_bar("making vectors") as progress:
        return engine.embed(loaded, progress, _loadable(chosen))


def _loadable(name: str) -> str:
    """What the encoder can be loaded by from anywhere: a folder by its full path."""
    return str(Path(name).resolve()) if Path(name).is_dir() else name


def _show_plan(plan: "Plan", *, as_json: bool) -> None:
    from json import dumps

    from pincite.cli.show import safe

    changed = sorted([*plan.changed, *plan.redescribed])
    shape = {"new": plan.new, "changed": changed, "gone": plan.gone, "same": len(plan.same)}
    if as_json:
        typer.echo(dumps(shape, indent=1, ensure_ascii=False))
        return
    for sign, paths in (("+", plan.new), ("~", changed), ("-", plan.gone)):
        for path in paths:
            typer.echo(f"{sign} {safe(path)}")
    typer.echo(
        f"would add {len(plan.new)}, update {len(changed)} and remove {len(plan.gone)} files; "
        f"{len(plan.same)} are the same",
        err=True,
    )


def _report(results: "list[Added]", embedded: int, vectors: str, *, as_json: bool) -> None:
    """What was done, then what is not searchable and why; the exit code says whether there is any."""
    from json import dumps

    from pincite.cli.show import safe

    failures = list(dict.fromkeys(failure for result in results for failure in result.failures))
    notes = list(dict.fromkeys(note for result in results for note in result.notes))
    shape = {
        "new": sum(result.new for result in results),
        "changed": sum(result.changed for result in results),
        "removed": sum(result.removed for result in results),
        "same": sum(result.same for result in results),
        "documents": sum(result.documents for result in results),
        "embedded": embedded,
    }
    if as_json:
        typer.echo(dumps({**shape, "notes": notes, "failures": failures}, indent=1, ensure_ascii=False))
    else:
        done = (
            f"{shape['new']} files added, {shape['changed']} updated, {shape['removed']} removed, {shape['same']} same"
        )
        typer.echo(f"{done}; {shape['documents']} documents read" + (f", {embedded} with vectors" if embedded else ""))
        if vectors == "later" and shape["documents"]:
            typer.echo("searchable by words now; 'pincite index embed' makes the vectors")
    for note in notes:
        typer.echo(f"note: {safe(note)}", err=True)
    if failures:
        typer.echo(f"{len(failures)} not searchable:", err=True)
        for failure in failures:
            typer.echo(f"  {safe(failure)}", err=True)
        raise typer.Exit(1)
