"""Hits made for reading: the title, the place, and the words that answer, marked where they stand."""

import csv
import io
import json
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.text import Hit
from pincite.text.sentences import sentence_spans
from pincite.text.tokens import content_words

if TYPE_CHECKING:
    from pincite.cli.search import Format

MARKS = ("»", "«")
"""Stand around the marked sentence where there are no colours."""

HEADING_WORDS = 6
"""With fewer different words than this, a sentence is taken for a heading."""

_UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Control characters of a document must never reach a terminal."""


def print_hits(questions: Sequence[str], answers: Sequence[Sequence[Hit]], form: "Format") -> None:
    """Prints the hits of every question in the form that was asked for."""
    match form:
        case "json":
            shapes = [[hit.to_dict() for hit in hits] for hits in answers]
            _out(json.dumps(shapes[0] if len(shapes) == 1 else shapes, indent=1, ensure_ascii=False) + "\n")
        case "jsonl":
            for question, hits in zip(questions, answers, strict=True):
                _out(json.dumps(envelope(question, hits), ensure_ascii=False) + "\n")
        case "csv":
            _out(_csv(questions, answers))
        case "plain":
            for question, hits in zip(questions, answers, strict=True):
                _out(_plain(question, hits))
        case _:
            for question, hits in zip(questions, answers, strict=True):
                show_answer(question, hits)


def envelope(question: str, hits: Sequence[Hit]) -> dict[str, object]:
    """The shape of one answered question."""
    return {
        "query": question,
        "understood": {"documents": [], "question": question},
        "notes": [] if hits else ["nothing shares a word with the question"],
        "hits": [hit.to_dict() for hit in hits],
    }


def show_answer(question: str, hits: Sequence[Hit]) -> None:
    """The hits of one question for a person: the best sentence of each passage marked inside it."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=False)
    console.print(Text(question, style="bold"))
    if not hits:
        console.print("  nothing found: no passage shares a word with the question\n", style="yellow")
    for hit in hits:
        place = f"  {hit.passage.document_id}, {'' if hit.page is None else f'p. {hit.page}, '}"
        place += f"characters {hit.start}-{hit.end}"
        console.print(Text.assemble((f"{hit.rank}. ", "cyan"), (safe(hit.document.title), "bold cyan"), (place, "dim")))
        start, end = best_sentence(question, hit.text)
        opening, closing = ("", "") if console.is_terminal else MARKS
        shown = Text.assemble(
            (safe(_lines_joined(hit.text[:start])), "dim"),
            (opening + safe(_lines_joined(hit.text[start:end])) + closing, "bold black on bright_yellow"),
            (safe(_lines_joined(hit.text[end:])), "dim"),
        )
        console.print(Padding(shown, (0, 0, 1, 3)))


def best_sentence(question: str, text: str) -> tuple[int, int]:
    """Where the sentence of `text` stands that shares most words with the question, for its length.

    A heading shares many and answers nothing: it is marked only where there is no fuller sentence.
    """
    wanted = set(content_words(question))

    def overlap(span: tuple[int, int]) -> tuple[bool, float]:
        found = set(content_words(text[span[0] : span[1]]))
        return len(found) >= HEADING_WORDS, len(found & wanted) / (len(found) + 8)

    return max(sentence_spans(text, across_lines=True), key=overlap, default=(0, 0))


def safe(text: str) -> str:
    """The text without characters that could steer a terminal."""
    return _UNSAFE.sub("\ufffd", text)


def _lines_joined(text: str) -> str:
    """Wrapped lines flow together on the screen; what leaves as data keeps its line ends."""
    return re.sub(r"[ \t\ufeff]*(?:\n[ \t]*)+", lambda gap: "\n" if gap.group().count("\n") > 1 else " ", text)


def _plain(question: str, hits: Sequence[Hit]) -> str:
    lines = [question]
    for hit in hits:
        lines.append(f"{hit.rank}\t{hit.score:.4f}\t{hit.passage.document_id}:{hit.start}-{hit.end}")
        lines.append(safe(hit.text))
        lines.append("")
    return "\n".join(lines) + ("\n" if hits else "\nnothing found\n\n")


def _csv(questions: Sequence[str], answers: Sequence[Sequence[Hit]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["query", "rank", "score", "document", "title", "page", "start", "end", "text"])
    for question, hits in zip(questions, answers, strict=True):
        for hit in hits:
            place = [hit.passage.document_id, hit.document.title, hit.page, hit.start, hit.end, hit.text]
            writer.writerow([question, hit.rank, hit.score, *place])
    return out.getvalue()


def _out(text: str) -> None:
    sys.stdout.write(text)
