"""pincite search: a question in, the passages that answer it out."""

from enum import StrEnum
from typing import Annotated

import typer

from pincite.cli import options as o


class Format(StrEnum):
    """How hits are printed."""

    rich = "rich"
    json = "json"
    jsonl = "jsonl"
    csv = "csv"
    plain = "plain"


def search(
    question: Annotated[str, typer.Argument(help="The question, or - to read one a line from standard input.")],
    corpus: o.Corpus,
    k: o.K = 3,
    method: Annotated[str, typer.Option(help="tfidf, bm25, dense or hybrid.")] = "bm25",
    segment: o.Segment = "words",
    chunk_size: Annotated[int, typer.Option(min=1, help="Words, sentences or characters of a passage.")] = 100,
    encoder: o.EncoderName = "all-MiniLM-L6-v2",
    document: Annotated[list[str] | None, typer.Option(help="Only this document (its id); may be repeated.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="A JSON array of hits.")] = False,
    as_jsonl: Annotated[bool, typer.Option("--jsonl", help="A JSON object for each question, a line each.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="A row for each hit.")] = False,
    as_plain: Annotated[bool, typer.Option("--plain", help="Text without colours or boxes.")] = False,
    unreadable: o.Unreadable = "refuse",
) -> None:
    """Answer a question with passages from a folder of text files.

    [bold]Examples[/bold]

    pincite search "May the tenant sublet the Garnet Quay premises?" --corpus samples/corpus

    pincite search "Who pays for a product recall?" --corpus samples/corpus --json
    """
    from pincite.cli.progress import progress_bar
    from pincite.cli.show import print_hits
    from pincite.documents import read_folder
    from pincite.errors import UsageError
    from pincite.models import load_encoder
    from pincite.pipeline import RetrieverOptions, build_retriever
    from pincite.segment import segmenter
    from pincite.text import Collection, Filter
    from pincite.text.order import check_k

    asked = [name for name, on in (("json", as_json), ("jsonl", as_jsonl), ("csv", as_csv), ("plain", as_plain)) if on]
    if len(asked) > 1:
        raise UsageError(f"--{asked[0]} and --{asked[1]} exclude each other; give one")
    check_k(k)
    cut = segmenter(segment, chunk_size)
    # A user's own documents are confidential: their vectors are not kept in the cache that benchmarks use.
    direct = load_encoder(encoder) if method in ("dense", "hybrid") else None
    with progress_bar("encoding") as progress:
        retriever = build_retriever(method, RetrieverOptions(encoder=encoder), direct, progress)
        reading = read_folder(corpus, unreadable=unreadable)
        retriever.index(Collection.build(reading.documents, cut))
    where = Filter(documents=tuple(document)) if document else None
    _check_documents(document or [], [entry.id for entry in reading.documents])
    questions = _questions(question)
    print_hits(questions, retriever.search_many(questions, k, where), Format(asked[0] if asked else "rich"))
    for line in reading.skipped:
        typer.echo(f"skipped {line}", err=True)
    if reading.skipped:
        raise typer.Exit(1)


def _questions(question: str) -> list[str]:
    if question != "-":
        return [question]
    return [line.strip() for line in typer.get_text_stream("stdin") if line.strip()]


def _check_documents(wanted: list[str], known: list[str]) -> None:
    from difflib import get_close_matches

    from pincite.errors import UsageError

    for name in wanted:
        if name not in known:
            near = get_close_matches(name, known, n=3, cutoff=0.3) or known[:3]
            raise UsageError(f"no document {name!r} in the corpus; there are {len(known)}, such as {', '.join(near)}")
