"""Finds what is attached to a document: exhibits, schedules, annexes, appendices."""

from collections.abc import Sequence

from pincite.segment.candidates import ATTACHMENTS, Candidate, Place
from pincite.segment.titles import Shape

LISTED = 150
"""Characters of text under an attachment below which it is an entry of a list of attachments."""
LEAST_LISTED = 3
"""Entries of a list of attachments."""
INNER_ATTACHMENTS = frozenset({"attachment", "appendix", "addendum"})
"""What is attached to an exhibit or schedule rather than to the document where both occur."""


def is_border(candidate: Candidate) -> bool:
    """Whether an attachment clearly starts here: on a line of its own."""
    if candidate.style not in ATTACHMENTS or candidate.place < Place.LINE:
        return False
    return candidate.title.shape in (Shape.EMPTY, Shape.CAPITALS, Shape.HEADING) and candidate.start > 200


def attachments(text: str, found: Sequence[Candidate], after: int) -> list[Candidate]:
    """The attachments behind the last division, which starts at `after`: of each label the place with the most text."""
    own = [
        candidate
        for candidate in found
        if candidate.style in ATTACHMENTS
        and candidate.start > after
        and candidate.place >= Place.BREAK
        and candidate.title.shape is not Shape.SENTENCE
    ]
    labels = {(candidate.style, candidate.label) for candidate in own}
    own = [one for one in own if "-" not in one.label or (one.style, one.label.split("-")[0]) not in labels]
    rooms = [right - left.start for left, right in zip(own, [*(one.start for one in own[1:]), len(text)], strict=False)]
    best: dict[tuple[str, str], tuple[int, Candidate]] = {}
    listed = _listed(text, own, rooms)
    for at, candidate in enumerate(own):
        key = (candidate.style, candidate.label)
        if at not in listed and (key not in best or rooms[at] > best[key][0]):
            best[key] = (rooms[at], candidate)
    attached = sorted((candidate for _, candidate in best.values()), key=lambda candidate: candidate.start)
    outer = [candidate.start for candidate in attached if candidate.style not in INNER_ATTACHMENTS]
    return [
        candidate
        for candidate in attached
        if candidate.style not in INNER_ATTACHMENTS or not outer or candidate.start < outer[0]
    ]


def _listed(text: str, own: Sequence[Candidate], rooms: Sequence[int]) -> set[int]:
    """Which candidates are entries of a list of attachments: several on lines of their own with no text between."""
    listed: set[int] = set()
    run: list[int] = []
    for at, candidate in enumerate(own):
        if _is_on_one_line(text, candidate):
            run.append(at)
        if not run or run[-1] != at or rooms[at] >= LISTED:
            listed |= set(run) if len(run) >= LEAST_LISTED else set()
            run = []
    return listed | (set(run) if len(run) >= LEAST_LISTED else set())


def _is_on_one_line(text: str, candidate: Candidate) -> bool:
    """Whether a title stands behind its number on the same line, as in a list."""
    return bool(candidate.title.text) and "\n" not in text[candidate.end : candidate.title.end]
