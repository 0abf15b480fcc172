"""Finds what belongs to the page and not to the text: page numbers, headers, footers, stamps, rules, line numbers."""

from bisect import bisect_right
from collections.abc import Sequence

from pincite.documents.counted_phrases import counted_phrases
from pincite.documents.fitting_numbers import fitting_numbers
from pincite.documents.line_gaps import closed, goes_on
from pincite.documents.margin_numbers import margin_numbers
from pincite.documents.notices import notices
from pincite.documents.page_edges import page_edges
from pincite.documents.page_lines import is_page_line, is_rule
from pincite.documents.page_notes import is_page_note, page_notes
from pincite.documents.recurring_lines import recurring_lines
from pincite.documents.rules import inline_rules, numbers_of_pages
from pincite.documents.running_lines import counting_lines, repeated_citations, repeated_lines
from pincite.text.lines import text_lines
from pincite.text.passage import Edges


def running_matter(text: str) -> list[Edges]:
    """The edges to hide, in order and apart. What stays reads right when it is joined.

    >>> text = "The tenant shall pay\\n\\n- 12 -\\n\\nthe rent."
    >>> "".join(text[start:end] for start, end in ((0, 21), (30, 39))), running_matter(text)
    ('The tenant shall pay\\nthe rent.', [(21, 30)])
    """
    return closed(text, running_cores(text))


def running_cores(text: str) -> list[Edges]:
    """The running matter itself, without the white space around it that it makes needless."""
    cores = [*margin_numbers(text, list(text_lines(text))), *inline_rules(text), *page_notes(text), *notices(text)]
    lines, whole = _without(text, cores)
    page_lines = {at for at, (start, end) in enumerate(lines) if is_page_line(text[start:end])}
    rules = {at for at, (start, end) in enumerate(lines) if is_rule(text[start:end])}
    page_lines |= repeated_citations(text, lines)
    numbers = page_lines | counting_lines(text, lines, page_lines | rules | whole)
    headers = repeated_lines(text, lines, numbers)
    notes = {at for at, (start, end) in enumerate(lines) if is_page_note(text[start:end])} | whole
    headers |= recurring_lines(text, lines, numbers | headers, rules | notes) | notes
    rules = {at for at in rules if not _is_blank_to_fill(text, lines, at)}
    cores += [lines[at] for at in numbers | headers | rules]
    cores += counted_phrases(text)
    cores += page_edges(text, sorted(cores))
    return [*cores, *fitting_numbers(text, cores), *numbers_of_pages(text)]


def _without(text: str, cores: Sequence[Edges]) -> tuple[list[Edges], set[int]]:
    """The lines without what is known at their edges, and which of them are known as a whole."""
    known = _merged(text, cores)
    starts = [start for start, _ in known]
    lines: list[Edges] = []
    whole: set[int] = set()
    for start, end in text_lines(text):
        left, right = start, end
        first = bisect_right(starts, start) - 1
        if first >= 0 and known[first][0] <= start < known[first][1]:
            left = min(end, known[first][1])
        last = bisect_right(starts, end - 1) - 1
        if last >= 0 and known[last][0] < end <= known[last][1]:
            right = max(left, known[last][0])
        shown = text[left:right].strip()
        if shown:
            left += text[left:right].index(shown)
            lines.append((left, left + len(shown)))
        else:
            whole.add(len(lines))
            lines.append((start, end))
    return lines, whole


def _merged(text: str, cores: Sequence[Edges]) -> list[Edges]:
    """The cores in order, those that overlap or have only blanks between them as one."""
    merged: list[Edges] = []
    for start, end in sorted(cores):
        if merged and (start <= merged[-1][1] or text[merged[-1][1] : start].isspace()):
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _is_blank_to_fill(text: str, lines: Sequence[Edges], at: int) -> bool:
    """Whether a row of underscores stands inside a sentence, where someone writes a name or a date."""
    inside = text[lines[at][0]] == "_" and 0 < at < len(lines) - 1
    return (
        inside
        and text.count("\n", lines[at - 1][1], lines[at + 1][0]) <= 2
        and goes_on(text, lines[at - 1][1], lines[at + 1][0])
    )
