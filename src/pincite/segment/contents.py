"""Leaves out the table of contents, which has the same numbers as the text behind it."""

import re
from collections.abc import Sequence

from pincite.segment.candidates import Candidate, Place
from pincite.segment.titles import Shape

LONGEST = 0.15
"""Share of a text that its table of contents may have; a short text may have a longer one."""
SHORT = 8000
"""Characters that a table of contents may have in any text."""

_CONTENTS = re.compile(
    r"T\s?A\s?B\s?L\s?E\s+O\s?F\s+C\s?O\s?N\s?T\s?E\s?N\s?T\s?S|Table\s+of\s+Contents|\n\s*(?:CONTENTS|Contents|INDEX)\s*\n"
    r"|ARRANGEMENT\s+OF\s+SECTIONS|Arrangement\s+of\s+Sections"
)


def without_contents(text: str, found: Sequence[Candidate]) -> list[Candidate]:
    """The candidates that are not in the table of contents: it ends where the first of its numbers comes again."""
    marker = _CONTENTS.search(text)
    if marker is None:
        return list(found)
    limit = marker.end() + max(SHORT, LONGEST * len(text))
    seen: dict[tuple[str, int], int] = {}
    for candidate in found:
        if candidate.start < marker.end() or candidate.value > 2:
            continue
        if candidate.start > limit:
            break
        key = (candidate.style, candidate.value)
        is_clear = candidate.place >= Place.BREAK and candidate.title.shape is not Shape.CONTENTS
        if key in seen and is_clear:
            end = _first_of(candidate, found, seen[key])
            return [one for one in found if not marker.start() < one.start < end]
        seen.setdefault(key, candidate.start)
    return list(found)


def _first_of(candidate: Candidate, found: Sequence[Candidate], after: int) -> int:
    """Where the text behind a table of contents starts: at the number 1 before a 2 that came again."""
    if candidate.value == 1:
        return candidate.start
    firsts = [one.start for one in found if one.style == candidate.style and one.value == 1]
    return max((start for start in firsts if after < start < candidate.start), default=candidate.start)
