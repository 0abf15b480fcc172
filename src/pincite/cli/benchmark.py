"""pincite benchmark: compares methods on a benchmark, with significance tests and a report."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import benchmark_beir, benchmark_questions
from pincite.cli import options as o

app = typer.Typer(help="Compare methods on a benchmark.", no_args_is_help=True)
app.command("beir")(benchmark_beir.beir)
app.command("questions")(benchmark_questions.questions)
app.command("trial")(benchmark_questions.trial)

COMPARED = ("found@10", "recall_budget@4000", "precision@1", "exact_match", "document@1")
"""The measures that significance is tested on."""

if TYPE_CHECKING:
    from pincite.models import Encoder
    from pincite.pipeline import Method

SHOWN = (*COMPARED, "span_f1", "recall@10", "ndcg@10")
"""The measures in the table."""


@app.callback()
def _group() -> None:
    """Compare methods on a benchmark."""


@app.command("legalbench-rag")
def legalbench_rag(
    data: Annotated[Path | None, typer.Option(help="The data folder. Default: $PINCITE_DATA/legalbench-rag.")] = None,
    which: Annotated[str, typer.Option("--set", help="mini, full, or the name of a set.")] = "mini",
    split: Annotated[str, typer.Option(help="test, dev, train or all.")] = "test",
    names: Annotated[str, typer.Option(help="Document names in questions: keep, strip, filter or reworded.")] = "keep",
    methods: Annotated[
        list[str] | None, typer.Option("--method", help="A method; repeatable. The others are compared with the last.")
    ] = None,
    fusion: Annotated[
        list[str] | None,
        typer.Option(help="fixed, rrf, learned, mlp or query; repeatable. hybrid: fixed or rrf."),
    ] = None,
    retriever: o.OwnRetriever = None,
    reranker: o.OwnReranker = None,
    limit: o.Limit = None,
    at: o.At = ":memory:",
    wordings: Annotated[bool, typer.Option("--wordings", help="Reword ContractNLI's 17 questions.")] = False,
    encoder: o.EncoderName = "",
    json: Annotated[Path | None, typer.Option(help="Also write the figures to this file (JSON).")] = None,
    report: Annotated[Path | None, typer.Option(help="Also write an HTML report into this folder.")] = None,
) -> None:
    """Run methods on LegalBench-RAG and print a table with significance tests.

    [bold]Example[/bold]

    pincite benchmark legalbench-rag --data samples --set contracts --method bm25 --method context
    """
    from pincite.cli.progress import progress_bar
    from pincite.cli.tables import console, table
    from pincite.errors import OutputError, one_of
    from pincite.evaluate.data import benchmark_folder
    from pincite.evaluate.legalbench_rag import pool_of, run_method
    from pincite.evaluate.names import NAMES
    from pincite.evaluate.report import page, weight_curve
    from pincite.evaluate.results import as_json, comparisons
    from pincite.evaluate.wordings import in_other_words
    from pincite.output import check_writable, write_json, write_text

    chosen = chosen_methods(methods, ["bm25", "hybrid", "default"], retriever, reranker, fusion)
    if names not in NAMES:
        raise one_of("choice of --names", names, NAMES)
    if json:
        check_writable(json)
    if report:
        try:
            report.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"{report}: the folder cannot be created ({error.strerror})") from None
    folder = benchmark_folder(data)
    pool = pool_of(folder, which, split, limit)
    if wordings:
        pool = in_other_words(pool)
    encoders = {one.encoder: encoder_or_none(encoder or one.encoder) for one in chosen}
    chosen = [one for one in chosen if encoders[one.encoder] or not one.needs_encoder]
    runs = []
    for one in chosen:
        with progress_bar(f"{one.label}: encoding") as progress:
            runs.append(run_method(one, pool, names, encoders[one.encoder], progress, at))
    out = console()
    title = f"{which}, split {split}, names {names}{', other wordings' * wordings}: {len(pool.documents)} documents"
    rows = [
        [run.method, name, str(int(figures["queries"])), *(f"{figures[shown]:.4f}" for shown in SHOWN)]
        for run in runs
        for name, figures in run.means().items()
        if name != "all" or len(run.sets) > 1
    ]
    out.print(table(["method", "set", "queries", *SHOWN], rows, left=2, title=title))
    found = comparisons(runs, COMPARED) if len(runs) > 1 else []
    if found:
        lines = [
            [f"{c.first} - {c.second}", c.measure, *(f"{x:+.4f}" for x in (c.difference, *c.interval, c.p_corrected))]
            for c in found
        ]
        out.print()
        out.print(table(["difference", "measure", "mean", "95 % from", "to", "p (Holm)"], lines, left=2))
    if json:
        write_json(json, as_json(runs, which, split, found))
    if report:
        last = next((encoders[one.encoder] for one in reversed(chosen) if encoders[one.encoder]), None)
        curve = weight_curve(folder, last) if last else []
        write_text(report / "report.html", page(runs, found, title, pool, curve))
        typer.echo(f"{report / 'report.html'}", err=True)


def chosen_methods(
    named: "list[str] | None",
    usual: "list[str]",
    retrievers: "list[str] | None",
    rerankers: "list[str] | None",
    fusions: "list[str] | None" = None,
) -> "list[Method]":
    """The methods that were named, then the user's own parts; the usual methods where there are neither."""
    from pincite.evaluate.own_parts import own_methods
    from pincite.pipeline import methods_with

    own = own_methods(retrievers or [], rerankers or [])
    return [*methods_with(named or ([] if own else usual), fusions or []), *own]


