"""The styles of a Word file: what a paragraph takes over from its style and the styles below that."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pincite.documents.xml import child, is_on, local, value

_HEADING = re.compile(r"heading\s*([1-9])", re.IGNORECASE)


@dataclass(slots=True)
class Styles:
    """The styles by their ids."""

    elements: dict[str, Any] = field(default_factory=dict)
    default: str = ""
    """The style of paragraphs that name none."""

    def chain(self, style: str) -> Iterator[tuple[str, Any]]:
        """A style, the one it is based on, and so on."""
        seen: set[str] = set()
        while style in self.elements and style not in seen:
            seen.add(style)
            yield style, self.elements[style]
            style = value(child(self.elements[style], "basedOn")) or ""

    def level(self, style: str) -> int:
        """The heading level that a style gives, from 1; 0 for none."""
        for _, element in self.chain(style):
            outline = value(child(element, "pPr", "outlineLvl"))
            if outline is not None:
                return int(outline) + 1 if int(outline) < 9 else 0
            if found := _HEADING.fullmatch(value(child(element, "name")) or ""):
                return int(found[1])
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
        """The list that a style numbers its paragraphs in, the level if it says one, and the style that says so."""
        number: str | None = None
        depth: str | None = None
        teller = style
        for name, element in self.chain(style):
            properties = child(element, "pPr", "numPr")
            depth = depth if depth is not None else value(child(properties, "ilvl"))
            if number is None and (number := value(child(properties, "numId"))) is not None:
                teller = name
        return (number, int(depth) if depth is not None else None, teller) if number is not None else None


def read_styles(root: Any) -> Styles:
    """The styles in styles.xml."""
    found = Styles()
    for element in root if root is not None else ():
        if local(element) != "style":
            continue
        name = value(element, "styleId") or ""
        found.elements[name] = element
        is_default = value(element, "default") in ("1", "true", "on")
        if is_default and value(element, "type") in (None, "paragraph"):
            found.default = name
    return found
