"""pincite search: a question in, the passages that answer it out."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import options as o

if TYPE_CHECKING:
    from pincite.models import Encoder
    from pincite.pipeline import Method
    from pincite.pipeline.reading import SecondReading
    from pincite.retrieve import ContextConfig, SpanConfig
    from pincite.retrieve.answered import Answered
    from pincite.text import Filter

DEFAULT_ENCODER = "legal-encoder"


class Format(StrEnum):
    """How hits are printed."""

    rich = "rich"
    json = "json"
    jsonl = "jsonl"
    csv = "csv"
    plain = "plain"


def search(
    question: Annotated[str, typer.Argument(help="The question, or - to read one a line from standard input.")],
    index: Annotated[Path | None, typer.Option(help="The index to search (a folder that 'index create' made).")] = None,
    corpus: Annotated[Path | None, typer.Option(help="Without an index: a folder of documents, read now.")] = None,
    k: o.K = 10,
    method: Annotated[
        str, typer.Option(help="default, context, context+encoder, tfidf, bm25, hybrid, ...")
    ] = "default",
    granularity: Annotated[str, typer.Option(help="context: sentence, clause, section or words.")] = "sentence",
    fast: Annotated[bool, typer.Option("--fast", help="Leave the re-ranker out: less exact, quicker.")] = False,
    fusion: Annotated[str, typer.Option(help="With a re-ranker: fixed, rrf, learned, mlp or query (its own).")] = "",
    reranker: Annotated[str, typer.Option(help="Another re-ranker: a folder, or a Hugging Face owner/name.")] = "",
    answered: Annotated[
        bool, typer.Option("--answered", help="Show nothing where the documents probably do not answer.")
    ] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show each part's score and rank, matched words.")] = False,
    document: Annotated[
        list[str] | None, typer.Option(help="Only this document: its id, or a part of its id or title; repeatable.")
    ] = None,
    where: Annotated[
        list[str] | None, typer.Option(help="Only where key=value (kind, party, ...); repeatable.")
    ] = None,
    after: Annotated[str, typer.Option(help="Only documents dated on or after this day.")] = "",
    before: Annotated[str, typer.Option(help="Only documents dated on or before this day.")] = "",
    k1: Annotated[float | None, typer.Option(help="context: how soon a repeated word stops counting.")] = None,
    b: Annotated[float | None, typer.Option(help="context: how much long passages are held back, 0 to 1.")] = None,
    weight: Annotated[
        list[str] | None, typer.Option(help="context: part=weight, such as dense=0.5; repeatable.")
    ] = None,
    encoder: Annotated[str, typer.Option(help="An encoder by name or folder; none; default: the index's own.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="A JSON array of hits.")] = False,
    as_jsonl: Annotated[bool, typer.Option("--jsonl", help="An envelope for each question, a line each.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="A row for each hit.")] = False,
    as_plain: Annotated[bool, typer.Option("--plain", help="Text without colours or boxes.")] = False,
    envelope: Annotated[bool, typer.Option("--envelope", help="With --json: what was understood, too.")] = False,
    show: Annotated[bool, typer.Option("--open", help="Show the best hit's document at the place.")] = False,
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

    from pincite.cli.show import open_at, print_answers
    from pincite.errors import UsageError
    from pincite.pipeline import method as method_of
    from pincite.retrieve import SpanConfig
    from pincite.text import Filter
    from pincite.text.order import check_k

    asked = [name for name, on in (("json", as_json), ("jsonl", as_jsonl), ("csv", as_csv), ("plain", as_plain)) if on]
    if len(asked) > 1:
        raise UsageError(f"--{asked[0]} and --{asked[1]} exclude each other; give one")
    if show and asked:
        raise UsageError(f"--open is for reading, and --{asked[0]} for programs; give one")
    if (index is None) == (corpus is None):
        raise UsageError("say what to search: --index FOLDER (an index), or --corpus FOLDER (documents), not both")
    check_k(k)
    if not question.strip():
        raise UsageError("the question is empty")
    chosen, spans = method_of(method, fusion), SpanConfig(granularity)
    if fast and (reranker or answered or fusion):
        raise UsageError("--fast leaves the re-ranker out, which --reranker, --answered and --fusion need; give one")
    if (reranker or answered) and chosen.reading is None:
        raise UsageError(f"--reranker and --answered go with a method that re-ranks, not with {method}")
    if fast:
        chosen = replace(chosen, reading=None)
    if chosen.needs_encoder and encoder == o.NO_ENCODER:
        raise UsageError(f"the method {method} needs an encoder; --encoder none goes with context, bm25, tfidf")
    wanted = Filter((), pairs(where or []), _day("--after", after), _day("--before", before))
    config = _config(chosen.context, k1, b, weight or [])
    settings = Settings(chosen, encoder, reranker, spans, config, k, document or [], wanted, unreadable)
    skipped: tuple[str, ...] = ()
    if index is not None:
        answers = _from_index(index, _questions(question), settings)
    else:
        assert corpus is not None
        answers, skipped = _from_folder(corpus, _questions(question), settings)
    if answered:
        answers = [answer.if_likely() for answer in answers]
    form = Format(asked[0] if asked else "rich")
    print_answers(answers, form, envelope=envelope, explain=explain, several=question == "-")
    if show and answers and answers[0].hits:
        open_at(answers[0].hits[0])
    for line in skipped:
        typer.echo(f"skipped {line}", err=True)
    if skipped:
        raise typer.Exit(1)


@dataclass(frozen=True, slots=True)
class Settings:
    """What was asked of a search, beside the questions."""

    method: "Method"
    encoder: str
    reranker: str
    spans: "SpanConfig"
    config: "ContextConfig"
    k: int
    documents: Sequence[str]
    where: "Filter"
    unreadable: str

    def load_encoder(self, default: str) -> "Encoder | None":
        """The encoder that was asked for, else the default one; None where that is not installed and not needed."""
        from pincite.errors import ModelError, UsageError
        from pincite.models import load_encoder

        if self.encoder == o.NO_ENCODER or not (self.encoder or default):
            return None
        try:
            return load_encoder(self.encoder or default)
        except (ModelError, UsageError):
            if self.method.needs_encoder or self.encoder:
                raise
            return None

    def load_reading(self) -> "SecondReading | None":
        """The second reading of the method, by the re-ranker that was asked for."""
        from pincite.models import load_reranker

        if self.method.reading is None:
            return None
        return self.method.reading.load(load_reranker(self.reranker) if self.reranker else None)


def _from_index(folder: Path, questions: list[str], settings: Settings) -> "list[Answered]":
    from dataclasses import replace

    from pincite.cli.progress import progress_bar
    from pincite.index import EmbeddedEngine, Question
    from pincite.index.searching import answers
    from pincite.models.minilm import NAME as MINILM
    from pincite.retrieve.answered import Answered

    with EmbeddedEngine(folder) as engine:
        own = engine.configuration.encoder
        loaded = settings.load_encoder(settings.method.encoder if settings.method.seeds else own)
        if not settings.method.seeds and loaded is not None:
            engine.use(loaded)
        if own and settings.method.name.partition(":")[0] == "context" and not own.startswith(MINILM):
            typer.echo(f"note: the vectors of this index are those of {own}, not of {MINILM}", err=True)
        where = replace(settings.where, documents=tuple(engine.resolve(name) for name in settings.documents))
        filtered = where if where != type(where)() else None
        dense = settings.encoder != o.NO_ENCODER
        reading = settings.load_reading()
        asked = [
            Question(text, settings.k, filtered, settings.spans, settings.config, dense, reading) for text in questions
        ]
        with progress_bar("encoding") as progress:
            found = answers(engine, asked, settings.method, loaded, progress)
        return [Answered.of(text, answer) for text, answer in zip(questions, found, strict=True)]


def _from_folder(folder: Path, questions: list[str], settings: Settings) -> "tuple[list[Answered], tuple[str, ...]]":
    """Reads the folder now. A user's own documents are confidential: their vectors are not kept in any cache."""
    from dataclasses import replace

    from pincite.cli.progress import progress_bar
    from pincite.documents import read_folder
    from pincite.errors import UsageError
    from pincite.index.searching import demanded
    from pincite.retrieve import ContextRetriever
    from pincite.retrieve.answered import Answered
    from pincite.text import Collection

    if settings.where != type(settings.where)():
        raise UsageError("--where, --after and --before need an index: pincite index add FOLDER --index DIR --create")
    loaded = settings.load_encoder(settings.method.encoder)
    reading = read_folder(folder, unreadable=settings.unreadable)
    _check_documents(settings.documents, [entry.id for entry in reading.documents])
    where = replace(settings.where, documents=tuple(settings.documents)) if settings.documents else None
    with progress_bar("encoding") as progress:
        retriever = settings.method.build(loaded, progress, settings.load_reading())
        if isinstance(retriever, ContextRetriever):
            retriever.config = settings.config
            retriever.span_config = settings.spans
        retriever.index(Collection.build(reading.documents, settings.method.segmenter))
        if isinstance(retriever, ContextRetriever):
            found = retriever.answer_many(questions, settings.k, [where] * len(questions), demands=True)
            answered = [Answered.of(text, answer) for text, answer in zip(questions, found, strict=True)]
        else:
            answered = [Answered(text, demanded(retriever, text, settings.k, where)) for text in questions]
    return answered, reading.skipped


