"""Where the provisions of a document stand, by the headings above its units."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pincite.search.whole.provision_numbers import ATTACHED, Segments, called, segments
from pincite.text.passage import Edges
from pincite.text.units import LoadedDocument

FAR_ABOVE = 400
"""Characters that the heading of a provision may stand before its first unit."""
_NUMBERED = re.compile(
    r"[\s\ufeff]*(?:(?:section|clause)\s+)?(?P<number>\d{1,3}(?:\.\d{1,3})+)\b(?=[.)]*\s)", re.IGNORECASE
)


class Provided(NamedTuple):
    """A provision: what its heading calls it, its number, where it stands, and whether it is inside an attachment."""

    word: str
    number: str
    edges: Edges
    attached: bool
    path: tuple[str, ...] = ()


class HeadingRun(NamedTuple):
    """Neighbouring units under one heading."""

    path: tuple[str, ...]
    first: int
    last: int


def heading_runs(loaded: LoadedDocument) -> Iterator[HeadingRun]:
    """For every heading the units under it."""
    units = loaded.units
    opened: list[tuple[str, int]] = []
    before: tuple[str, ...] = ()
    for at in range(len(units)):
        path = units.context(at).heading_path
        if path == before:
            continue
        same = 0
        while same < min(len(path), len(before)) and path[same] == before[same]:
            same += 1
        yield from _closed(opened, same, at - 1)
        opened = [*opened[:same], *((name, at) for name in path[same:])]
        before = path
    yield from _closed(opened, 0, len(units) - 1)


def _closed(opened: Sequence[tuple[str, int]], same: int, last: int) -> Iterator[HeadingRun]:
    names = tuple(name for name, _ in opened)
    for depth in range(same, len(opened)):
        yield HeadingRun(names[: depth + 1], opened[depth][1], last)


def provided(loaded: LoadedDocument, runs: Iterable[HeadingRun]) -> Iterator[Provided]:
    named: set[tuple[Segments, int]] = set()
    for run in runs:
        word, number = called(run.path[-1])
        attached = any(called(name)[0] in ATTACHED for name in run.path[:-1])
        if not number and word not in ATTACHED:
            continue
        if number.startswith("("):
            above = next((called(name)[1] for name in reversed(run.path[:-1]) if called(name)[1]), "")
            number = above + number
        named.add((segments(number), run.first))
        yield Provided(word, number, run_edges(loaded, run), attached, run.path)
    yield from _numbered_units(loaded, named)


def _numbered_units(loaded: LoadedDocument, named: set[tuple[Segments, int]]) -> Iterator[Provided]:
    """Units that begin with a number that is no heading: "7.2.1.4 ...", or "7.2 ..." inside a long line."""
    document, units = loaded.document, loaded.units
    opened: tuple[str, int, tuple[str, ...]] | None = None
    for at in range(len(units)):
        start = int(units.starts[at])
        path = units.context(at).heading_path
        mark = _NUMBERED.match(document.text, start, start + 40)
        ends = opened is not None and (path != opened[2] or mark is not None)
        if opened and ends:
            yield _numbered_unit(loaded, *opened, at - 1)
            opened = None
        if mark and not (path and segments(called(path[-1])[1]) == segments(mark["number"])):
            opened = (mark["number"], at, path)
    if opened:
        yield _numbered_unit(loaded, *opened, len(units) - 1)


def _numbered_unit(loaded: LoadedDocument, number: str, first: int, path: tuple[str, ...], last: int) -> Provided:
    attached = any(called(name)[0] in ATTACHED for name in path)
    edges = (int(loaded.units.starts[first]), int(loaded.units.ends[last]))
    return Provided("", number, edges, attached, path)


def run_edges(loaded: LoadedDocument, run: HeadingRun) -> Edges:
    """From the line of the heading to the end of the last unit under it."""
    units, text = loaded.units, loaded.document.text
    start, end = int(units.starts[run.first]), int(units.ends[run.last])
    before = int(units.ends[run.first - 1]) if run.first else 0
    before = max(before, start - FAR_ABOVE - len(run.path[-1]))
    words = [word.strip("*_#\\") for word in run.path[-1].split() if word.strip("*_#\\")]
    window = text[before : start + len(run.path[-1]) + 20]
    at = _last_of(words, window, start - before)
    return (before + at if at >= 0 else start), end


def _last_of(words: Sequence[str], text: str, most: int) -> int:
    """Where some words begin for the last time, not behind `most`, whatever their case and the marks between them; -1
    where they do not. No pattern: each would have to be compiled, and is looked for once.

    >>> _last_of(["2.", "Use"], "see 2. Use\\n**2.**\\n_USE_", 16), _last_of(["2.", "Use"], "2. Used 2.Use", 9)
    (13, 0)
    """
    if not words:
        return most
    low, wanted = text.lower(), [word.lower() for word in words]
    if len(low) != len(text):  # a letter that is two in lower case
        low, wanted = text, list(words)
    at = low.rfind(wanted[0], 0, most + len(wanted[0]))
    while at >= 0 and not _follow(wanted, low, at):
        at = low.rfind(wanted[0], 0, at + len(wanted[0]) - 1)
    return at


def _follow(words: Sequence[str], text: str, at: int) -> bool:
    """Whether some words stand one behind the other from a place on, with marks of headings between them."""
    for place, word in enumerate(words):
        if place:
            gap = at
            while at < len(text) and (text[at].isspace() or text[at] in "*_#\\"):
                at += 1
            if at == gap:
                return False
        if not text.startswith(word, at):
            return False
        at += len(word)
    return True
