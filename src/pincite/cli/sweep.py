"""pincite sweep: measures a retriever with several passage sizes and overlaps."""

from pathlib import Path
from typing import Annotated

import typer

from pincite.cli import options as o

SHOWN = ("exact_match", "span_f1", "recall@{k}", "ndcg@{k}", "found@{k}", "recall_budget@4000", "precision@1")


def sweep(
    corpus: o.Corpus,
    benchmark: o.BenchmarkFile,
    retriever: o.RetrieverName = "bm25",
    chunk_sizes: Annotated[str, typer.Option(help="Passage sizes, separated by commas.")] = "100,250,500,1000",
    overlaps: Annotated[str, typer.Option(help="Overlaps as shares of the size, separated by commas.")] = "0,0.5",
    k: o.K = 10,
    segment: o.Segment = "words",
    max_features: o.MaxFeatures = 5000,
    k1: o.K1 = 1.5,
    b: o.B = 0.75,
    form: o.Form = "okapi",
    fusion: o.FusionName = "fixed",
    bm25_weight: o.Bm25Weight = 0.55,
    depth: o.Depth = 100,
    encoder: o.EncoderName = "all-MiniLM-L6-v2",
    limit: o.Limit = None,
    output: Annotated[
        Path | None, typer.Option(help="Also write all measures of all rows to this file (JSON).")
    ] = None,
) -> None:
    """Measure whether larger passages and more overlap help: a table with a row for each size and overlap.

    [bold]Example[/bold]

    pincite sweep --corpus samples/corpus --benchmark samples/benchmarks/contracts.json --chunk-sizes 100,500
    """
    from dataclasses import asdict

    from pincite.cli.progress import progress_bar
    from pincite.cli.tables import console, table
    from pincite.evaluate import read_benchmark, read_corpus
    from pincite.evaluate.run import sweep as sweep_sizes
    from pincite.output import check_writable, write_json
    from pincite.pipeline import RetrieverOptions

    if output:
        check_writable(output)
    sizes = [int(size) for size in _numbers(chunk_sizes, "--chunk-sizes")]
    shares = _numbers(overlaps, "--overlaps")
    if any(size < 1 for size in sizes) or any(not 0 <= share < 1 for share in shares):
        raise typer.BadParameter("sizes must be at least 1, overlaps from 0 to less than 1")
    chosen = RetrieverOptions(max_features, k1, b, form, fusion, bm25_weight, depth, encoder)
    questions = read_benchmark(benchmark)
    documents = read_corpus(corpus, questions).documents
    names = [name.format(k=k) for name in SHOWN]
    with progress_bar("encoding") as progress:
        rows = list(
            sweep_sizes(
                retriever,
                documents,
                questions.first(limit),
                sizes=sizes,
                overlaps=shares,
                segment=segment,
                k=k,
                options=chosen,
                progress=progress,
            )
        )
    shown = [
        [str(row.size), f"{row.overlap:.0%}", str(row.passages), *(f"{row.figures[name]:.4f}" for name in names)]
        for row in rows
    ]
    console().print(table(["size", "overlap", "passages", *names], shown, left=0))
    if output:
        write_json(output, [asdict(row) for row in rows])


def _numbers(listed: str, option: str) -> list[float]:
    try:
        return [float(number) for number in listed.split(",")]
    except ValueError:
        raise typer.BadParameter(f"{option} takes numbers separated by commas, not {listed!r}") from None
