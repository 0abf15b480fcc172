"""Hits made for reading: the title, the place, and the words that answer, marked where they stand."""

import csv
import io
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.retrieve.understand import Understood
from pincite.text import Hit
from pincite.text.sentences import sentence_spans
from pincite.text.tokens import content_words

if TYPE_CHECKING:
    from pincite.cli.search import Format

MARKS = ("»", "«")
"""Stand around the marked sentence where there are no colours."""

AROUND = 160
"""So many characters before and behind a hit are shown with it."""

LONG_HIT = 500
"""Of a longer hit only the best sentence is marked."""

HEADING_WORDS = 6
"""With fewer different words than this, a sentence is taken for a heading."""

_UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Control characters of a document must never reach a terminal."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A question with its hits, what was understood of it, and notes."""

    question: str
    hits: list[Hit]
    understood: Understood | None = None
    notes: tuple[str, ...] = ()


def print_answers(answers: Sequence[Answered], form: "Format", ids: Sequence[str], *, envelope: bool = False) -> None:
    """Prints the answers in the form that was asked for; notes also go to standard error."""
    for note in dict.fromkeys(note for answer in answers for note in answer.notes):
        sys.stderr.write(f"note: {note}\n")
    match form:
        case "json":
            shapes: list[object] = [
                enveloped(answer, ids) if envelope else [hit.to_dict() for hit in answer.hits] for answer in answers
            ]
            _out(json.dumps(shapes[0] if len(shapes) == 1 else shapes, indent=1, ensure_ascii=False) + "\n")
        case "jsonl":
            for answer in answers:
                _out(json.dumps(enveloped(answer, ids), ensure_ascii=False) + "\n")
        case "csv":
            _out(_csv(answers))
        case "plain":
            for answer in answers:
                _out(_plain(answer))
        case _:
            for answer in answers:
                show_answer(answer, ids)


def enveloped(answer: Answered, ids: Sequence[str] = ()) -> dict[str, object]:
    """The shape of one answered question."""
    understood = answer.understood
    documents = [
        {"id": ids[position], "belief": belief, "why": why}
        for position, belief, why in (understood.documents if understood else ())
    ]
    notes = list(answer.notes) if answer.hits else [*answer.notes, "nothing was found"]
    return {
        "query": answer.question,
        "understood": {"documents": documents, "question": understood.question if understood else answer.question},
        "notes": notes,
        "hits": [hit.to_dict() for hit in answer.hits],
    }


def show_answer(answer: Answered, ids: Sequence[str] = ()) -> None:
    """The hits of one question for a person: each with its place, marked inside the words around it."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=False)
    console.print(Text(answer.question, style="bold"))
    if answer.understood and answer.understood.documents:
        best = answer.understood.documents[0]
        sure = f"{best.belief:.0%} sure" if best.belief < 0.995 else "sure"
        console.print(Text(f"  understood as a question about {ids[best.position]} ({sure}; {best.why})", style="dim"))
    if not answer.hits:
        console.print("  nothing found\n", style="yellow")
    for hit in answer.hits:
        place = f"  {hit.passage.document_id}, {'' if hit.page is None else f'p. {hit.page}, '}"
        place += f"characters {hit.start}-{hit.end}"
        title = Text.assemble((f"{hit.rank}. ", "cyan"), (safe(hit.document.title), "bold cyan"), (place, "dim"))
        console.print(title)
        if hit.heading_path:
            console.print(Text("   " + safe(" > ".join(hit.heading_path)), style="dim italic"))
        before, marked, after = _in_context(answer.question, hit)
        opening, closing = ("", "") if console.is_terminal else MARKS
        shown = Text.assemble(
            (safe(_lines_joined(before)), "dim"),
            (opening + safe(_lines_joined(marked)) + closing, "bold black on bright_yellow"),
            (safe(_lines_joined(after)), "dim"),
        )
        console.print(Padding(shown, (0, 0, 1, 3)))


def _in_context(question: str, hit: Hit) -> tuple[str, str, str]:
    """What stands before the words to mark, those words, and what stands behind.

    A short hit is marked whole, among its surroundings; of a long one the sentence that fits the question best.
    """
    if len(hit.text) > LONG_HIT:
        start, end = best_sentence(question, hit.text)
        return hit.text[:start], hit.text[start:end], hit.text[end:]
    text = hit.document.text
    start = text.rfind(" ", 0, max(0, hit.start - AROUND)) + 1 if hit.start > AROUND else 0
    end = text.find(" ", min(len(text), hit.end + AROUND))
    return text[start : hit.start], hit.text, text[hit.end : end if end >= 0 else len(text)]


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


def _plain(answer: Answered) -> str:
    lines = [answer.question]
    for hit in answer.hits:
        lines.append(f"{hit.rank}\t{hit.score:.4f}\t{hit.passage.document_id}:{hit.start}-{hit.end}")
        lines.append(safe(hit.text))
        lines.append("")
    return "\n".join(lines) + ("\n" if answer.hits else "\nnothing found\n\n")


def _csv(answers: Sequence[Answered]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["query", "rank", "score", "document", "title", "page", "start", "end", "text"])
    for answer in answers:
        for hit in answer.hits:
            place = [hit.passage.document_id, hit.document.title, hit.page, hit.start, hit.end, hit.text]
            writer.writerow([answer.question, hit.rank, hit.score, *place])
    return out.getvalue()


def _out(text: str) -> None:
    sys.stdout.write(text)
