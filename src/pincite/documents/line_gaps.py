"""Where to cut a text around what is hidden in it, so that what stays reads right when it is joined."""

from collections.abc import Iterable, Iterator

from pincite.text.passage import Edges

_ENDS = frozenset('.;:?!”"’')
"""A paragraph that ends with one of these does not go on behind a page break."""
_LEADING = frozenset(
    """a an and any as at by each for from in into its no of on or such than that the their this to under upon
    with""".split()
)
"""A sentence goes on behind one of these words, whatever follows."""
_BLANKS = " \t\n\r\x0b\x0c\u00a0\u2002\u2003\u2009\u202f\u3000\ufeff"


def closed(text: str, cores: Iterable[Edges], *, joining: bool = True) -> list[Edges]:
    """The edges that hide the cores: one line break or blank stays in a sentence, one empty line between paragraphs.

    Without `joining`, what stands before a core and behind it is never one sentence.

    >>> text = "The rent\\n\\n12\\n\\nis due. \\n\\n13\\n\\nNo pets."
    >>> [text[start:end] for start, end in closed(text, [(10, 12), (24, 26)])]
    ['\\n12\\n\\n', '13\\n\\n']
    """
    edges: list[Edges] = []
    for start, end in _merged(text, cores):
        edges += _around(text, start, end, joining=joining)
    return edges


def _merged(text: str, cores: Iterable[Edges]) -> list[Edges]:
    """The cores in order; those with only white space between them as one."""
    merged: list[Edges] = []
    for start, end in sorted(cores):
        if merged and (start <= merged[-1][1] or not text[merged[-1][1] : start].strip(_BLANKS)):
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif start < end:
            merged.append((start, end))
    return merged


def _around(text: str, start: int, end: int, *, joining: bool) -> Iterator[Edges]:
    """The edges of one core with the white space around it that is too much."""
    before, after = start, end
    while before and text[before - 1] in _BLANKS:
        before -= 1
    while after < len(text) and text[after] in _BLANKS:
        after += 1
    if before == 0 or after == len(text) or after == end:
        yield start, end
        return
    going_on = joining and goes_on(text, before, after)
    above, below = text.count("\n", before, start), text.count("\n", end, after)
    next_line = max(end, text.rfind("\n", end, after) + 1)
    if above == 0:
        if below == 0:
            yield (before + 1 if going_on and before < start else start), after
        elif going_on and before < start:
            yield before + 1, after
        elif going_on:
            line_break = text.index("\n", end, after)
            yield before, line_break
            yield line_break + 1, next_line
        else:
            yield before, end
        return
    first_break = text.index("\n", before, start)
    if going_on and below:
        yield first_break + 1, next_line
    elif below == 0:
        yield start, after
    elif above >= 2:
        yield text.index("\n", first_break + 1, start) + 1, next_line
    elif below >= 2:
        yield first_break + 1, text.index("\n", end, after) + 1
    else:
        yield first_break + 1, next_line


def goes_on(text: str, before: int, after: int) -> bool:
    """Whether a sentence that stops at `before` goes on at `after`."""
    if text[before - 1] in _ENDS:
        return False
    if text[after].islower():
        return True
    words = text[max(0, before - 12) : before].split()
    return bool(words) and words[-1] in _LEADING and text[after].isalnum()
