"""pincite search: a question in, the passages that answer it out."""

from enum import StrEnum
from typing import Annotated

import typer

from pincite.cli import options as o

DEFAULT_ENCODER = "all-MiniLM-L6-v2:int8"


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
    method: Annotated[str, typer.Option(help="default (context), context, tfidf, bm25, dense or hybrid.")] = "default",
    granularity: Annotated[str, typer.Option(help="context: sentence, clause, section or words.")] = "sentence",
    encoder: o.EncoderName = "all-MiniLM-L6-v2:int8",
    document: Annotated[list[str] | None, typer.Option(help="Only this document (its id); may be repeated.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="A JSON array of hits.")] = False,
    as_jsonl: Annotated[bool, typer.Option("--jsonl", help="An envelope for each question, a line each.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="A row for each hit.")] = False,
    as_plain: Annotated[bool, typer.Option("--plain", help="Text without colours or boxes.")] = False,
    envelope: Annotated[bool, typer.Option("--envelope", help="With --json: what was understood, too.")] = False,
    unreadable: o.Unreadable = "refuse",
) -> None:
    """Answer a question with passages from a folder of text files.

    [bold]Examples[/bold]

    pincite search "Under the Garnet Quay lease, may the tenant underlet?" --corpus samples/corpus

    pincite search "Who pays for a product recall?" --corpus samples/corpus --json
    """
    from pincite.cli.progress import progress_bar
    from pincite.cli.show import Answered, print_answers
    from pincite.documents import read_folder
    from pincite.errors import ModelError, UsageError
    from pincite.models import load_encoder
    from pincite.pipeline import method as method_of
    from pincite.retrieve import ContextRetriever, SpanConfig
    from pincite.text import Collection, Filter
    from pincite.text.order import check_k

    asked = [name for name, on in (("json", as_json), ("jsonl", as_jsonl), ("csv", as_csv), ("plain", as_plain)) if on]
    if len(asked) > 1:
        raise UsageError(f"--{asked[0]} and --{asked[1]} exclude each other; give one")
    check_k(k)
    chosen, span_config = method_of(method), SpanConfig(granularity)
    if chosen.needs_encoder and encoder == o.NO_ENCODER:
        raise UsageError(f"the method {method} needs an encoder; --encoder none goes with context, bm25 and tfidf")
    # A user's own documents are confidential: their vectors are not kept in the cache that benchmarks use.
    loaded = None
    if chosen.uses_encoder and encoder != o.NO_ENCODER:
        try:
            loaded = load_encoder(encoder)
        except ModelError:
            if chosen.needs_encoder or encoder != DEFAULT_ENCODER:
                raise
    reading = read_folder(corpus, unreadable=unreadable)
    _check_documents(document or [], [entry.id for entry in reading.documents])
    where = Filter(documents=tuple(document)) if document else None
    questions = _questions(question)
    with progress_bar("encoding") as progress:
        retriever = chosen.build(loaded, progress)
        retriever.index(Collection.build(reading.documents, chosen.segmenter))
        if isinstance(retriever, ContextRetriever):
            retriever.span_config = span_config
            answers = [
                Answered(question, list(answer.hits), answer.understood, answer.notes)
                for question, answer in zip(
                    questions, retriever.answer_many(questions, k, [where] * len(questions)), strict=True
                )
            ]
        else:
            answers = [
                Answered(question, hits)
                for question, hits in zip(questions, retriever.search_many(questions, k, where), strict=True)
            ]
    print_answers(answers, Format(asked[0] if asked else "rich"), [d.id for d in reading.documents], envelope=envelope)
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
