"""pincite run: runs a retriever on a benchmark."""

from pathlib import Path
from typing import Annotated

import typer

from pincite.cli import options as o


def run(
    corpus: o.Corpus,
    benchmark: o.BenchmarkFile,
    output: Annotated[Path, typer.Option(help="The file for the predictions (JSON).")],
    retriever: o.RetrieverName = "bm25",
    k: o.K = 10,
    segment: o.Segment = "words",
    chunk_size: Annotated[
        int | None, typer.Option(min=1, help="The size of a passage, in words, sentences or characters.")
    ] = None,
    overlap: Annotated[
        int | None, typer.Option(min=0, help="How many of them neighbouring passages share. Default for words: half.")
    ] = None,
    max_features: o.MaxFeatures = 5000,
    k1: o.K1 = 1.5,
    b: o.B = 0.75,
    form: o.Form = "okapi",
    fusion: o.FusionName = "fixed",
    bm25_weight: o.Bm25Weight = 0.55,
    depth: o.Depth = 100,
    encoder: o.EncoderName = "all-MiniLM-L6-v2",
    limit: o.Limit = None,
    unreadable: o.Unreadable = "refuse",
) -> None:
    """Answer the questions of a benchmark and write the predictions.

    [bold]Example[/bold]

    pincite run --corpus samples/corpus --benchmark samples/benchmarks/contracts.json --output pred.json
    """
    from pincite.cli.progress import progress_bar
    from pincite.evaluate import write_predictions
    from pincite.evaluate.run import run as run_benchmark
    from pincite.output import check_writable
    from pincite.pipeline import RetrieverOptions
    from pincite.segment import segmenter

    check_writable(output)
    chosen = RetrieverOptions(max_features, k1, b, form, fusion, bm25_weight, depth, encoder)
    cut = segmenter(segment, chunk_size, overlap)
    with progress_bar("encoding") as progress:
        result = run_benchmark(
            retriever,
            corpus,
            benchmark,
            k=k,
            segment=cut,
            options=chosen,
            limit=limit,
            unreadable=unreadable,
            progress=progress,
        )
    write_predictions(output, result.predictions)
    answered = f"{len(result.predictions)} questions over {result.passages} passages"
    typer.echo(f"{retriever}: {answered} -> {output}", err=True)
    typer.echo(f"next: pincite score {output} {benchmark}{f' --limit {limit}' if limit else ''}", err=True)
    for line in result.skipped:
        typer.echo(f"skipped {line}", err=True)
    if result.skipped:
        raise typer.Exit(1)
