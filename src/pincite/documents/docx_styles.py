"""The styles of a Word file: what a paragraph inherits from its style and that style's ancestors."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pincite.documents.xml import child, is_on, local_name, value

_HEADING = re.compile(r"heading\s*([1-9])", re.IGNORECASE)


@dataclass(slots=True)
class Styles:
    """The styles of a file, by id."""

    elements: dict[str, Any] = field(default_factory=dict)
    default: str = ""
    """The style of paragraphs without a style of their own."""

    def chain(self, style: str) -> Iterator[tuple[str, Any]]:
        """A style and its ancestors, nearest first."""
        seen: set[str] = set()
        while style in self.elements and style not in seen:
            seen.add(style)
            yield style, self.elements[style]
            style = value(child(self.elements[style], "basedOn")) or ""

    def level(self, style: str) -> int:
        """The heading level of a style, from 1; 0 if it is not a heading."""
        for _, element in self.chain(style):
            outline = value(child(element, "pPr", "outlineLvl"))
            if outline is not None:
                return int(outline) + 1 if int(outline) < 9 else 0
            if heading := _HEADING.fullmatch(value(child(element, "name")) or ""):
                return int(heading[1])
        return 0

    def is_title(self, style: str) -> bool:
        return any((value(child(element, "name")) or "").lower() == "title" for _, element in self.chain(style))

    def is_hidden(self, style: str) -> bool:
        """Whether a character or paragraph style hides its text."""
        for _, element in self.chain(style):
            vanish = child(element, "rPr", "vanish")
            if vanish is not None:
                return is_on(vanish)
        return False

    def list_of(self, style: str) -> tuple[str, int | None, str] | None:
        """The list of a style, the level if there is one, and the ancestor that names the list."""
        number: str | None = None
        depth: str | None = None
        owner = style
        for name, element in self.chain(style):
            properties = child(element, "pPr", "numPr")
            depth = depth if depth is not None else value(child(properties, "ilvl"))
            if number is None and (number := value(child(properties, "numId"))) is not None:
                owner = name
        return (number, int(depth) if depth is not None else None, owner) if number is not None else None


def read_styles(root: Any) -> Styles:
    """The styles in styles.xml."""
    styles = Styles()
    for element in root if root is not None else ():
        if local_name(element) != "style":
            continue
        name = value(element, "styleId") or ""
        styles.elements[name] = element
        is_default = value(element, "default") in ("1", "true", "on")
        if is_default and value(element, "type") in (None, "paragraph"):
            styles.default = name
    return styles
