"""Options that several commands share."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

if TYPE_CHECKING:
    from pincite.text import Filter

NO_ENCODER = "none"
"""The encoder name that leaves out the dense parts."""

Corpus: TypeAlias = Annotated[
    Path, typer.Option(help="The folder with the documents (.txt files, also in subfolders).")
]
BenchmarkFile: TypeAlias = Annotated[
    Path, typer.Option(help="The questions with gold spans, in the JSON format of LegalBench-RAG.")
]
RetrieverName: TypeAlias = Annotated[str, typer.Option(help="tfidf, bm25, dense or hybrid.")]
K: TypeAlias = Annotated[int, typer.Option("--k", "-k", help="How many passages for each question.")]
Segment: TypeAlias = Annotated[
    str, typer.Option(help="How documents are segmented: words, sentences, characters, recursive.")
]
MaxFeatures: TypeAlias = Annotated[int, typer.Option(help="tfidf: the number of words and word pairs.")]
K1: TypeAlias = Annotated[float, typer.Option(help="bm25: how much repetitions of a word count.")]
B: TypeAlias = Annotated[float, typer.Option(help="bm25: how much longer passages count less, 0 to 1.")]
Form: TypeAlias = Annotated[str, typer.Option(help="bm25: okapi, robertson, lucene, atire, bm25+ or bm25l.")]
FusionName: TypeAlias = Annotated[str, typer.Option(help="hybrid: fixed (weighted min-max) or rrf (reciprocal rank).")]
Bm25Weight: TypeAlias = Annotated[float, typer.Option(help="hybrid, fixed: the weight of BM25; the rest is dense.")]
Depth: TypeAlias = Annotated[int, typer.Option(help="hybrid: how many passages of each ranking are fused.")]
EncoderName: TypeAlias = Annotated[
    str,
    typer.Option(
        help="legal-encoder, all-MiniLM-L6-v2[:int8], a model folder, a Hugging Face owner/name; or none.",
        show_default="the method's own",
    ),
]
Limit: TypeAlias = Annotated[int | None, typer.Option(min=1, help="Only the first N questions.")]
At: TypeAlias = Annotated[
    str,
    typer.Option(
        "--at", help="Where the documents are indexed: in memory, in a new folder, or opensearch://HOST/NAME."
    ),
]
OwnRetriever: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--retriever", help="A retriever of your own, module:Class, run like a method; repeatable."),
]
OwnReranker: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--reranker", help="A re-ranker of your own, module:Class, in the place of ours; repeatable."),
]
Unreadable: TypeAlias = Annotated[str, typer.Option(help="Files that are not UTF-8 text: refuse (stop) or skip.")]

DocumentNames: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--document", help="Only this document: its id, or part of its id or title; repeatable."),
]
WherePairs: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--where", help="Only documents with key=value, or a condition in JSON (docs/index.md); repeatable."),
]
After: TypeAlias = Annotated[str, typer.Option(help="Only documents dated on or after this day.")]
Before: TypeAlias = Annotated[str, typer.Option(help="Only documents dated on or before this day.")]


def filter_of(documents: Sequence[str] | None, where: Sequence[str] | None, after: str, before: str) -> "Filter | None":
    """The filter of these options; None if they are all empty."""
    from pincite.errors import UsageError
    from pincite.text import Filter

    metadata: dict[str, str] = {}
    conditions = []
    for pair in where or ():
        if pair.lstrip().startswith("{"):
            conditions.append(_condition(pair))
            continue
        key, sign, value = pair.partition("=")
        if not sign or not key.strip():
            raise UsageError(f"--where {pair!r}: write it as key=value, such as kind=lease")
        metadata[key.strip()] = value.strip()
    found = Filter(tuple(documents or ()), metadata, after, before)
    for condition in conditions:
        found = found.also(condition)
    return found or None


def _condition(written: str) -> "dict[str, object]":
    import json

    from pincite.errors import UsageError

    try:
        found: dict[str, object] = json.loads(written)
    except ValueError as error:
        raise UsageError(f"--where {written[:60]!r}: not JSON ({error})") from None
    return found
