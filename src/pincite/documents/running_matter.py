"""Finds what belongs to the page and not to the text: page numbers, headers, footers, stamps, rules, line numbers."""

from collections.abc import Sequence

from pincite.documents.counted_phrases import counted_phrases
from pincite.documents.line_gaps import closed, goes_on
from pincite.documents.margin_numbers import margin_numbers
from pincite.documents.page_edges import page_edges
from pincite.documents.page_lines import is_page_line, is_rule
from pincite.documents.rules import inline_rules
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
    cores = list(margin_numbers(text, list(text_lines(text))))
    lines = _without(text, cores)
    page_lines = {at for at, (start, end) in enumerate(lines) if is_page_line(text[start:end])}
    rules = {at for at, (start, end) in enumerate(lines) if is_rule(text[start:end])}
    page_lines |= repeated_citations(text, lines)
    numbers = page_lines | counting_lines(text, lines, page_lines | rules)
    headers = repeated_lines(text, lines, numbers)
    rules = {at for at in rules if not _is_blank_to_fill(text, lines, at)}
    cores += [lines[at] for at in numbers | headers | rules]
    cores += inline_rules(text)
    cores += counted_phrases(text)
    return cores + page_edges(text, sorted(cores))


def _without(text: str, numbers: Sequence[Edges]) -> list[Edges]:
    """The lines behind their numbers."""
    ends = dict(numbers)
    return [(ends.get(start, start), end) for start, end in text_lines(text) if ends.get(start, start) < end]


def _is_blank_to_fill(text: str, lines: Sequence[Edges], at: int) -> bool:
    """Whether a row of underscores stands inside a sentence, where someone writes a name or a date."""
    inside = text[lines[at][0]] == "_" and 0 < at < len(lines) - 1
    return (
        inside
        and text.count("\n", lines[at - 1][1], lines[at + 1][0]) <= 2
        and goes_on(text, lines[at - 1][1], lines[at + 1][0])
    )
