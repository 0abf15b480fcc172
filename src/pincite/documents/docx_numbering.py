"""The numbers that Word shows in front of paragraphs: they stand nowhere in the text and must be counted."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pincite.documents.numerals import written
from pincite.documents.xml import child, is_on, local, value

DEPTH = 9
_PLACE = re.compile(r"%([1-9])")


@dataclass(frozen=True, slots=True)
class Level:
    """How one level of a list is numbered."""

    start: int = 1
    format: str = "decimal"
    text: str = ""
    legal: bool = False
    """Whether all numbers of the label are written in digits."""
    restart: int | None = None
    style: str = ""


@dataclass(slots=True)
class Numbering:
    """Counts the numbered paragraphs of a document as they come."""

    levels: dict[str, dict[int, Level]] = field(default_factory=dict)
    """For each list (num) its levels."""
    lists: dict[str, str] = field(default_factory=dict)
    """For each list (num) the definition (abstractNum) whose counters it shares."""
    starts: dict[tuple[str, int], int] = field(default_factory=dict)
    """Where a list begins anew although its definition was counted before."""
    counters: dict[str, list[int | None]] = field(default_factory=dict)

    def label(self, number: str, depth: int) -> str:
        """The number of the next paragraph of that list and level: "3.1", "(a)", "-" for a bullet, or ""."""
        if number not in self.lists or not 0 <= depth < DEPTH:
            return ""
        levels = self.levels[number]
        level = levels.get(depth, Level())
        counts = self.counters.setdefault(self.lists[number], [None] * DEPTH)
        first = self.starts.pop((number, depth), None)
        current = counts[depth]
        counts[depth] = first if first is not None else level.start if current is None else current + 1
        for deeper in range(depth + 1, DEPTH):
            restart = levels.get(deeper, Level()).restart
            if restart is None or depth < restart:
                counts[deeper] = None
        if level.format == "bullet":
            return "-"
        if level.format == "none" and "%" not in level.text:
            return level.text.strip()
        return _PLACE.sub(lambda place: self._part(levels, counts, int(place[1]) - 1, level.legal), level.text).strip()

    def _part(self, levels: dict[int, Level], counts: list[int | None], depth: int, legal: bool) -> str:
        level = levels.get(depth, Level())
        count = counts[depth]
        return written(level.start if count is None else count, "decimal" if legal else level.format)

    def depth_of_style(self, number: str, style: str) -> int:
        """The level that a style stands for in a list."""
        return next((depth for depth, level in self.levels.get(number, {}).items() if level.style == style), 0)


def read_numbering(root: Any, list_of_style: Callable[[str], str | None]) -> Numbering:
    """The lists in numbering.xml. `list_of_style` gives the list that a numbering style uses."""
    found = Numbering()
    if root is None:
        return found
    abstracts = {value(element, "abstractNumId") or "": element for element in root if local(element) == "abstractNum"}
    numbers = {value(element, "numId") or "": element for element in root if local(element) == "num"}
    for number, element in numbers.items():
        name = _abstract(element, abstracts, numbers, list_of_style)
        if name is None:
            continue
        found.lists[number] = name
        levels = {int(value(level, "ilvl") or 0): _level(level) for level in abstracts[name] if local(level) == "lvl"}
        for override in (inner for inner in element if local(inner) == "lvlOverride"):
            depth = int(value(override, "ilvl") or 0)
            if (own := child(override, "lvl")) is not None:
                levels[depth] = _level(own)
            if (start := value(child(override, "startOverride"))) is not None:
                found.starts[number, depth] = int(start)
        found.levels[number] = levels
    return found


def _abstract(
    element: Any, abstracts: dict[str, Any], numbers: dict[str, Any], list_of_style: Callable[[str], str | None]
) -> str | None:
    """The definition that a list uses, directly or through a numbering style."""
    for _ in range(DEPTH):
        name = value(child(element, "abstractNumId"))
        if name not in abstracts:
            return None
        style = value(child(abstracts[name], "numStyleLink"))
        linked = numbers.get(list_of_style(style) or "") if style else None
        if linked is None or linked is element:
            return name
        element = linked
    return None


def _level(element: Any) -> Level:
    restart = value(child(element, "lvlRestart"))
    return Level(
        int(value(child(element, "start")) or 0),
        value(child(element, "numFmt")) or "decimal",
        value(child(element, "lvlText")) or "",
        is_on(child(element, "isLgl")),
        int(restart) if restart is not None else None,
        value(child(element, "pStyle")) or "",
    )
