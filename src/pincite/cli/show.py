"""Hits made for reading: the title, the place, and the words that answer, marked where they stand."""

import csv
import io
import json
import os
import re
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pincite.retrieve.answers import LIKELY, Answer, Meant
from pincite.text import Hit
from pincite.text.sentences import sentence_spans
from pincite.text.stems import stems

if TYPE_CHECKING:
    from rich.console import Console

    from pincite.cli.search import Format

MARKS = ("»", "«")
"""Stand around the marked sentence where there are no colours."""

AROUND = 160
"""So many characters before and behind a hit are shown with it."""

LONG_HIT = 500
"""Of a longer hit only the best sentence is marked."""

HEADING_WORDS = 6
"""With fewer different words than this, a sentence is taken for a heading."""

DOUBTFUL = 0.2
"""A hit that is less likely to answer is marked."""

_UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Control characters of a document must never reach a terminal."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A question with its hits, what was understood of it, and notes."""

    question: str
    hits: list[Hit]
    asked: str = ""
    meant: tuple[Meant, ...] = ()
    notes: tuple[str, ...] = ()
    likely: float | None = None
    """How likely it is that the question is answered at all."""

    @classmethod
    def of(cls, question: str, answer: Answer) -> "Answered":
        return cls(question, list(answer.hits), answer.understood.question, answer.meant, answer.notes, answer.answered)

    def if_likely(self) -> "Answered":
        """The same, without hits where the question is probably not answered."""
        if self.likely is None or self.likely >= LIKELY:
            return self
        return replace(self, hits=[], notes=(f"probably not answered here (likelihood {self.likely:.2f})",))


def print_answers(
    answers: Sequence[Answered],
    form: "Format",
    *,
    envelope: bool = False,
    explain: bool = False,
    several: bool = False,
) -> None:
    """Prints the answers in the form that was asked for; notes also go to standard error. With `several` the JSON is an
    array of answers, also where there is one question."""
    for note in dict.fromkeys(note for answer in answers for note in answer.notes):
        sys.stderr.write(f"note: {note}\n")
    match form:
        case "json":
            shapes: list[object] = [
                enveloped(answer, explain=explain) if envelope else shaped(answer, explain=explain)
                for answer in answers
            ]
            _out(json.dumps(shapes if several else shapes[0], indent=1, ensure_ascii=False) + "\n")
        case "jsonl":
            for answer in answers:
                _out(json.dumps(enveloped(answer, explain=explain), ensure_ascii=False) + "\n")
        case "csv":
            _out(_csv(answers))
        case "plain":
            for answer in answers:
                _out(_plain(answer))
        case _:
            show_answers(answers, explain=explain)


def shaped(answer: Answered, *, explain: bool = False) -> list[dict[str, object]]:
    """The hits of a question; with `explain` also the words of the question that stand in them."""
    return [
        {**hit.to_dict(), "matched": matched_words(answer.asked or answer.question, hit)} if explain else hit.to_dict()
        for hit in answer.hits
    ]


def enveloped(answer: Answered, *, explain: bool = False) -> dict[str, object]:
    """The shape of one answered question."""
    notes = list(answer.notes) if answer.hits else [*answer.notes, "nothing was found"]
    return {
        "query": answer.question,
        "understood": {
            "documents": [meant._asdict() for meant in answer.meant],
            "question": answer.asked or answer.question,
        },
        "notes": notes,
        "answered": answer.likely,
        "hits": shaped(answer, explain=explain),
    }


def matched_words(question: str, hit: Hit) -> list[str]:
    """The words of a hit whose stems the question has, each once, as they are written."""
    wanted = set(stems(question))
    words = re.findall(r"[^\W_]+", hit.text)
    return list(dict.fromkeys(word.lower() for word in words if set(stems(word)) & wanted))


