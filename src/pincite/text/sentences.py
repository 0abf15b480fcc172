"""Sentences with their offsets, found by nupunkt, which knows legal abbreviations."""

import re
from collections.abc import Iterator

import nupunkt

Span = tuple[int, int]

_LINE = re.compile(r"[^\n]+")
_PARAGRAPH = re.compile(r"(?:(?!\n[^\S\n]*\n).)+", re.DOTALL)


def sentence_spans(text: str, *, across_lines: bool = False) -> Iterator[Span]:
    """Where the sentences of `text` stand, in order, without the white space around them.

    A sentence ends at the end of a line, unless `across_lines` says that lines are wrapped: then a blank line ends it.

    >>> text = "See Smith v. Jones, 12 F.3d 45. Costs follow.\\nSigned"
    >>> [text[start:end] for start, end in sentence_spans(text)]
    ['See Smith v. Jones, 12 F.3d 45.', 'Costs follow.', 'Signed']
    """
    for block in (_PARAGRAPH if across_lines else _LINE).finditer(text):
        for start, end in nupunkt.sent_spans(block.group()):
            yield from _tight(text, block.start() + start, block.start() + end)


def _tight(text: str, start: int, end: int) -> Iterator[Span]:
    """The span without white space (or a byte order mark) at its edges; nothing where nothing is left."""
    while start < end and _is_space(text[start]):
        start += 1
    while start < end and _is_space(text[end - 1]):
        end -= 1
    if start < end:
        yield start, end


def _is_space(character: str) -> bool:
    return character.isspace() or character == "\ufeff"
