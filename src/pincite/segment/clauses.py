"""Clauses: sentences and list items of a legal text, each with its headings, its lead-in and the clause around it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import nupunkt

from pincite.segment.lines import LineBlock, blocks
from pincite.segment.short import has_words, join_short
from pincite.text import Document
from pincite.text.passage import Edges, Unit

HEADING_LENGTH = 90
MARKED_LENGTH = 200
ABOVE_NUMBERS = 10
"""Headings that the format marks stand above all numbered paragraphs, whatever their numbers."""
RUN_IN_LENGTH = 110
LONG_SENTENCE = 300
"""A longer sentence is cut at the items of the list it holds."""

_RUN_IN = re.compile(r"[\s.:\-–—]*(?P<title>[“\"]?[A-Z][^.:;\n]{2,70}?)(?:\.|:|\s[-–—])(?=\s|[“\"A-Z(])")
_ITEM = re.compile(r"(?:(?<=[;,:])|(?<=[;,] and)|(?<=[;,] or))\s+(?=\((?:[a-zA-Z]|[ivx]{2,5}|[0-9]{1,2})\)\s)")
_SMALL_WORDS = frozenset(
    """a an and as at by for from if in into of on or the to with upon under that this its""".split()
)


@dataclass(slots=True)
class Outline:
    """The headings that are open while a text is read, outermost first, and the lead-in of the list being read."""

    open: list[tuple[int, str]] = field(default_factory=list)
    lead_in: tuple[int, Edges] | None = None

    def enter(self, level: int, title: str) -> None:
        """A heading of that level begins: those of its own level or deeper end."""
        self.open = [(depth, name) for depth, name in self.open if depth < level]
        self.open.append((level, title))

    def close(self, level: int) -> None:
        self.open = [(depth, name) for depth, name in self.open if depth < level]

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(name for _, name in self.open)


@dataclass(frozen=True, slots=True)
class Clauses:
    """Reads titles, numbered sections, run-in headings, lists and schedules; a unit is a sentence or a list item.

    Works on wrapped text, on text with a blank line between lines and on documents of one line. Page numbers and
    repeated headers are left out.

    >>> lease = Document("l", "1. TERM\\n1.1 It lasts ten years. It may be renewed.\\n2. RENT\\nIt is due monthly.")
    >>> [(unit.heading_path, lease.text[unit.start : unit.end]) for unit in Clauses()(lease)][1]
    (('1. TERM', '1.1'), 'It may be renewed.')
    """

    name: ClassVar[str] = "clauses"
    covers: ClassVar[bool] = False

    def __call__(self, document: Document) -> Iterator[Unit]:
        return _attach_short(document.text, self._read(document))

    def _read(self, document: Document) -> Iterator[Unit]:
        outline = Outline()
        text = document.text
        marked = {start: level - ABOVE_NUMBERS for start, level in document.source.headings}
        headings: list[Edges] = []
        bodies = False
        for block in blocks(text):
            title = _marked_heading(text, block) if block.start in marked else _heading(text, block)
            if title is None:
                bodies = True
                yield from self._units(document.id, text, block, outline)
            else:
                outline.enter(marked.get(block.start, block.mark.level if block.mark else 1), title)
                outline.lead_in = None
                headings.append((block.start, block.end))
        if headings and not bodies:
            for start, end in headings:
                yield Unit(document.id, start, end, (), None, (start, end))

    def _units(self, document_id: str, text: str, block: LineBlock, outline: Outline) -> Iterator[Unit]:
        clause = (block.start, block.end)
        if block.mark is not None and block.mark.level < 4:
            outline.close(block.mark.level)
            title = _run_in(text, block)
            outline.enter(block.mark.level, f"{block.mark.text} {title}" if title else block.mark.text)
            outline.lead_in = None
        level = block.mark.level if block.mark else 9
        if outline.lead_in and level <= outline.lead_in[0]:
            outline.lead_in = None
        lead_in = outline.lead_in[1] if outline.lead_in else None
        spans = list(join_short(text, _sentences(text, _title_end(text, block), block.end)))
        if spans and block.mark and not block.mark.text[0].isdigit():
            spans[0] = (block.start, spans[0][1])  # "(b) Covenants. The Company shall ..." is one item
        for start, end in spans:
            yield Unit(document_id, start, end, outline.path, lead_in, clause)
        if spans and text[spans[-1][1] - 1] in ":—":
            outline.lead_in = (block.mark.level if block.mark else 3, spans[-1])


def _attach_short(text: str, units: Iterable[Unit]) -> Iterator[Unit]:
    """Units under three words join the next one under the same headings, else the one before."""
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
    """Two neighbours as one unit, which stands where the longer of the two stood."""
    main = left if left.length >= right.length else right
    edges = left.clause or (left.start, left.end), right.clause or (right.start, right.end)
    clause = (edges[0][0], edges[1][1])
    return Unit(left.document_id, left.start, right.end, main.heading_path, main.lead_in, clause)


def _title_end(text: str, block: LineBlock) -> int:
    """Where a paragraph's own words begin, behind its number and run-in title; its start where it has no title."""
    if block.mark is None or not _run_in(text, block):
        return block.start
    found = _RUN_IN.match(text, block.mark.end, min(block.end, block.mark.end + RUN_IN_LENGTH))
    return found.end() if found and text[found.end() : block.end].strip() else block.start


def _sentences(text: str, start: int, end: int) -> Iterator[Edges]:
    for begin, stop in nupunkt.sent_spans(text[start:end]):
        yield from _pieces(text, start + begin, start + stop)


def _pieces(text: str, start: int, end: int) -> Iterator[Edges]:
    """A sentence without its white space; a very long one as the items of its list."""
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
    """The block as a heading because its format says so (a style in Word, <h2>); a whole paragraph is none."""
    line = " ".join(text[block.start : block.end].split())
    return line if len(line) <= MARKED_LENGTH else None


def _heading(text: str, block: LineBlock) -> str | None:
    """The block as a heading, if it is one: short, in capitals or title case, and no sentence."""
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
    words = [word for word in body.split() if word.lower() not in _SMALL_WORDS]
    titled = 0 < len(words) <= 9 and all(not word[0].islower() for word in words)
    if block.mark and block.mark.level < 4:
        return line if titled and not re.search(r"[.;]\s", body) else None
    if line[-1] in ".;" or "," in line:
        return None
    isolated = line[0].isupper() and line[-1].isalpha() and len(line.split()) <= 5 and _stands_alone(text, block)
    return line if (titled and len(words) <= 7) or isolated else None


def _stands_alone(text: str, block: LineBlock) -> bool:
    """Whether blank lines part a block from what stands before and behind it."""
    before, after = text[max(0, block.start - 40) : block.start], text[block.end : block.end + 40]
    gap_before = before[len(before.rstrip(" \t\n\ufeff")) :]
    gap_after = after[: len(after) - len(after.lstrip(" \t\n"))]
    return gap_before.count("\n") >= 2 and gap_after.count("\n") >= 2


def _run_in(text: str, block: LineBlock) -> str:
    """The title that opens a numbered paragraph: '7.2 Term. This agreement ...'."""
    if block.mark is None:
        return ""
    found = _RUN_IN.match(text, block.mark.end, min(block.end, block.mark.end + RUN_IN_LENGTH))
    if not found:
        return ""
    title = found.group("title")
    words = [word for word in title.split() if word.lower() not in _SMALL_WORDS]
    return title if words and len(words) <= 9 and all(not word[0].islower() for word in words) else ""
