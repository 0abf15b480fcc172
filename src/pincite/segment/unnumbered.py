"""Finds divisions that are not numbered: lines or run-in titles of one kind, each over a paragraph."""

import re
from collections.abc import Sequence
from itertools import zip_longest

from pincite.segment.division import Division, DivisionKind
from pincite.segment.headings import line_heading, run_in_of
from pincite.segment.lines import LineBlock
from pincite.segment.signatures import is_signature, starts_signatures
from pincite.segment.verbs import is_sentence

BODY_LENGTH = 60
"""Characters from which a paragraph is text, however it ends."""
LEAST_LINES = 2
"""Headings on lines of their own that make a family."""
LEAST_RUN_INS = 3
"""Run-in titles that make a family."""


def is_body(text: str, block: LineBlock) -> bool:
    """Whether a block is text: long, or a sentence by its end, and not a heading."""
    long_enough = block.end - block.start >= BODY_LENGTH or text[block.end - 1] in ".;:"
    return long_enough and line_heading(text, block) is None and not is_signature(text, block.start)


def opens_body(text: str, block: LineBlock) -> bool:
    """Whether a block shows that the text has begun: it is a sentence and not an address or a caption."""
    return is_body(text, block) and is_sentence(text[block.start : min(block.end, block.start + 10 * BODY_LENGTH)])


def unnumbered_divisions(text: str, blocks: Sequence[LineBlock]) -> dict[int, Division]:
    """The largest family of headings of one kind between the first paragraph and the signatures, by offset."""
    lines: dict[bool, list[Division]] = {True: [], False: []}
    run_ins: dict[bool, list[Division]] = {True: [], False: []}
    in_body = False
    for block, following in zip_longest(blocks, blocks[1:]):
        if starts_signatures(text, block.start) or (block.division and block.division.kind is DivisionKind.ATTACHMENT):
            break
        if block.division:
            continue
        if in_body and block.mark is None:
            title = line_heading(text, block)
            if title is not None and _is_plain(title) and following and opens_body(text, following):
                lines[title.isupper()].append(Division(block.start, block.end, title))
            elif title is None and (run_in := run_in_of(text, block.start, block.end)):
                end, title = run_in
                run_ins[title.isupper()].append(Division(block.start, end, title))
        in_body = in_body or opens_body(text, block)
    families = [family for family in lines.values() if len(family) >= LEAST_LINES]
    families += [family for family in run_ins.values() if len(family) >= LEAST_RUN_INS]
    best = max(families, key=len, default=[])
    return {division.start: division for division in best}


def _is_plain(title: str) -> bool:
    """Whether a line is a title and not a caption such as "Case Number: 17-2678"."""
    is_caption = title.endswith(":") or (":" in title and any(map(str.isdigit, title)))
    return not is_caption and title[0] not in "#<" and (title.isupper() or not any(map(str.isdigit, title)))


def attached_form(text: str, block: LineBlock, following: LineBlock | None) -> Division | None:
    """The heading of a form behind the signatures: a line in capitals over a paragraph or over a first number."""
    title = line_heading(text, block) if block.mark is None else None
    if (
        title is None
        or not title.isupper()
        or following is None
        or _COMPANY.search(title)
        or is_signature(text, block.start)
    ):
        return None
    opens = following.mark is not None and following.mark.text.strip(".()") in ("1", "I", "A")
    if not opens and not (following.end - following.start >= 2 * BODY_LENGTH and is_body(text, following)):
        return None
    return Division(block.start, block.end, title, kind=DivisionKind.ATTACHMENT)


_COMPANY = re.compile(
    r"\b(?:INC|LLC|L\.L\.C|CORP|CORPORATION|L\.?P|LTD|LIMITED|N\.A|COMPANY|CO|PLC|LLP|BANK|TRUST|[A-Z]+:)(?:\W|$)"
)
