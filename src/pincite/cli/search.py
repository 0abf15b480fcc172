"""pincite search: answers a question with passages."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import options as o

if TYPE_CHECKING:
    from pincite.index import Index
    from pincite.pipeline import Method
    from pincite.search import Answer


class Format(StrEnum):
    """The formats of the output."""

    rich = "rich"
    json = "json"
    jsonl = "jsonl"
    csv = "csv"
    plain = "plain"


def search(
    question: Annotated[
        str, typer.Argument(help="The question, or - to read questions from standard input, one on each line.")
    ],
    index: Annotated[str | None, typer.Option(help="The index to search.")] = None,
    corpus: Annotated[Path | None, typer.Option(help="A folder of documents to search without an index.")] = None,
    k: o.K = 10,
    method: Annotated[
        str, typer.Option(help="default, context, context+encoder, tfidf, bm25, hybrid, ...")
    ] = "default",
    granularity: Annotated[str, typer.Option(help="context: sentence, clause, section or words.")] = "sentence",
    fast: Annotated[bool, typer.Option("--fast", help="Leave out the re-ranker: faster, less exact.")] = False,
    fusion: Annotated[str, typer.Option(help="With a re-ranker: fixed, rrf, learned, mlp or query (its own).")] = "",
    reranker: Annotated[str, typer.Option(help="Another re-ranker: a folder, or a Hugging Face owner/name.")] = "",
    answered: Annotated[
        bool, typer.Option("--answered", help="Show no hits if the documents probably do not answer.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show the score and rank of each part, and the matched words.")
    ] = False,
    document: o.DocumentNames = None,
    where: o.WherePairs = None,
    after: o.After = "",
    before: o.Before = "",
    k1: Annotated[float | None, typer.Option(help="context: how much repetitions of a word count.")] = None,
    b: Annotated[float | None, typer.Option(help="context: how much longer passages count less, 0 to 1.")] = None,
    weight: Annotated[
        list[str] | None, typer.Option(help="context: part=weight, such as dense=0.5; repeatable.")
    ] = None,
    encoder: Annotated[
        str, typer.Option(help="An encoder by name or folder, or none. Default: that of the index.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="A JSON array of hits.")] = False,
    as_jsonl: Annotated[
        bool, typer.Option("--jsonl", help="A JSON object for each question, one on each line.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option(help="Write the hits to this file: .csv, .xlsx or .docx, as compare does.")
    ] = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="A row for each hit.")] = False,
    as_plain: Annotated[bool, typer.Option("--plain", help="Plain text without colours.")] = False,
    envelope: Annotated[
        bool, typer.Option("--envelope", help="With --json: also what was understood of the question.")
    ] = False,
    show: Annotated[bool, typer.Option("--open", help="Show the document of the best hit, at the hit.")] = False,
    unreadable: o.Unreadable = "refuse",
) -> None:
    """Answer a question with passages from an index, or from a folder of documents.

    A "quoted phrase" must occur in every hit; a -word must not.

    [bold]Examples[/bold]

    pincite search "Under the Garnet Quay lease, may the tenant underlet?" --index contracts.pincite

    pincite search 'termination "thirty days" -employee' --index contracts.pincite --where kind=lease --after 2020-01-01

    pincite search "Who pays for a product recall?" --corpus samples/corpus --json
    """
    from dataclasses import replace

    from pincite.cli.progress import progress_bar
    from pincite.cli.show import open_at, print_answers
    from pincite.errors import UsageError
    from pincite.pipeline import method as method_named
    from pincite.search import SearchRequest
    from pincite.text.order import check_k

    asked = [name for name, on in (("json", as_json), ("jsonl", as_jsonl), ("csv", as_csv), ("plain", as_plain)) if on]
    if len(asked) > 1:
        raise UsageError(f"--{asked[0]} and --{asked[1]} exclude each other; choose one")
    if show and asked:
        raise UsageError(f"--open is for reading and --{asked[0]} is for programs; choose one")
    if (index is None) == (corpus is None):
        raise UsageError("choose what to search: --index FOLDER (an index) or --corpus FOLDER (documents), not both")
    check_k(k)
    if output:
        _check_output(output, question)
    if not question.strip():
        raise UsageError("the question is empty; write one in quotation marks")
    if fast and (reranker or answered or fusion):
        raise UsageError("--fast leaves out the re-ranker, which --reranker, --answered and --fusion need; choose one")
    chosen = method_named(method, fusion)
    if (reranker or answered) and chosen.rerank is None:
        raise UsageError(f"--reranker and --answered need a method that re-ranks, such as default, not {method}")
    filtered = o.filter_of(document, where, after, before)
    weights = _weights(weight or [], k1, b)
    chosen.context.with_weights(weights)
    requests = [
        SearchRequest(text, k, filtered, granularity, method, fusion, fast, encoder, reranker, weights)
        for text in _questions(question)
    ]
    with (
        _opened(index, corpus, encoder, unreadable, chosen) as (opened, reader, skipped),
        progress_bar("embedding") as progress,
    ):
        answers = opened.answer([replace(request, encoder=reader) for request in requests], progress=progress)
    if answered:
        answers = [answer.if_likely() for answer in answers]
    if output:
        _write(output, answers[0])
        return
    form = Format(asked[0] if asked else "rich")
    print_answers(answers, form, envelope=envelope, explain=explain, several=question == "-")
    if show and answers and answers[0].hits:
        open_at(answers[0].hits[0])
    for line in skipped:
        typer.echo(f"skipped {line}", err=True)
    if skipped:
        raise typer.Exit(1)


def _check_output(output: Path, question: str) -> None:
    from pincite.compare.export import MEDIA_TYPES
    from pincite.errors import UsageError
    from pincite.output import check_writable

    if output.suffix.lower()[1:] not in MEDIA_TYPES:
        raise UsageError(f"--output {output}: name a file that ends in .csv, .xlsx or .docx")
    if question == "-":
        raise UsageError("--output takes one question; leave it out, and use --jsonl, for several")
    check_writable(output)


def _write(output: Path, answer: "Answer") -> None:
    from pincite.compare.export import exported, hit_rows
    from pincite.output import write_bytes

    write_bytes(output, exported(output.suffix.lower()[1:], answer.query, hit_rows(answer.hits)))
    for note in answer.notes:
        typer.echo(f"note: {note}", err=True)
    typer.echo(f"{len(answer.hits)} passages -> {output}", err=True)


@contextmanager
def _opened(
    index: str | None, corpus: Path | None, encoder: str, unreadable: str, method: "Method"
) -> "Iterator[tuple[Index, str, Sequence[str]]]":
    """The index, or one in memory with the documents of a folder; the encoder that embeds questions; and the files that
    were skipped."""
    from pincite.documents import read_folder
    from pincite.index import Index

    if index is not None:
        with Index.open(index, read_only=True) as opened:
            yield opened, encoder, ()
        return
    assert corpus is not None
    contents = read_folder(corpus, unreadable=unreadable)
    with Index.create(":memory:") as memory:
        memory.add_documents(contents.documents, vectors="none")
        is_embedded = method.plain or encoder == o.NO_ENCODER or _embed(memory, encoder, method)
        yield memory, encoder if is_embedded else o.NO_ENCODER, contents.skipped


def _embed(memory: "Index", encoder: str, method: "Method") -> bool:
    """Embeds the documents. False, with a note, where the method's own encoder is not installed."""
    from pincite.cli.progress import progress_bar
    from pincite.errors import ModelError

    try:
        with progress_bar("embedding") as progress:
            memory.embed(encoder or method.encoder, progress=progress)
    except ModelError as error:
        if encoder:
            raise
        typer.echo(f"note: {str(error).splitlines()[0]}; dense parts are left out", err=True)
        return False
    return True


def _questions(question: str) -> list[str]:
    if question != "-":
        return [question]
    return [line.strip() for line in typer.get_text_stream("stdin") if line.strip()]


def _weights(pairs: Sequence[str], k1: float | None, b: float | None) -> dict[str, float]:
    from pincite.errors import UsageError

    weights = {name: value for name, value in (("k1", k1), ("b", b)) if value is not None}
    for pair in pairs:
        name, _, value = pair.partition("=")
        try:
            weights[name] = float(value)
        except ValueError:
            raise UsageError(f"--weight {pair!r}: write it as part=number, such as dense=0.5") from None
    return weights