def encoder_or_none(name: str) -> "Encoder | None":
    """The encoder of that name; None, with a note, if it is not installed."""
    from pincite.errors import ModelError
    from pincite.models import load_encoder

    if name in ("", o.NO_ENCODER):
        return None
    try:
        return load_encoder(name)
    except ModelError as error:
        typer.echo(f"note: {str(error).splitlines()[0]}; dense parts are left out", err=True)
        return None


@app.command("references")
def references(
    data: Annotated[Path | None, typer.Option(help="The data folder. Default: $PINCITE_DATA/legalbench-rag.")] = None,
    split: Annotated[str, typer.Option(help="dev, train, test or all.")] = "dev",
    limit: o.Limit = None,
) -> None:
    """Measure query parsing alone: is the reference found, with its exact extent, and the right document?

    [bold]Example[/bold]

    pincite benchmark references --data samples --split all
    """
    from pincite.cli.tables import console, table
    from pincite.evaluate.data import benchmark_folder
    from pincite.evaluate.references import measure_references

    rows = [
        [row.form, str(row.queries), f"{row.found:.4f}", f"{row.document:.4f}", f"{row.extent:.4f}"]
        for row in measure_references(benchmark_folder(data), split, limit)
    ]
    console().print(table(["form of the reference", "queries", "found", "right document", "extent"], rows))


@app.command("profiles")
def profiles(
    data: Annotated[Path | None, typer.Option(help="The data folder. Default: $PINCITE_DATA.")] = None,
    labels: Annotated[Path, typer.Option(help="The labels, a JSON object a line.")] = Path("data/profiles.jsonl"),
    half: Annotated[str, typer.Option(help="report (set aside before rules were written), work, or all.")] = "report",
    misses: Annotated[bool, typer.Option("--misses", help="Also list what is wrong, document by document.")] = False,
    json: Annotated[Path | None, typer.Option(help="Also write the figures to this file (JSON).")] = None,
) -> None:
    """Measure what documents are called and how they are built: title, kind, parties, date, first-level outline.

    Every file is read twice: renamed d001, d002 ... so that its name tells nothing, and under its own name.

    [bold]Example[/bold]

    pincite benchmark profiles --half work --misses
    """
    from pincite.cli.progress import progress_bar
    from pincite.cli.tables import console, table
    from pincite.errors import one_of
    from pincite.evaluate.data import folder_of_data
    from pincite.evaluate.profiles import HALVES, MEASURES, means, measure_profiles, read_labels
    from pincite.output import check_writable, write_json

    if half not in HALVES:
        raise one_of("choice of --half", half, HALVES)
    if json:
        check_writable(json)
    folder, chosen = folder_of_data(data), read_labels(labels, half)
    runs = {}
    for names, renamed in (("renamed", True), ("own names", False)):
        with progress_bar(f"reading, {names}") as progress:
            runs[names] = list(measure_profiles(folder, chosen, renamed=renamed, progress=progress))
    lines = [
        [names, str(len(rows)), *(f"{value:.4f}" for value in means(rows).values())] for names, rows in runs.items()
    ]
    console().print(table(["files", "documents", *MEASURES], lines, title=f"profiles, half {half!r}"))
    for row in runs["renamed"] if misses else ():
        for name in MEASURES:
            if row.scores[name] < 1:
                typer.echo(f"{row.label.document}\n  {name} {row.scores[name]:.2f}: {getattr(row.found, name)}")
    if json:
        write_json(
            json,
            {
                "half": half,
                "runs": [
                    {
                        "names": names,
                        "documents": len(rows),
                        **means(rows),
                        "rows": [{"document": row.label.document, **row.scores} for row in rows],
                    }
                    for names, rows in runs.items()
                ],
            },
        )
