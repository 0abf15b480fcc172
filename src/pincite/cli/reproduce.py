"""pincite reproduce: the published tables of the seeds, with our figures."""

from pathlib import Path
from typing import Annotated

import typer


def reproduce(
    data: Annotated[
        Path | None, typer.Option(help="The folder of LegalBench-RAG. Default: $PINCITE_DATA/legalbench-rag.")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Also write the rows to this file (JSON).")] = None,
    encoder: Annotated[str, typer.Option(help="The encoder of the dense rows.")] = "all-MiniLM-L6-v2",
) -> None:
    """Print the two published tables of the seeds with our figures and the difference.

    The seeds: TF-IDF, BM25, Sentence-BERT and their hybrid on 500-word passages of ContractNLI, k = 10.

    [bold]Example[/bold]

    pincite reproduce --data legalbench-rag --json rows.json
    """
    from pincite.cli.progress import progress_bar
    from pincite.cli.tables import console, table
    from pincite.errors import ModelError
    from pincite.evaluate.data import benchmark_folder
    from pincite.evaluate.reproduce import FIGURES, ReproductionRow
    from pincite.evaluate.reproduce import reproduce as rows_of
    from pincite.models import load_encoder
    from pincite.models.minilm import NAME as MINILM
    from pincite.output import check_writable, write_json

    if json:
        check_writable(json)
    folder = benchmark_folder(data)
    try:
        loaded = load_encoder(encoder)
    except ModelError as error:
        if encoder != MINILM:
            raise
        loaded = None
        typer.echo(f"note: {str(error).splitlines()[0]}; the dense rows are left out", err=True)
    with progress_bar("encoding") as progress:
        rows = list(rows_of(folder, loaded, progress))

    def cell(row: ReproductionRow, figure: str) -> list[str]:
        measured, seed, difference = row.measured.get(figure), row.seed.get(figure), row.difference(figure)
        return [
            "-" if measured is None else f"{measured:.4f}",
            "-" if seed is None else f"{seed:.4f}",
            "" if difference is None else f"{difference:+.4f}",
        ]

    out = console()
    for queries in dict.fromkeys(row.queries for row in rows):
        shown = [row for row in rows if row.queries == queries]
        cells = [[row.system, *(text for figure in FIGURES[1:] for text in cell(row, figure))] for row in shown]
        heads = [head for figure in FIGURES[1:] for head in (figure, "seeds", "diff")]
        passages = max(row.passages for row in shown)
        exact = max(row.measured.get("exact_match", 0.0) for row in shown)
        title = f"{queries} queries, {passages} passages (exact match: {exact:.4f} for all, as the seeds')"
        out.print(table(["system", *heads], cells, title=title))
        for note in dict.fromkeys(f"{row.system}: {row.note}" for row in shown if row.note):
            out.print(f"  {note}")
        out.print()
    if json:
        write_json(json, [row.to_dict() for row in rows])
