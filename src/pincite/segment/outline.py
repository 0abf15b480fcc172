"""The headings above each paragraph of a document, outermost first."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import NamedTuple

from pincite.documents.hidden import with_hidden
from pincite.segment.division import Division, DivisionKind
from pincite.segment.divisions import divisions
from pincite.segment.headings import CELL, HEADING_LENGTH, line_heading, marked_heading, run_in_end, run_in_title
from pincite.segment.lines import LineBlock, blocks
from pincite.segment.numbering import ITEM_LEVEL
from pincite.segment.shown_document import ShownDocument
from pincite.segment.signatures import is_contact, starts_signatures
from pincite.segment.unfinished import is_unfinished
from pincite.segment.unnumbered import attached_form, is_body, opens_body, unnumbered_divisions
from pincite.text import Document
from pincite.text.passage import Edges

FIRST_LEVEL = -100.0
"""Level of the divisions of the document: above everything else."""
ABOVE_NUMBERS = 10
"""Levels by which headings that the format marks rank above numbered paragraphs."""
CAPITALS_LEVEL = 0.5
"""Level of a line in capitals: below articles, above numbered sections."""
FEW_MARKED = 3
"""Marked headings up to which lines that look like headings may be on the first level, too."""
LEAST_CELLS = 3
"""Cells of a row from which rows make a table with a header. Forms have two: what is asked, and the answer."""
TITLE_LEVEL = 1.0
"""Level of a line in title case."""


class Heading(NamedTuple):
    """A heading of a document: how deep it stands from 0, what it says, and where the text under it begins. Without any
    text it is where the heading itself stands."""

    level: int
    text: str
    start: int


@dataclass(slots=True)
class Outline:
    """The current headings, outermost first, the lead-in of the current list, and all headings so far."""

    is_open: bool = True
    """False before the first division of a document that has divisions: its cover and table of contents have none."""
    headings: list[tuple[float, str]] = field(default_factory=list)
    lead_in: tuple[float, Edges] | None = None
    header: Edges | None = None
    """The first row of the current table."""
    found: list[Heading] = field(default_factory=list)
    waiting: list[int] = field(default_factory=list)
    """Which of them have no text yet."""

    def enter(self, level: float, title: str, start: int) -> None:
        """Start a heading. It ends the headings of its own level and of deeper ones."""
        self.lead_in = self.header = None
        if level == FIRST_LEVEL:
            self.is_open = True
        if not self.is_open:
            return
        self.headings = [(depth, name) for depth, name in self.headings if depth < level]
        depth = len(self.headings)
        self.waiting = [at for at in self.waiting if self.found[at].level < depth]
        self.waiting.append(len(self.found))
        self.found.append(Heading(depth, title, start))
        self.headings.append((level, title))

    def begin_text(self, start: int) -> None:
        """The text under the last headings begins."""
        for at in self.waiting:
            self.found[at] = self.found[at]._replace(start=start)
        self.waiting = []

    def leave(self) -> None:
        """End all headings until the next division: signatures follow."""
        self.headings, self.lead_in, self.is_open, self.waiting = [], None, False, []

    def table_header(self, text: str, start: int, end: int) -> Edges | None:
        """The first row of the table that a row belongs to; None for the first row itself and for other text."""
        row = text[start:end]
        if row.count(CELL) < LEAST_CELLS - 1:
            self.header = None
            return None
        if self.header is None:
            self.header = (start, end)
            return None
        return self.header

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(name for _, name in self.headings)


class Paragraph(NamedTuple):
    """A block of lines, and where its text starts behind its heading: at the end of the block if there is none."""

    block: LineBlock
    body: int


def paragraphs(shown: Document, tops: Sequence[Division], outline: Outline) -> Iterator[Paragraph]:
    """The paragraphs of a document without running matter, with `outline` kept at the headings of the last one."""
    text = shown.text
    all_blocks = list(blocks(text, tops))
    unnumbered = _unnumbered(text, all_blocks, tops, dict(shown.source.headings))
    outline.is_open = not (tops or unnumbered)
    walk = _Walk(text, outline, unnumbered, dict(shown.source.headings), is_flat=outline.is_open)
    for block, following in zip_longest(all_blocks, all_blocks[1:]):
        yield walk.step(block, following)


@dataclass(slots=True)
class _Walk:
    """One pass over the blocks of a document."""

    text: str
    outline: Outline
    unnumbered: Mapping[int, Division]
    marked: Mapping[int, int]
    is_flat: bool
    """Whether the document has no divisions."""
    in_body: bool = False
    signed: bool = False
    text_end: int | None = None
    """Where the paragraph before ends; None if a heading stands before."""

    def step(self, block: LineBlock, following: LineBlock | None) -> Paragraph:
        paragraph = self._read(block, following)
        self.text_end = block.end if paragraph.body < block.end else None
        return paragraph

    def _read(self, block: LineBlock, following: LineBlock | None) -> Paragraph:
        division = self._division(block, following)
        if division:
            self.outline.enter(FIRST_LEVEL, division.title, block.start)
            return Paragraph(block, _behind_title(self.text, block, division))
        title = self._title(block)
        if title is not None and self._is_heading(block, following):
            self.outline.enter(self._level(block, title), title, block.start)
            return Paragraph(block, block.end)
        if title is not None and not self.in_body and not block.mark:
            return Paragraph(block, block.end)  # the title of a document without divisions
        self._enter_number(block)
        self.in_body = self.in_body or opens_body(self.text, block)
        return Paragraph(block, run_in_end(self.text, block))

    def _division(self, block: LineBlock, following: LineBlock | None) -> Division | None:
        division = block.division or self.unnumbered.get(block.start)
        if division is None and starts_signatures(self.text, block.start):
            self.outline.leave()
            self.signed = True
        if division is None and self.signed and not self.outline.is_open:
            return attached_form(self.text, block, following)
        return division

    def _title(self, block: LineBlock) -> str | None:
        if block.start in self.marked:
            return marked_heading(self.text[block.start : block.end])
        if self._goes_on(block):
            return None
        title = line_heading(self.text, block)
        is_signer = self.signed and not self.outline.is_open and block.mark is None
        return None if title is not None and is_signer and not title.isupper() else title

    def _goes_on(self, block: LineBlock) -> bool:
        """Whether a block goes on with the sentence of the paragraph before it."""
        return (
            self.text_end is not None
            and (block.mark is None or block.mark.level >= ITEM_LEVEL)
            and is_unfinished(self.text, self.text_end, in_list=False)
        )

    def _is_heading(self, block: LineBlock, following: LineBlock | None) -> bool:
        """Whether a block that looks like a heading is one. Over an address it is a name. Where there are no divisions,
        addresses and captions look like headings, too: there a heading stands between two paragraphs."""
        if block.mark is None and block.start not in self.marked and self._is_addressed(following):
            return False
        if not self.is_flat or block.mark:
            return True
        if block.start in self.marked:
            return block.start > min(self.marked, key=lambda start: (self.marked[start], start))
        return self.in_body and following is not None and is_body(self.text, following)

    def _is_addressed(self, following: LineBlock | None) -> bool:
        if following is None:
            return False
        return is_contact(self.text[following.start : min(following.end, following.start + HEADING_LENGTH)])

    def _level(self, block: LineBlock, title: str) -> float:
        if block.start in self.marked:
            return self.marked[block.start] - ABOVE_NUMBERS
        if block.mark:
            return block.mark.level
        return CAPITALS_LEVEL if title.isupper() else TITLE_LEVEL

    def _enter_number(self, block: LineBlock) -> None:
        if block.mark is None or block.mark.level >= ITEM_LEVEL:
            return
        run_in = run_in_title(self.text, block)
        name = f"{block.mark.text} {run_in}" if run_in else block.mark.text
        self.outline.enter(block.mark.level, name, block.start)


def headings(document: Document) -> list[Heading]:
    """All headings of a document in order, with or without text of their own."""
    whole = with_hidden(document)
    shown = ShownDocument.of(whole)
    outline = Outline()
    for block, body in paragraphs(shown.document, shown_divisions(whole, shown), outline):
        if body < block.end:
            outline.begin_text(body)
    return [heading._replace(start=shown.at(heading.start)) for heading in outline.found]


def shown_divisions(whole: Document, shown: ShownDocument) -> list[Division]:
    """The divisions of a document with the offsets of what is shown of it."""
    found = divisions(whole)
    if shown.map is None:
        return found
    inside = shown.map.inside
    moved = (one._replace(start=inside(one.start), end=inside(one.end - 1) + 1) for one in found)
    return [division for division in moved if division.start < division.end]


def _unnumbered(
    text: str, all_blocks: Sequence[LineBlock], tops: Sequence[Division], marked: Mapping[int, int]
) -> dict[int, Division]:
    """Divisions without numbers: where there are no others, or few that the format marks."""
    terms = [top for top in tops if top.kind is DivisionKind.TERMS]
    if len(terms) > FEW_MARKED or not all(top.start in marked for top in terms):
        return {}
    found = unnumbered_divisions(text, all_blocks)
    return found if len(found) >= 2 * len(terms) else {}


def _behind_title(text: str, block: LineBlock, division: Division) -> int:
    """Where the text of a division's first paragraph starts; a number without a title is part of the text."""
    if not division.is_titled:
        return block.start
    at = division.end
    while at < block.end and (text[at].isspace() or text[at] in ".:-–—*_|"):
        at += 1
    return at
