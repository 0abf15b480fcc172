"""Computes the paragraph numbers that Word shows. The file does not contain them."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pincite.documents.numerals import format_number
from pincite.documents.xml import child, is_on, local_name, value

DEPTH = 9
"""Levels of a list in Word."""
_PLACEHOLDER = re.compile(r"%([1-9])")


@dataclass(frozen=True, slots=True)
class ListLevel:
    """How one level of a list is numbered."""

    start: int = 1
    format: str = "decimal"
    text: str = ""
    legal: bool = False
    """Whether all numbers in the label are decimal."""
    restart: int | None = None
    style: str = ""


@dataclass(slots=True)
class Numbering:
    """Counts the numbered paragraphs of a document in order."""

    levels: dict[str, dict[int, ListLevel]] = field(default_factory=dict)
    """The levels of each list (num)."""
    lists: dict[str, str] = field(default_factory=dict)
    """The definition (abstractNum) of each list (num). Lists of one definition share its counters."""
    starts: dict[tuple[str, int], int] = field(default_factory=dict)
    """The number at which a level of a list restarts."""
    counters: dict[str, list[int | None]] = field(default_factory=dict)

    def label(self, number: str, depth: int) -> str:
        """The label of the next paragraph in a list, at a level: "3.1", "(a)", "-" for a bullet, or ""."""
        if number not in self.lists or not 0 <= depth < DEPTH:
            return ""
        levels = self.levels[number]
        level = levels.get(depth, ListLevel())
        counts = self._counted(number, depth)
        if level.format == "bullet":
            return "-"
        if level.format == "none" and "%" not in level.text:
            return level.text.strip()

        def number_at(placeholder: re.Match[str]) -> str:
            return self._number(levels, counts, int(placeholder[1]) - 1, level.legal)

        return _PLACEHOLDER.sub(number_at, level.text).strip()

    def _counted(self, number: str, depth: int) -> list[int | None]:
        """The counters of a list after one more paragraph at a level. Deeper levels restart."""
        levels = self.levels[number]
        counts = self.counters.setdefault(self.lists[number], [None] * DEPTH)
        restarted = self.starts.pop((number, depth), None)
        current = counts[depth]
        following = levels.get(depth, ListLevel()).start if current is None else current + 1
        counts[depth] = following if restarted is None else restarted
        for deeper in range(depth + 1, DEPTH):
            restart = levels.get(deeper, ListLevel()).restart
            if restart is None or depth < restart:
                counts[deeper] = None
        return counts

    def _number(self, levels: dict[int, ListLevel], counts: list[int | None], depth: int, legal: bool) -> str:
        level = levels.get(depth, ListLevel())
        count = counts[depth]
        return format_number(level.start if count is None else count, "decimal" if legal else level.format)

    def depth_of_style(self, number: str, style: str) -> int:
        """The level of a list that belongs to a style."""
        return next((depth for depth, level in self.levels.get(number, {}).items() if level.style == style), 0)


def read_numbering(root: Any, list_of_style: Callable[[str], str | None]) -> Numbering:
    """The lists in numbering.xml. `list_of_style` returns the list that a numbering style uses."""
    numbering = Numbering()
    if root is None:
        return numbering
    abstracts = {
        value(element, "abstractNumId") or "": element for element in root if local_name(element) == "abstractNum"
    }
    numbers = {value(element, "numId") or "": element for element in root if local_name(element) == "num"}
    for number, element in numbers.items():
        name = _abstract(element, abstracts, numbers, list_of_style)
        if name is None:
            continue
        numbering.lists[number] = name
        levels = {
            int(value(level, "ilvl") or 0): _level(level) for level in abstracts[name] if local_name(level) == "lvl"
        }
        for override in (inner for inner in element if local_name(inner) == "lvlOverride"):
            depth = int(value(override, "ilvl") or 0)
            if (own := child(override, "lvl")) is not None:
                levels[depth] = _level(own)
            if (start := value(child(override, "startOverride"))) is not None:
                numbering.starts[number, depth] = int(start)
        numbering.levels[number] = levels
    return numbering


def _abstract(
    element: Any, abstracts: dict[str, Any], numbers: dict[str, Any], list_of_style: Callable[[str], str | None]
) -> str | None:
    """The name of the definition that a list uses, directly or through a numbering style."""
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


def _level(element: Any) -> ListLevel:
    restart = value(child(element, "lvlRestart"))
    return ListLevel(
        int(value(child(element, "start")) or 0),
        value(child(element, "numFmt")) or "decimal",
        value(child(element, "lvlText")) or "",
        is_on(child(element, "isLgl")),
        int(restart) if restart is not None else None,
        value(child(element, "pStyle")) or "",
    )
