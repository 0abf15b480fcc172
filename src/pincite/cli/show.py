"""Prints answers for people: the title, the place, and the answering words marked in their context."""

import json
import os
import re
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from pincite.output import csv_text
from pincite.search.answer import Answer
from pincite.search.highlight import flowing, in_context, is_doubtful, matched_words
from pincite.text import Hit

if TYPE_CHECKING:
    from rich.console import Console

    from pincite.cli.search import Format

MARKS = ("»", "«")
"""The marks around the answering words where there are no colours."""

_UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Control characters, which must not reach a terminal."""


def print_answers(
    answers: Sequence[Answer],
    form: "Format",
    *,
    envelope: bool = False,
    explain: bool = False,
    several: bool = False,
) -> None:
    """Prints the answers in a format, and notes on standard error. With `several` the JSON is an array of answers, even
    for one question."""
    for note in dict.fromkeys(note for answer in answers for note in answer.notes):
        sys.stderr.write(f"note: {note}\n")
    match form:
        case "json":
            shapes: list[object] = [
                answer.to_dict(explain=explain) if envelope else answer.hit_dicts(explain=explain) for answer in answers
            ]
            _out(json.dumps(shapes if several else shapes[0], indent=1, ensure_ascii=False) + "\n")
        case "jsonl":
            for answer in answers:
                _out(json.dumps(answer.to_dict(explain=explain), ensure_ascii=False) + "\n")
        case "csv":
            _out(_csv(answers))
        case "plain":
            for answer in answers:
                _out(_plain(answer))
        case _:
            show_answers(answers, explain=explain)


def show_answers(answers: Sequence[Answer], *, explain: bool = False) -> None:
    """Prints answers for people. More than a screenful goes to the pager."""
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=False)
    with _paged(console, answers):
        for answer in answers:
            show_answer(answer, console, explain=explain)


def _paged(console: "Console", answers: Sequence[Answer]) -> AbstractContextManager[object]:
    lines = sum(6 + len(hit.shown) // max(20, console.width) for answer in answers for hit in answer.hits)
    if not console.is_terminal or lines < console.height:
        return nullcontext()
    os.environ.setdefault("LESS", "-RFX")
    return console.pager(styles=True)


def show_answer(answer: Answer, console: "Console | None" = None, *, explain: bool = False) -> None:
    """The hits of one question for a person: each with its place, marked inside the words around it."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = console or Console(highlight=False, soft_wrap=False)
    console.print(Text(safe(answer.query), style="bold"))
    if answer.understood.documents:
        best = answer.understood.documents[0]
        sure = f"{best.belief:.0%} sure" if best.belief < 0.995 else "sure"
        console.print(Text(f"  understood as a question about {safe(best.id)} ({sure}; {best.why})", style="dim"))
    if not answer.hits:
        console.print("  nothing found\n", style="yellow")
    for hit in answer.hits:
        title = Text.assemble(
            (f"{hit.rank}. ", "cyan"),
            (safe(hit.document.title), "bold cyan"),
            (f"  {safe(place(hit))}", "dim"),
            (doubt(hit), "yellow"),
        )
        console.print(title)
        if hit.heading_path:
            console.print(Text("   " + safe(" > ".join(hit.heading_path)), style="dim italic"))
        before, marked, after = in_context(answer.query, hit)
        opening, closing = ("", "") if console.is_terminal else MARKS
        shown = Text.assemble(
            (safe(flowing(before)), "dim"),
            (opening + safe(flowing(marked)) + closing, "bold black on bright_yellow"),
            (safe(flowing(after)), "dim"),
        )
        console.print(Padding(shown, (0, 0, 0 if explain else 1, 3)))
        if explain:
            console.print(Padding(Text(_explained(answer, hit), style="dim"), (0, 0, 1, 3)))


def doubt(hit: Hit) -> str:
    """A remark on a hit that probably does not answer."""
    return f"  (doubtful: {hit.likelihood:.0%})" if is_doubtful(hit) else ""


def place(hit: Hit) -> str:
    """The place of a hit: its document, its page with the printed number, and its characters."""
    label = hit.document.page_label_at(hit.start)
    page = "" if hit.page is None else f"p. {hit.page}" + (f" ({label})" if label and label != str(hit.page) else "")
    return ", ".join(part for part in (hit.passage.document_id, page, f"characters {hit.start}-{hit.end}") if part)


def _explained(answer: Answer, hit: Hit) -> str:
    words = ", ".join(matched_words(answer.question, hit)) or "none"
    lines = [f"score {hit.score:.4f}; words of the question: {safe(words)}"]
    lines += [
        f"  {name:<12}{part.score:9.4f}{'' if part.rank is None else f'   rank {part.rank}'}"
        for name, part in hit.parts.items()
    ]
    return "\n".join(lines)


def open_at(hit: Hit) -> None:
    """Shows the whole document in the pager at the marked hit; prints it without a terminal."""
    document, (opening, closing) = hit.document, MARKS
    before = document.shown(0, hit.start)
    marked = before + opening + hit.shown + closing + document.shown(hit.end, len(document.text))
    shown = "\n".join(safe(line) for line in marked.split("\n"))
    if not sys.stdout.isatty():
        _out(shown + "\n")
        return
    import shutil
    import subprocess

    line = max(1, before.count("\n") - 3)
    pager = shutil.which("less")
    if pager:
        subprocess.run([pager, "-R", f"+{line}"], input=shown.encode("utf-8", "replace"), check=False)
    else:
        import pydoc

        pydoc.pager(shown)


def safe(text: str) -> str:
    """The text without control characters."""
    return _UNSAFE.sub("\ufffd", text)


def _plain(answer: Answer) -> str:
    lines = [answer.query]
    for hit in answer.hits:
        lines.append(f"{hit.rank}\t{hit.score:.4f}\t{hit.passage.document_id}:{hit.start}-{hit.end}")
        lines.append(safe(hit.shown))
        lines.append("")
    return "\n".join(lines) + ("\n" if answer.hits else "\nnothing found\n\n")


def _csv(answers: Sequence[Answer]) -> str:
    columns = ["query", "rank", "score", "document", "title", "page", "start", "end", "text", "pieces"]
    rows = [
        [
            *(answer.query, hit.rank, hit.score, hit.document_id, hit.title, hit.page, hit.start, hit.end, hit.text),
            json.dumps(hit.pieces),
        ]
        for answer in answers
        for hit in answer
    ]
    return csv_text(columns, rows)


def _out(text: str) -> None:
    sys.stdout.write(text)
