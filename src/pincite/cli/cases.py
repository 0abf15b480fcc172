"""pincite cases: whole-case retrieval: cases like a judgment; rank, tune, evaluate and compare."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from pincite.cli import options as o

if TYPE_CHECKING:
    from pincite.cases import CaseRanking, CaseSet
    from pincite.cases.methods import AnyMethod, AnyRanker
    from pincite.cases.selection import AnySelection

app = typer.Typer(
    help="Case retrieval: for a whole judgment, the earlier cases that it should cite.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)

Form: TypeAlias = Annotated[str, typer.Option("--format", help="coliee, aila or folder.")]
Data: TypeAlias = Annotated[
    Path | None, typer.Option(help="The folder with the cases. Default for aila: $PINCITE_DATA/aila2019.")
]
Queries: TypeAlias = Annotated[Path | None, typer.Option(help="The folder with the query cases; for aila the file.")]
Qrels: TypeAlias = Annotated[Path | None, typer.Option(help="The labels: COLIEE JSON, TREC qrels, or two columns.")]
Task: TypeAlias = Annotated[str, typer.Option(help="aila: precedents or statutes.")]
MethodName: TypeAlias = Annotated[str, typer.Option("--method", help="A method; docs/cases.md lists them.")]
Params: TypeAlias = Annotated[Path | None, typer.Option(help="The file that 'cases tune --params' wrote.")]
Json: TypeAlias = Annotated[Path | None, typer.Option("--json", help="Also write the result to this file (JSON).")]


@app.command()
def like(
    index: Annotated[str, typer.Option(help="The index with the cases.")],
    document: Annotated[
        str, typer.Argument(help="A judgment of the index: its id, or a part of its id or title.")
    ] = "",
    file: Annotated[Path | None, typer.Option(help="A judgment in a file instead, of any format that is read.")] = None,
    k: Annotated[int, typer.Option("--k", "-k", min=1, help="How many cases.")] = 5,
    where: o.WherePairs = None,
    after: o.After = "",
    before: o.Before = "",
    later: Annotated[bool, typer.Option("--later", help="Also cases that were decided after the judgment.")] = False,
    date: Annotated[str, typer.Option(help="When the judgment was decided, if its text does not say.")] = "",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write a .csv, .docx or .json file.")] = None,
) -> None:
    """Find the cases of an index that are most like a judgment: the two passages that match best, and why.

    [bold]Examples[/bold]

    pincite cases like "Rao v Sen" --index judgments.pincite --where court="Supreme Court of India"

    pincite cases like --file new-judgment.pdf --index judgments.pincite --date 2024-03-31 --output like.docx
    """
    from pincite.cli.cases_like import FORMS, judgment, shown, write_cases
    from pincite.cli.index_list import counted
    from pincite.cli.progress import progress_bar
    from pincite.errors import UsageError
    from pincite.index import Index
    from pincite.output import check_writable

    if bool(document) == (file is not None):
        raise UsageError("name a judgment of the index, or a file with --file: one of the two")
    if output and output.suffix.lower() not in FORMS:
        raise UsageError(f"--output {output}: name a file that ends in {', '.join(FORMS)}")
    if output:
        check_writable(output)
    filtered = o.filter_of(None, where, after, before)
    with Index.open(index, read_only=True) as opened, progress_bar("reading cases", estimate=True) as progress:
        case = opened.document(document) if file is None else judgment(file)
        answer = opened.similar_cases(case, k, filtered, later=later, date=date, progress=progress)
    for note in answer.notes:
        typer.echo(f"note: {note}", err=True)
    if output:
        write_cases(output, answer)
    else:
        for line in shown(answer):
            typer.echo(line)
    typer.echo(f"compared with {counted(answer.compared, 'case')}", err=True)


@app.command()
def rank(
    form: Form = "folder",
    data: Data = None,
    queries: Queries = None,
    qrels: Qrels = None,
    task: Task = "precedents",
    method: MethodName = "default",
    params: Params = None,
    runs: Annotated[Path | None, typer.Option(help="A folder for run.txt (TREC) and submission.txt (COLIEE).")] = None,
    k: Annotated[int, typer.Option("--k", "-k", min=1, help="How many cases to show for each query.")] = 5,
    json: Json = None,
) -> None:
    """Rank the cases for each query, and show why each was found: the two passages that match best.

    [bold]Example[/bold]

    pincite cases rank --format folder --data judgments --queries new --runs out
    """
    from pincite.cases.output import submission, trec_run
    from pincite.output import write_json, write_text

    cases = _load(form, data, queries, qrels, task)
    chosen, selection = _chosen(method, params)
    ranker, rankings, _ = _ranked(cases, chosen)
    shown = [_shape(ranker, at, ranking, k) for at, ranking in enumerate(rankings)]
    if runs:
        runs.mkdir(parents=True, exist_ok=True)
        write_text(runs / "run.txt", trec_run(rankings))
        write_text(runs / "submission.txt", submission(rankings, selection))
        typer.echo(f"wrote {runs / 'run.txt'} and {runs / 'submission.txt'}", err=True)
    if json:
        write_json(json, shown)
    for entry in shown:
        typer.echo(entry["query"])
        for hit in entry["cases"]:
            typer.echo(f"  {hit['rank']:3} {hit['case']}  {hit['score']:.4f}")
            if hit["reason"]:
                typer.echo(f"      [{hit['reason']['start']}-{hit['reason']['end']}] {hit['reason']['text'][:140]}")


@app.command()
def tune(
    form: Form = "folder",
    data: Data = None,
    queries: Queries = None,
    qrels: Qrels = None,
    task: Task = "precedents",
    method: MethodName = "default",
    first: Annotated[int, typer.Option(min=1, help="Tune on the first N labelled queries.")] = 100,
    params: Annotated[Path | None, typer.Option(help="Write the best thresholds to this file.")] = None,
    json: Json = None,
) -> None:
    """Find the selection with the best micro-F1: alpha, beta and gamma, or how far scores must stand out.

    [bold]Example[/bold]

    pincite cases tune --format coliee --data task1_train_files --qrels task1_train_labels.json --params best.json
    """
    from pincite.cases.evaluation import as_ranked
    from pincite.cases.parameters import CaseParameters
    from pincite.cases.selection import tuned_best
    from pincite.output import write_json

    cases = _load(form, data, queries, qrels, task)
    cases = cases.only(cases.judged()[:first])
    chosen, _ = _chosen(method, None)
    _, rankings, seconds = _ranked(cases, chosen)
    ranked = as_ranked(cases, rankings)
    best = tuned_best(ranked)
    held = CaseParameters(chosen.name, best[0])
    typer.echo(f"{chosen.name}, {len(ranked)} queries: {best[0]}")
    typer.echo(f"micro-F1 {best[1].f1:.4f}  precision {best[1].precision:.4f}  recall {best[1].recall:.4f}")
    typer.echo(f"ranked in {seconds:.1f} s", err=True)
    if params:
        write_json(params, held.to_dict())
    if json:
        write_json(json, {**held.to_dict(), "micro_f1": best[1].f1, "seconds": round(seconds, 3)})


@app.command()
def evaluate(
    form: Form = "folder",
    data: Data = None,
    queries: Queries = None,
    qrels: Qrels = None,
    task: Task = "precedents",
    method: MethodName = "default",
    params: Params = None,
    runs: Annotated[Path | None, typer.Option(help="A folder for run.txt (TREC).")] = None,
    json: Json = None,
) -> None:
    """Measure a method against labels: micro-F1, MAP with its interval, P@10, R@100, nDCG@10.

    [bold]Example[/bold]

    pincite cases evaluate --format aila --data aila2019 --method document
    """
    from pincite.cases.evaluation import evaluated
    from pincite.cases.output import trec_run
    from pincite.measures.significance import bootstrap
    from pincite.output import write_json, write_text

    cases = _load(form, data, queries, qrels, task)
    cases = cases.only(cases.judged())
    chosen, selection = _chosen(method, params)
    _, rankings, seconds = _ranked(cases, chosen)
    found = evaluated(cases, rankings, selection)
    means = {name: sum(values) / max(1, len(values)) for name, values in found.each.items()}
    result = {
        "method": chosen.name,
        "queries": len(found.queries),
        **means,
        "map_interval": list(bootstrap(found.each["map"])),
        "micro_f1": found.micro.f1,
        "precision": found.micro.precision,
        "recall": found.micro.recall,
        "seconds": round(seconds, 3),
    }
    low, high = bootstrap(found.each["map"])
    typer.echo(f"{chosen.name}: {len(found.queries)} queries, {len(cases.candidates)} cases, {seconds:.1f} s")
    typer.echo(
        f"MAP {means['map']:.4f} ({low:.4f} to {high:.4f})  P@10 {means['p@10']:.4f}  R@100 {means['r@100']:.4f}"
    )
    typer.echo(f"nDCG@10 {means['ndcg@10']:.4f}")
    typer.echo(
        f"micro-F1 {found.micro.f1:.4f}  precision {found.micro.precision:.4f}  recall {found.micro.recall:.4f}"
        f"  (selected: {selection})"
    )
    if runs:
        runs.mkdir(parents=True, exist_ok=True)
        write_text(runs / "run.txt", trec_run(rankings))
    if json:
        write_json(json, result)


@app.command()
def compare(
    form: Form = "aila",
    data: Data = None,
    queries: Queries = None,
    qrels: Qrels = None,
    task: Task = "precedents",
    methods: Annotated[
        list[str] | None, typer.Option("--method", help="A method; repeatable. Default: all but the slow ones.")
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(help="The method that the others are compared with. Default: the strongest BM25 on whole cases."),
    ] = None,
    json: Json = None,
) -> None:
    """Compare methods on labelled queries: MAP with intervals, and a last row for cross-validated choice of the method.

    [bold]Example[/bold]

    pincite cases compare --format aila --data aila2019 --method document --method segments --method blend
    """
    from pincite.cases.comparison import compared
    from pincite.cases.methods import METHODS, PLAIN, SLOW, case_method
    from pincite.cli.tables import console, table
    from pincite.output import write_json

    cases = _load(form, data, queries, qrels, task)
    cases = cases.only(cases.judged())
    every = methods or [name for name in METHODS if name not in SLOW]
    names = list(dict.fromkeys([case_method(name).name for name in [*([baseline] if baseline else []), *every]]))
    rows = compared(
        cases,
        [case_method(name) for name in names],
        lambda line: typer.echo(line, err=True),
        plain=() if baseline else PLAIN,
        baseline=case_method(baseline).name if baseline else None,
    )
    shown = [
        [
            row.method,
            *(f"{value:.4f}" for value in (row.map, *row.interval, row.p10, row.r100, row.p)),
            *("" if value is None else f"{value:.4f}" for value in (row.f1, row.rule_f1, row.tuned_f1)),
            f"{row.seconds:.1f}",
        ]
        for row in rows
    ]
    head = ["method", "MAP", "95 % from", "to", "P@10", "R@100", "p", "micro-F1", "its rule", "tuned", "seconds"]
    console().print(table(head, shown))
    typer.echo(
        f"p: against {rows[0].baseline}; micro-F1: by the default selection, by its rule with numbers chosen on the "
        "other folds, and by the better of both rules, tuned there"
    )
    for row in rows:
        for note in row.notes:
            typer.echo(f"{row.method}, {note}")
    if json:
        write_json(json, [row.to_dict() for row in rows])


def _load(form: str, data: Path | None, queries: Path | None, qrels: Path | None, task: str) -> "CaseSet":
    from pincite.cases.loading import load_cases
    from pincite.errors import UsageError
    from pincite.evaluate.data import data_folder

    if data is None and form != "aila":
        raise UsageError("--data is missing: name the folder with the cases")
    cases = load_cases(form, data or data_folder(None) / "aila2019", queries, qrels, task)
    for note in cases.notes:
        typer.echo(f"note: {note}", err=True)
    return cases


def _chosen(method: str, params: Path | None) -> "tuple[AnyMethod, AnySelection]":
    from pincite.cases.methods import case_method
    from pincite.cases.parameters import CaseParameters
    from pincite.cases.selection import DEFAULT

    if params is None:
        return case_method(method), DEFAULT
    held = CaseParameters.read(params)
    return case_method(held.method if method == "default" else method), held.selection


def _ranked(cases: "CaseSet", method: "AnyMethod") -> "tuple[AnyRanker, list[CaseRanking], float]":
    from time import perf_counter

    from pincite.cases.methods import ranker_of
    from pincite.cases.ranking import CaseTexts
    from pincite.cli.progress import progress_bar

    started = perf_counter()
    with progress_bar("reading cases", estimate=True) as progress:
        read = CaseTexts(cases.candidates, progress)
        ranker = ranker_of(cases, method, read)
    with progress_bar("ranking", estimate=True) as progress:
        rankings = ranker.rank(progress)
    return ranker, rankings, perf_counter() - started


def _shape(ranker: "AnyRanker", at: int, ranking: "CaseRanking", k: int) -> dict[str, Any]:
    texts = {case.id: case.text for case in ranker.cases.candidates}
    hits = []
    for place, case in enumerate(ranking.cases[:k]):
        reason = ranker.reason(at, case)
        hits.append(
            {
                "rank": place + 1,
                "case": case,
                "score": round(float(ranking.scores[place]), 6),
                "reason": {
                    "start": reason.case.start,
                    "end": reason.case.end,
                    "text": " ".join(texts[case][reason.case.start : reason.case.end].split()),
                    "query_start": reason.query.start,
                    "query_end": reason.query.end,
                    "authorities": _authorities(texts[case][reason.case.start : reason.case.end]),
                }
                if reason
                else None,
            }
        )
    return {"query": ranking.query, "cases": hits}


def _authorities(text: str) -> list[str]:
    """The citations in a passage; none if eyecite is not installed."""
    from importlib.util import find_spec

    from pincite.cases.citations import citations

    return [found.text for found in citations(text)] if find_spec("eyecite") else []