def _questions(question: str) -> list[str]:
    if question != "-":
        return [question]
    return [line.strip() for line in typer.get_text_stream("stdin") if line.strip()]


def pairs(given: Sequence[str]) -> dict[str, str]:
    from pincite.errors import UsageError

    found = {}
    for pair in given:
        key, sign, value = pair.partition("=")
        if not sign or not key.strip():
            raise UsageError(f"--where {pair!r}: not of the form key=value")
        found[key.strip()] = value.strip()
    return found


def _day(option: str, text: str) -> str:
    from pincite.errors import UsageError
    from pincite.text.dates import iso_date

    found = iso_date(text) if text else ""
    if text and not found:
        raise UsageError(f"{option} {text!r}: not a date; write 2024-03-31 or 31 March 2024")
    return found


def _config(config: "ContextConfig", k1: float | None, b: float | None, weights: Sequence[str]) -> "ContextConfig":
    from dataclasses import replace

    from pincite.errors import UsageError, one_of

    parts = ("unit", "near", "dense", "around", "definition", "drafted", "document")
    for pair in weights:
        name, _, value = pair.partition("=")
        if name not in parts:
            raise one_of("part", name, parts)
        try:
            config = replace(config, **{name: float(value)})  # type: ignore[arg-type]
        except ValueError:
            raise UsageError(f"--weight {pair!r}: not of the form part=number") from None
    if (k1 is not None and k1 < 0) or (b is not None and not 0 <= b <= 1):
        raise UsageError(f"BM25 needs k1 of at least 0 and b from 0 to 1, not k1={k1}, b={b}")
    return replace(config, k1=config.k1 if k1 is None else k1, b=config.b if b is None else b)


def _check_documents(wanted: Sequence[str], known: list[str]) -> None:
    from difflib import get_close_matches

    from pincite.errors import UsageError

    for name in wanted:
        if name not in known:
            near = get_close_matches(name, known, n=3, cutoff=0.3) or known[:3]
            raise UsageError(f"no document {name!r} in the corpus; there are {len(known)}, such as {', '.join(near)}")