def show_answers(answers: Sequence[Answered], *, explain: bool = False) -> None:
    """All answers for a person; more than a screenful goes through the pager."""
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=False)
    with _paged(console, answers):
        for answer in answers:
            show_answer(answer, console, explain=explain)


def _paged(console: "Console", answers: Sequence[Answered]) -> AbstractContextManager[object]:
    lines = sum(6 + len(hit.text) // max(20, console.width) for answer in answers for hit in answer.hits)
    if not console.is_terminal or lines < console.height:
        return nullcontext()
    os.environ.setdefault("LESS", "-RFX")
    return console.pager(styles=True)


def show_answer(answer: Answered, console: "Console | None" = None, *, explain: bool = False) -> None:
    """The hits of one question for a person: each with its place, marked inside the words around it."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = console or Console(highlight=False, soft_wrap=False)
    console.print(Text(safe(answer.question), style="bold"))
    if answer.meant:
        best = answer.meant[0]
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
        before, marked, after = _in_context(answer.question, hit)
        opening, closing = ("", "") if console.is_terminal else MARKS
        shown = Text.assemble(
            (safe(_lines_joined(before)), "dim"),
            (opening + safe(_lines_joined(marked)) + closing, "bold black on bright_yellow"),
            (safe(_lines_joined(after)), "dim"),
        )
        console.print(Padding(shown, (0, 0, 0 if explain else 1, 3)))
        if explain:
            console.print(Padding(Text(_explained(answer, hit), style="dim"), (0, 0, 1, 3)))


def doubt(hit: Hit) -> str:
    """A mark on a hit that by itself probably does not answer."""
    part = hit.parts.get("answers")
    return f"  (doubtful: {part.score:.0%})" if part is not None and part.score < DOUBTFUL else ""


def place(hit: Hit) -> str:
    """Where a hit stands: its document, the page as printed, else as counted, and the characters."""
    label = hit.document.page_label_at(hit.start)
    page = "" if hit.page is None else f"p. {hit.page}" + (f" ({label})" if label and label != str(hit.page) else "")
    return ", ".join(part for part in (hit.passage.document_id, page, f"characters {hit.start}-{hit.end}") if part)


def _explained(answer: Answered, hit: Hit) -> str:
    words = ", ".join(matched_words(answer.asked or answer.question, hit)) or "none"
    lines = [f"score {hit.score:.4f}; words of the question: {safe(words)}"]
    lines += [
        f"  {name:<12}{part.score:9.4f}{'' if part.rank is None else f'   rank {part.rank}'}"
        for name, part in hit.parts.items()
    ]
    return "\n".join(lines)


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
    wanted = set(stems(question))

    def overlap(span: tuple[int, int]) -> tuple[bool, float]:
        found = set(stems(text[span[0] : span[1]]))
        return len(found) >= HEADING_WORDS, len(found & wanted) / (len(found) + 8)

    return max(sentence_spans(text, across_lines=True), key=overlap, default=(0, 0))


def open_at(hit: Hit) -> None:
    """Shows the whole document in the pager, at the hit, which is marked; without a terminal it is printed."""
    text, (opening, closing) = hit.document.text, MARKS
    marked = text[: hit.start] + opening + hit.text + closing + text[hit.end :]
    shown = "\n".join(safe(line) for line in marked.split("\n"))
    if not sys.stdout.isatty():
        _out(shown + "\n")
        return
    import shutil
    import subprocess

    line = max(1, marked.count("\n", 0, hit.start) - 3)
    pager = shutil.which("less")
    if pager:
        subprocess.run([pager, "-R", f"+{line}"], input=shown.encode("utf-8", "replace"), check=False)
    else:
        import pydoc

        pydoc.pager(shown)


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
            row = [hit.passage.document_id, hit.document.title, hit.page, hit.start, hit.end, hit.text]
            writer.writerow([answer.question, hit.rank, hit.score, *row])
    return out.getvalue()


def _out(text: str) -> None:
    sys.stdout.write(text)
