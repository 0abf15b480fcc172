"""Cuts a legal text into sentences and list items, each with its headings, its lead-in and the clause around it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

import nupunkt

from pincite.documents.hidden import with_hidden
from pincite.segment.lines import LineBlock
from pincite.segment.outline import Outline, Paragraph, paragraphs, shown_divisions
from pincite.segment.short_units import has_words, join_short
from pincite.segment.shown_document import ShownDocument
from pincite.segment.verbs import is_sentence
from pincite.text import Document
from pincite.text.passage import Edges, Unit

LONG_SENTENCE = 300
"""Characters beyond which a sentence is cut at the items of the list in it."""
NO_NUMBER_LEVEL = 9
"""Level of a paragraph without a number, below all numbers."""

_ITEM = re.compile(r"\((?:[a-zA-Z]|[ivx]{2,5}|[0-9]{1,2})\)\s")
_LEADS_TO_ITEM = (";", ",", ":", "; and", ", and", "; or", ", or")


@dataclass(frozen=True, slots=True)
class Clauses:
    """Units that are sentences or list items, with the divisions, numbered sections and run-in headings above them.

    The text may be wrapped, have an empty line between lines, or be a single line. Running matter is left out.
    A heading that is a sentence is also a unit.

    >>> lease = Document("l", "1. TERM\\n1.1 It lasts ten years. It may be renewed.\\n2. RENT\\nIt is due monthly.")
    >>> [(unit.heading_path, lease.text[unit.start : unit.end]) for unit in Clauses()(lease)][1]
    (('1. TERM', '1.1'), 'It may be renewed.')
    """

    name: ClassVar[str] = "clauses"
    covers: ClassVar[bool] = False

    def __call__(self, document: Document) -> Iterator[Unit]:
        whole = with_hidden(document)
        shown = ShownDocument.of(whole)
        units = _attach_short(shown.document.text, self._read(whole, shown))
        return units if shown.is_whole else map(shown.unit_of_whole, units)

    def _read(self, whole: Document, shown: ShownDocument) -> Iterator[Unit]:
        outline = Outline()
        text = shown.document.text
        headings: list[Edges] = []
        has_body = False
        for paragraph in paragraphs(shown.document, shown_divisions(whole, shown), outline):
            block = paragraph.block
            if paragraph.body < block.end or is_sentence(text[block.start : block.end]):
                has_body = True
                yield from self._units(whole.id, text, paragraph, outline)
            else:
                headings.append((block.start, block.end))
        if headings and not has_body:
            for start, end in headings:
                yield Unit(whole.id, start, end, (), None, (start, end))

    def _units(self, document_id: str, text: str, paragraph: Paragraph, outline: Outline) -> Iterator[Unit]:
        block = paragraph.block
        clause = (block.start, block.end)
        body = paragraph.body if paragraph.body < block.end else block.start
        lead_in = _lead_in(block, outline)
        if lead_in is None:
            lead_in = outline.table_header(text, block.start, block.end)
        spans = list(join_short(text, _sentences(text, body, block.end)))
        if spans and block.mark and not block.mark.text[0].isdigit():
            spans[0] = (block.start, spans[0][1])  # "(b) Covenants. The Company shall ..." is one item
        for start, end in spans:
            yield Unit(document_id, start, end, outline.path, lead_in, clause)
        if spans and text[spans[-1][1] - 1] in ":—":
            outline.lead_in = (block.mark.level if block.mark else 3, spans[-1])


def _lead_in(block: LineBlock, outline: Outline) -> Edges | None:
    """The lead-in of a block, which ends with the next block of its level."""
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
        for item in _ITEM.finditer(text, start, end):
            stop = item.start()
            while text[stop - 1].isspace():
                stop -= 1
            if stop - start > 40 and stop < item.start() and text.endswith(_LEADS_TO_ITEM, start, stop):
                yield start, stop
                start = item.start()
    if start < end:
        yield start, end
