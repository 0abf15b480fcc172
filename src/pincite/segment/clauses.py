"""Cuts a legal text into sentences and list items, each with its headings, its lead-in and the clause around it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import nupunkt

from pincite.documents.hidden import with_hidden
from pincite.segment.lines import LineBlock, blocks
from pincite.segment.short_units import has_words, join_short
from pincite.segment.shown_document import ShownDocument
from pincite.text import Document
from pincite.text.passage import Edges, Unit

HEADING_LENGTH = 90
"""Characters that a heading may have."""
MARKED_HEADING_LENGTH = 200
"""Characters that a heading may have if the format marks it as one (a style in Word, <h2>)."""
ABOVE_NUMBERS = 10
"""Levels by which headings that the format marks rank above numbered paragraphs."""
RUN_IN_LENGTH = 110
"""Characters after the number of a paragraph in which its run-in title must end."""
LONG_SENTENCE = 300
"""Characters beyond which a sentence is cut at the items of the list in it."""
ITEM_LEVEL = 4
"""Level of "(a)". Numbers above it, such as "7.2", open a heading."""
NO_NUMBER_LEVEL = 9
"""Level of a paragraph without a number, below all numbers."""

_RUN_IN = re.compile(r"[\s.:\-–—]*(?P<title>[“\"]?[A-Z][^.:;\n]{2,70}?)(?:\.|:|\s[-–—])(?=\s|[“\"A-Z(])")
_ITEM = re.compile(r"(?:(?<=[;,:])|(?<=[;,] and)|(?<=[;,] or))\s+(?=\((?:[a-zA-Z]|[ivx]{2,5}|[0-9]{1,2})\)\s)")
_SMALL_WORDS = frozenset(
    """a an and as at by for from if in into of on or the to with upon under that this its""".split()
)


@dataclass(slots=True)
class Outline:
    """The current headings, outermost first, and the lead-in of the current list."""

    headings: list[tuple[int, str]] = field(default_factory=list)
    lead_in: tuple[int, Edges] | None = None

    def enter(self, level: int, title: str) -> None:
        """Start a heading. It ends the headings of its own level and of deeper ones."""
        self.headings = [(depth, name) for depth, name in self.headings if depth < level]
        self.headings.append((level, title))

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(name for _, name in self.headings)


@dataclass(frozen=True, slots=True)
class Clauses:
    """Units that are sentences or list items, with the titles, numbered sections and run-in headings above them.

    The text may be wrapped, have an empty line between lines, or be a single line. Page numbers and running headers are
    left out.

    >>> lease = Document("l", "1. TERM\\n1.1 It lasts ten years. It may be renewed.\\n2. RENT\\nIt is due monthly.")
    >>> [(unit.heading_path, lease.text[unit.start : unit.end]) for unit in Clauses()(lease)][1]
    (('1. TERM', '1.1'), 'It may be renewed.')
    """

    name: ClassVar[str] = "clauses"
    covers: ClassVar[bool] = False

    def __call__(self, document: Document) -> Iterator[Unit]:
        shown = ShownDocument.of(with_hidden(document))
        units = _attach_short(shown.document.text, self._read(shown.document))
        return units if shown.is_whole else map(shown.unit_of_whole, units)

    def _read(self, document: Document) -> Iterator[Unit]:
        outline = Outline()
        text = document.text
        marked = {start: level - ABOVE_NUMBERS for start, level in document.source.headings}
        headings: list[Edges] = []
        has_body = False
        for block in blocks(text):
            title = _marked_heading(text, block) if block.start in marked else _heading(text, block)
            if title is None:
                has_body = True
                yield from self._units(document.id, text, block, outline)
            else:
                outline.enter(marked.get(block.start, block.mark.level if block.mark else 1), title)
                outline.lead_in = None
                headings.append((block.start, block.end))
        if headings and not has_body:
            for start, end in headings:
                yield Unit(document.id, start, end, (), None, (start, end))

    def _units(self, document_id: str, text: str, block: LineBlock, outline: Outline) -> Iterator[Unit]:
        clause = (block.start, block.end)
        lead_in = _lead_in(text, block, outline)
        spans = list(join_short(text, _sentences(text, _title_end(text, block), block.end)))
        if spans and block.mark and not block.mark.text[0].isdigit():
            spans[0] = (block.start, spans[0][1])  # "(b) Covenants. The Company shall ..." is one item
        for start, end in spans:
            yield Unit(document_id, start, end, outline.path, lead_in, clause)
        if spans and text[spans[-1][1] - 1] in ":—":
            outline.lead_in = (block.mark.level if block.mark else 3, spans[-1])


def _lead_in(text: str, block: LineBlock, outline: Outline) -> Edges | None:
    """The lead-in of a block. A block with a number enters the outline, and ends lead-ins of its level."""
    if block.mark is not None and block.mark.level < ITEM_LEVEL:
        title = _run_in(text, block)
        outline.enter(block.mark.level, f"{block.mark.text} {title}" if title else block.mark.text)
        outline.lead_in = None
    level = block.mark.level if block.mark else NO_NUMBER_LEVEL
    if outline.lead_in and level <= outline.lead_in[0]:
        outline.lead_in = None
    return outline.lead_in[1] if outline.lead_in else None


def _attach_short(text: str, units: Iterable[Unit]) -> Iterator[Unit]:
    """Join units of fewer than three words to the next unit under the same headings, else to the one before."""
    last: Unit | None = None
    waiting: Unit | None = None
    for unit in units:
        current = unit
        if waiting and (last is None or waiting.heading_path == unit.heading_path):
            current, waiting = _joined(waiting, unit), None
        elif waiting and last:
            last, waiting = _joined(last, waiting), None
        if not has_words(text, current.start, current.end):
            waiting = current
            continue
        if last:
            yield last
        last = current
    if waiting:
        last = _joined(last, waiting) if last else waiting
    if last:
        yield last


def _joined(left: Unit, right: Unit) -> Unit:
    """Two neighbours as one unit, under the headings of the longer one."""
    main = left if left.length >= right.length else right
    edges = left.clause or (left.start, left.end), right.clause or (right.start, right.end)
    clause = (edges[0][0], edges[1][1])
    return Unit(left.document_id, left.start, right.end, main.heading_path, main.lead_in, clause)


def _title_end(text: str, block: LineBlock) -> int:
    """The offset after the number and run-in title of a paragraph; its start if it has no title."""
    if block.mark is None or not _run_in(text, block):
        return block.start
    match = _match_run_in(text, block.mark.end, block.end)
    return match.end() if match and text[match.end() : block.end].strip() else block.start


def _sentences(text: str, start: int, end: int) -> Iterator[Edges]:
    for begin, stop in nupunkt.sent_spans(text[start:end]):
        yield from _pieces(text, start + begin, start + stop)


def _pieces(text: str, start: int, end: int) -> Iterator[Edges]:
    """A sentence without white space at its ends; a long one cut at the items of its list."""
    while end > start and text[end - 1].isspace():
        end -= 1
    while start < end and (text[start].isspace() or text[start] == "\ufeff"):
        start += 1
    if end - start > LONG_SENTENCE:
        for gap in _ITEM.finditer(text, start, end):
            if gap.start() - start > 40:
                yield start, gap.start()
                start = gap.end()
    if start < end:
        yield start, end


def _marked_heading(text: str, block: LineBlock) -> str | None:
    """The text of a heading that the format marks; None if it is as long as a paragraph."""
    line = " ".join(text[block.start : block.end].split())
    return line if len(line) <= MARKED_HEADING_LENGTH else None


def _heading(text: str, block: LineBlock) -> str | None:
    """The text of a block if it is a heading: short, in capitals or title case, and not a sentence."""
    if block.end - block.start > HEADING_LENGTH:
        return None
    line = " ".join(text[block.start : block.end].split())
    body = " ".join(text[block.mark.end : block.end].split()) if block.mark else line
    body = body.strip(" .:-–—")
    if not body:
        return line if block.mark and block.mark.level <= 1 else None
    if not any(map(str.isalpha, body)) or line[-1] in ";,":
        return None
    if body.isupper():
        return line
    if block.mark and block.mark.level < ITEM_LEVEL:
        return line if _is_title_case(body, most_words=9) and not re.search(r"[.;]\s", body) else None
    if line[-1] in ".;" or "," in line:
        return None
    return line if _is_title_case(body, most_words=7) or _is_isolated(text, block, line) else None


def _is_isolated(text: str, block: LineBlock, line: str) -> bool:
    """Whether a block is a few words between empty lines."""
    has_ends = line[0].isupper() and line[-1].isalpha()
    return has_ends and len(line.split()) <= 5 and _stands_alone(text, block)


def _stands_alone(text: str, block: LineBlock) -> bool:
    """Whether there is an empty line before and after a block."""
    before, after = text[max(0, block.start - 40) : block.start], text[block.end : block.end + 40]
    gap_before = before[len(before.rstrip(" \t\n\ufeff")) :]
    gap_after = after[: len(after) - len(after.lstrip(" \t\n"))]
    return gap_before.count("\n") >= 2 and gap_after.count("\n") >= 2


def _run_in(text: str, block: LineBlock) -> str:
    """The title at the start of a numbered paragraph: "Term" in "7.2 Term. This agreement ..."."""
    if block.mark is None:
        return ""
    match = _match_run_in(text, block.mark.end, block.end)
    title = match.group("title") if match else ""
    return title if _is_title_case(title, most_words=9) else ""


def _match_run_in(text: str, start: int, end: int) -> re.Match[str] | None:
    return _RUN_IN.match(text, start, min(end, start + RUN_IN_LENGTH))


def _is_title_case(line: str, most_words: int) -> bool:
    """Whether a line has few words, all of them capitalised except for small ones."""
    words = [word for word in line.split() if word.lower() not in _SMALL_WORDS]
    return 0 < len(words) <= most_words and all(not word[0].islower() for word in words)
