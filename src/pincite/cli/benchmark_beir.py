"""pincite benchmark beir: methods, and one's own retriever or re-ranker, on data in BEIR's layout."""

from pathlib import Path
from typing import Annotated

import typer

from pincite.cli import options as o


def beir(
    data: Annotated[Path, typer.Option(help="The folder with corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv.")],
    split: Annotated[str, typer.Option(help="The split: qrels/SPLIT.tsv.")] = "test",
    methods: Annotated[list[str] | None, typer.Option("--method", help="A method; repeatable.")] = None,
    retriever: o.OwnRetriever = None,
    reranker: o.OwnReranker = None,
    limit: o.Limit = None,
    encoder: o.EncoderName = "",
    runs: Annotated[Path | None, typer.Option(help="Also write qrels and TREC runs into this folder.")] = None,
    json: Annotated[Path | None, typer.Option(help="Also write the figures to this file (JSON).")] = None,
) -> None:
    """Run methods on data in BEIR's layout. Documents are ranked by their best passage.

    [bold]Example[/bold]

    pincite benchmark beir --data scifact --method bm25 --retriever my_parts:MyRetriever
    """
    from pincite.cli.benchmark import chosen_methods, encoder_or_none
    from pincite.cli.progress import progress_bar
    from pincite.cli.tables import console, table
    from pincite.evaluate.beir import read_beir, run_beir, write_runs
    from pincite.output import check_writable, write_json

    if json:
        check_writable(json)
    chosen = chosen_methods(methods, ["bm25", "default"], retriever, reranker)
    loaded = read_beir(data, split, limit)
    results = []
    for one in chosen:
        made = encoder_or_none(encoder or one.encoder)
        if one.needs_encoder and made is None:
            continue
        with progress_bar(f"{one.label}: encoding") as progress:
            results.append(run_beir(one, loaded, made, progress))
    title = f"{data.name}, split {split}: {len(loaded.documents)} documents, {len(loaded.queries)} questions"
    names = list(results[0].figures) if results else []
    rows = [[result.method, *(f"{result.figures[name]:.4f}" for name in names)] for result in results]
    console().print(table(["method", *names], rows, title=title))
    if runs:
        write_runs(runs, loaded, results)
    if json:
        shown = [
            {
                "method": result.method,
                "models": result.models,
                "seconds": round(result.seconds, 3),
                "queries": len(loaded.queries),
                **result.figures,
            }
            for result in results
        ]
        write_json(json, {"data": data.name, "split": split, "runs": shown})
