"""Prints answers for people: the citation, the place, and the answering words marked in their context; a document at a
glance where the question only names one."""

import json
import os
import re
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from pincite.output import csv_text
from pincite.search.answer import Answer
from pincite.search.highlight import AROUND_IT, flowing, is_doubtful, matched_words, shown_pieces
from pincite.search.overview import Overview
from pincite.search.run import WHICH
from pincite.segment.outline import Heading
from pincite.text import Hit
from pincite.text.hit import ANSWER, LEAD_IN
from pincite.text.title_case import title_case

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from pincite.cli.search import Format

DATA = ("json", "jsonl", "csv", "plain")
"""The formats that have no notes of their own."""

MARKS = ("»", "«")
"""The marks around the answering words where there are no colours."""

STYLES = {ANSWER: "bold black on bright_yellow", LEAD_IN: "dim underline", AROUND_IT: "dim"}
"""How the pieces of a hit look on a terminal."""

INDENT = 3
"""Blanks before what stands below the citation of a hit."""

SCREEN = 50
"""Lines of a screen where there is no terminal."""
LEAST_HEADINGS = 8
"""Headings of an outline that are shown on the smallest screen."""
AROUND_OUTLINE = 12
"""Lines of a screen that an outline leaves to the rest."""
WHICH_ONE = WHICH.partition("{")[0]
"""How the note begins that asks which document is meant."""

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
    """Prints the answers in a format, and notes on standard error. What people read has the notes itself, so that they
    are left out of standard error where both go to the same place. With `several` the JSON is an array of answers, even
    for one question."""
    if form in DATA or not _is_one_stream():
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


def _is_one_stream() -> bool:
    """Whether standard output and standard error go to the same terminal, pipe or file."""
    try:
        return os.path.sameopenfile(sys.stdout.fileno(), sys.stderr.fileno())
    except (OSError, ValueError):  # one of them is no file
        return False


def show_answers(answers: Sequence[Answer], *, explain: bool = False) -> None:
    """Prints answers for people. More than a screenful goes to the pager."""
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=False)
    with _paged(console, answers):
        for answer in answers:
            show_answer(answer, console, explain=explain)


