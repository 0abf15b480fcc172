"""pincite benchmark questions, pincite benchmark trial: questions as people ask them."""

from pathlib import Path
from typing import Annotated

import typer

from pincite.cli import options as o

SHOWN = ("found@10", "recall_budget@4000", "precision@1", "exact_match", "document@1", "whole@1")
"""The measures in the table."""


def questions(
    data: Annotated[
        Path | None, typer.Option(help="The folder with SPLIT.jsonl. Default: $PINCITE_DATA/questions.")
    ] = None,
    split: Annotated[
        str, typer.Option(help="dev, dev2 (only to report), train, or another file of that name.")
    ] = "dev",
    form: Annotated[
        str, typer.Option(help="named: the question names its document; given: a filter does; bare: nothing does.")
    ] = "named",
    methods: Annotated[list[str] | None, typer.Option("--method", help="A method; repeatable.")] = None,
    retriever: o.OwnRetriever = None,
    reranker: o.OwnReranker = None,
    limit: o.Limit = None,
    at: o.At = ":memory:",
    json: Annotated[Path | None, typer.Option(help="Also write the figures to this file (JSON).")] = None,
) -> None:
    """Measure answers to written questions, by style of question too.

    [bold]Example[/bold]

    pincite benchmark questions --split dev --form given
    """
    import os

    from pincite.cli.benchmark import chosen_methods, encoder_or_none
    from pincite.cli.progress import progress_bar
    from pincite.cli.tables import console, table
    from pincite.evaluate.data import folder_of_data
    from pincite.evaluate.legalbench_rag import run_method
    from pincite.evaluate.questions import question_likelihoods, question_pool, read_questions, style_figures
    from pincite.evaluate.results import as_json, comparisons
    from pincite.output import check_writable, write_json

    if json:
        check_writable(json)
    chosen = chosen_methods(methods, ["default"], retriever, reranker)
    folder = data or folder_of_data(None) / "questions"
    asked = read_questions(folder / f"{split}.jsonl")
    roots = [Path(os.environ["PINCITE_DATA"])] if os.environ.get("PINCITE_DATA") else []
    roots = [root for root in (*roots, folder.resolve().parent) if (root / asked[0].document).is_file()] or roots
    pool = question_pool(roots[0] if roots else folder.resolve().parent, asked, form, limit)
    runs, rows = [], []
    for one in chosen:
        with progress_bar(f"{one.label}: encoding") as progress:
            run = run_method(one, pool, "keep", encoder_or_none(one.encoder), progress, at)
        runs.append(run)
        tables = {"all": run.means()["all"], **style_figures(run)}
        rows += [
            [run.method, name, str(int(figures["queries"])), *(f"{figures[shown]:.4f}" for shown in SHOWN)]
            for name, figures in tables.items()
        ]
    out = console()
    title = f"questions {split}, {form}: {len(pool.documents)} documents"
    out.print(table(["method", "style", "queries", *SHOWN], rows, left=2, title=title))
    for run in runs:
        if judged := question_likelihoods(run):
            out.print(
                f"{run.method}: AUROC {judged['auroc']:.4f}, calibration error {judged['calibration_error']:.4f}, "
                f"answerable ones hidden by a likelihood below 0.5: {judged['hidden']:.4f}",
                highlight=False,
            )
    if json:
        shape = as_json(runs, form, split, comparisons(runs, SHOWN) if len(runs) > 1 else [])
        for run, figures in zip(runs, shape["runs"], strict=True):
            figures |= {"form": form, "styles": style_figures(run), **question_likelihoods(run)}
        write_json(json, shape)


def trial(
    data: Annotated[
        Path | None, typer.Option(help="The data folder, which holds real/. Default: $PINCITE_DATA.")
    ] = None,
    questions: Annotated[Path, typer.Option(help="The questions, a JSON object a line.")] = Path("data/trial.jsonl"),
    half: Annotated[str, typer.Option(help="report (set aside before anything was built), work, or all.")] = "report",
    misses: Annotated[
        bool, typer.Option("--misses", help="Also list the questions whose first answer is wrong.")
    ] = False,
    fast: Annotated[bool, typer.Option("--fast", help="Leave out the re-ranker.")] = False,
    json: Annotated[Path | None, typer.Option(help="Also write the figures to this file (JSON).")] = None,
) -> None:
    """Try the questions of `data/trial.jsonl` as a new user would: is the first answer right?

    [bold]Example[/bold]

    pincite benchmark trial --half work --misses
    """
    from pincite.cli.benchmark import encoder_or_none
    from pincite.cli.progress import progress_bar
    from pincite.cli.tables import console, table
    from pincite.errors import one_of
    from pincite.evaluate.data import folder_of_data
    from pincite.evaluate.profiles import HALVES
    from pincite.evaluate.trial import checkable, read_trial, trial_answers, trial_documents, trial_figures
    from pincite.output import check_writable, write_json
    from pincite.pipeline import method

    if half not in HALVES:
        raise one_of("choice of --half", half, HALVES)
    if json:
        check_writable(json)
    documents = trial_documents(folder_of_data(data), questions.resolve().parent.parent)
    asked, left_out = checkable(read_trial(questions, half), documents)
    for reason in left_out:
        typer.echo(f"left out: {reason}", err=True)
    with progress_bar("embedding") as progress:
        answers = trial_answers(asked, documents, encoder_or_none(method("default").encoder), progress, fast=fast)
    figures = trial_figures(asked, answers)
    rows = [[name, str(row["questions"]), f"{row['first']:.4f}", f"{row['five']:.4f}"] for name, row in figures.items()]
    console().print(table(["kind", "questions", "right first", "in first five"], rows, title=f"trial, half {half!r}"))
    for row, answer in zip(asked, answers, strict=True) if misses else ():
        if not answer.hits or not row.is_right(answer.hits[0]):
            typer.echo(f"\n{row.kind}: {row.question}")
            named = ", ".join(f"{match.id} ({match.belief:.2f})" for match in answer.understood.documents[:3])
            typer.echo(f"  understood: {answer.understood.question!r} of {named or 'all documents'}")
            for hit in answer.hits[:2]:
                words = " ".join(hit.shown.split())[:160]
                typer.echo(f"  {hit.rank}. {hit.document_id} {hit.start}-{hit.end}: {words}")
            for place in row.gold[:3]:
                typer.echo(f"  right: {place.document} {place.start}-{place.end}")
    if json:
        write_json(json, {"half": half, "kinds": figures})