def _paged(console: "Console", answers: Sequence[Answer]) -> AbstractContextManager[object]:
    lines = sum(7 + len(hit.shown) // max(20, console.width) for answer in answers for hit in answer.hits)
    lines += sum(len(answer.notes) for answer in answers)
    lines += sum(6 + len(outlined(answer.overview, console)[0]) for answer in answers if answer.overview)
    if not console.is_terminal or lines < console.height:
        return nullcontext()
    os.environ.setdefault("LESS", "-RFX")
    return console.pager(styles=True)


def show_answer(answer: Answer, console: "Console | None" = None, *, explain: bool = False) -> None:
    """The hits of one question for a person: each with its citation and place, marked inside the words around it."""
    from rich.console import Console
    from rich.text import Text

    console = console or Console(highlight=False, soft_wrap=False)
    console.print(Text(safe(answer.query), style="bold"))
    if answer.understood.documents:
        best = answer.understood.documents[0]
        sure = f"{best.belief:.0%} sure" if best.belief < 0.995 else "sure"
        console.print(Text(f"  understood as a question about {safe(best.id)} ({sure}; {best.why})", style="dim"))
    for note in answer.notes:
        _show_note(note, console)
    if answer.overview:
        _show_overview(answer.overview, console)
    if not answer.hits:
        console.print("  nothing found\n", style="yellow")
    if is_grouped(answer):
        for group in answer.groups:
            name = safe(group.document)
            console.print(Text.assemble((safe(group.hits[0].title) or name, "bold cyan"), (f"  {name}", "dim")))
            for hit in group.hits:
                _show_hit(answer, hit, console, explain=explain, grouped=True)
        return
    for hit in answer.hits:
        _show_hit(answer, hit, console, explain=explain)


def is_grouped(answer: Answer) -> bool:
    """Whether the hits are shown by document: a set is asked about, or no document is named and several answer."""
    if not answer.hits:
        return False
    return answer.understood.asked.across or (not answer.understood.documents and len(answer.groups) > 1)


def _show_note(note: str, console: "Console") -> None:
    from rich.padding import Padding
    from rich.text import Text

    if note.startswith(WHICH_ONE):
        more = "\nname it in the question, or add --document and a part of its name"
        said = Text.assemble((safe(note), "bold yellow"), (more, "yellow"))
    else:
        said = Text(f"note: {safe(note)}", style="yellow")
    console.print(Padding(said, (0, 0, 0, 2), expand=False))


def _show_overview(overview: Overview, console: "Console") -> None:
    """A document at a glance: what is known of it, and its outline with where the text under each heading begins."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    console.print()
    console.print(Text.assemble((safe(overview.title), "bold"), (f"  {safe(overview.document)}", "dim")))
    facts = Table.grid(padding=(0, 2))
    for name, said in overview.facts.items():
        facts.add_row(Text(name, style="dim"), safe(title_case(said) if name == "parties" else said))
    if overview.facts:
        console.print(Padding(facts, (0, 0, 0, 2)))
    shown, more = outlined(overview, console)
    widest = max((len(str(heading.start)) for heading in shown), default=0)
    outline = Table.grid(padding=(0, 2))
    outline.add_column(no_wrap=True, overflow="ellipsis", max_width=max(10, console.width - widest - 6))
    outline.add_column(justify="right", no_wrap=True)
    for heading in shown:
        words = "  " * heading.level + safe(" ".join(heading.text.split()))
        outline.add_row(Text(words), Text(str(heading.start), style="dim"))
    if shown:
        console.print(Text("  outline, and the character where the text under each heading begins:", style="dim"))
        console.print(Padding(outline, (0, 0, 0, 2)))
    if more:
        console.print(Text(f"  and {more} more heading{'' if more == 1 else 's'}", style="dim"))
    console.print()


def outlined(overview: Overview, console: "Console") -> tuple[Sequence[Heading], int]:
    """The headings that fit on a screen, and how many more there are. Those of the second level that are bare numbers
    say nothing; where there are too many, the others of that level go, too."""
    most = max(LEAST_HEADINGS, (console.height if console.is_terminal else SCREEN) - AROUND_OUTLINE)
    shown = [heading for heading in overview.outline if heading.level == 0 or re.search(r"[^\W\d_]", heading.text)]
    if len(shown) > most:
        first = [heading for heading in shown if heading.level == 0]
        shown = (first if len(first) >= LEAST_HEADINGS else shown)[:most]
    return shown, len(overview.outline) - len(shown)


def _show_hit(answer: Answer, hit: Hit, console: "Console", *, explain: bool, grouped: bool = False) -> None:
    """A hit: its citation, its place, then the answer marked inside the words around it. In a group, the document is
    named above."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    number = f"{hit.rank}. "
    cited = Table.grid()
    cited.add_row(Text(number, "cyan"), Text(safe(hit.citation), "bold cyan"))
    console.print(cited)
    where = safe(place_inside(hit) if grouped else place(hit))
    _indented(Text.assemble((where, "dim"), (doubt(hit), "yellow")), console)
    if hit.heading_path:
        _indented(Text(safe(" > ".join(hit.heading_path)), style="dim italic"), console)
    opening, closing = ("", "") if console.is_terminal else MARKS
    shown = Text()
    for text, role in shown_pieces(answer.query, hit):
        words = safe(flowing(text))
        shown.append(words if role == AROUND_IT else opening + words + closing, STYLES[role])
    beside = [*_beside(hit), *(_explained(answer, hit) if explain else [])]
    console.print(Padding(shown, (0, 0, 0 if beside else 1, INDENT)))
    if beside:
        console.print(Padding(Text("\n".join(beside), style="dim"), (0, 0, 1, INDENT)))


def _indented(words: "Text", console: "Console") -> None:
    """Prints words below the citation of a hit."""
    from rich.padding import Padding

    console.print(Padding(words, (0, 0, 0, INDENT), expand=False))


def _beside(hit: Hit) -> list[str]:
    """The provisions that a hit refers to, and the other places that say the same."""
    lines = [f"see {safe(label)} (characters {start}-{end})" for label, start, end in hit.refers_to]
    if hit.also:
        places = [f"{safe(place.document_id)}, characters {place.start}-{place.end}" for place in hit.also]
        lines.append("also at " + "; ".join(places))
    return lines


def doubt(hit: Hit) -> str:
    """A remark on a hit that probably does not answer."""
    return f"  (doubtful: {hit.likelihood:.0%})" if is_doubtful(hit) else ""


def place(hit: Hit) -> str:
    """The place of a hit: its document, its page with the printed number, and its characters."""
    return f"{hit.passage.document_id}, {place_inside(hit)}"


def place_inside(hit: Hit) -> str:
    """The place of a hit inside its document."""
    label = hit.document.page_label_at(hit.start)
    page = "" if hit.page is None else f"p. {hit.page}" + (f" ({label})" if label and label != str(hit.page) else "")
    return ", ".join(part for part in (page, f"characters {hit.start}-{hit.end}") if part)


def _explained(answer: Answer, hit: Hit) -> list[str]:
    words = ", ".join(matched_words(answer.question, hit)) or "none"
    return [
        *([f"why: {safe('; '.join(hit.why))}"] if hit.why else []),
        *(f"“{safe(term)}” is defined at characters {start}-{end}" for term, start, end in hit.terms),
        f"score {hit.score:.4f}; words of the question: {safe(words)}",
        *(
            f"  {name:<12}{part.score:9.4f}{'' if part.rank is None else f'   rank {part.rank}'}"
            for name, part in hit.parts.items()
        ),
    ]


def open_at(hit: Hit) -> None:
    """Shows the whole document in the pager at the marked hit; prints it without a terminal."""
    document, (opening, closing) = hit.document, MARKS
    marked, at, line = "", 0, 1
    for start, end, role in hit.spans:
        marked += document.shown(at, start)
        if role == ANSWER:
            line = max(1, marked.count("\n") - 3)
        marked += opening + document.shown(start, end) + closing
        at = end
    marked += document.shown(at, len(document.text))
    shown = "\n".join(safe(line) for line in marked.split("\n"))
    if not sys.stdout.isatty():
        _out(shown + "\n")
        return
    import shutil
    import subprocess

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
        lines.append(safe(hit.whole))
        lines.append("")
    return "\n".join(lines) + ("\n" if answer.hits else "\nnothing found\n\n")


def _csv(answers: Sequence[Answer]) -> str:
    columns = ["query", "rank", "score", "document", "title", "page", "start", "end", "text", "pieces", "spans"]
    rows = [
        [
            *(answer.query, hit.rank, hit.score, hit.document_id, hit.title, hit.page, hit.start, hit.end, hit.text),
            json.dumps(hit.pieces),
            json.dumps(hit.spans),
        ]
        for answer in answers
        for hit in answer
    ]
    return csv_text(columns, rows)


def _out(text: str) -> None:
    sys.stdout.write(text)
