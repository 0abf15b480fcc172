"""Parses web pages that are nested deeper than libxml2 follows. What is too deep is nested less; nothing is lost."""

import re
from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

MOST_NESTED = 1000
"""Open elements. Inside of so many, an element only starts a new block, and its content follows it."""
MOST_STRUCTURED = 1500
"""The same for lists and tables, whose elements belong together."""
_STRUCTURE = frozenset("ol ul menu li dl dt dd table caption thead tbody tfoot tr td th".split())

_HEAD = frozenset("base link meta noscript script style template title".split())
"""Elements that may stand in <head>. Any other ends it."""
BLOCKS = frozenset(
    """address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3
    h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul
    caption""".split()
)
"""Elements that start on a new line and end one."""
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_ENDED_BY = {
    **dict.fromkeys(("p", "h1", "h2", "h3", "h4", "h5", "h6"), frozenset({"p"})),
    **dict.fromkeys(("div", "ol", "ul", "dl", "table", "pre", "section", "article"), frozenset({"p"})),
    "li": frozenset({"li", "p"}),
    **dict.fromkeys(("dt", "dd"), frozenset({"dt", "dd", "p"})),
    **dict.fromkeys(("td", "th"), frozenset({"td", "th", "p"})),
    "tr": frozenset({"tr", "td", "th", "p"}),
    "option": frozenset({"option"}),
}
"""The innermost elements that a start tag ends."""
_NAME = re.compile(r"[A-Za-z][\w.-]*\Z", re.ASCII)
_NOT_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def parse_flat(text: str) -> Any:
    """The root element of a page, with at most `MOST_STRUCTURED` elements inside each other.

    >>> root = parse_flat("<div>" * 3000 + "Rent")
    >>> len(list(root.iter("div"))), "".join(root.itertext())
    (3000, 'Rent')
    """
    parser = _FlatParser()
    parser.feed(text)
    parser.close()
    return parser.tree.close()


@dataclass(slots=True)
class _FlatTree:
    """A tree that grows at its end."""

    builder: Any
    opened: list[str] = field(default_factory=list)
    passed: Counter[str] = field(default_factory=Counter)
    """Elements that were too deep to be opened, and have not ended."""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        while self.opened[-1:] and self.opened[-1] in _ENDED_BY.get(tag, ()):
            self.end()
        self.builder.start(tag, attributes)
        if len(self.opened) < (MOST_STRUCTURED if tag in _STRUCTURE else MOST_NESTED):
            self.opened.append(tag)
        else:
            self.builder.end(tag)
            self.passed[tag] += 1

    def end_tag(self, tag: str) -> None:
        if self.passed[tag]:
            self.passed[tag] -= 1
            self.builder.start("hr" if tag in BLOCKS else "wbr", {})
            self.builder.end("hr" if tag in BLOCKS else "wbr")
        elif tag in self.opened[1:]:
            while self.opened[-1] != tag:
                self.end()
            self.end()

    def end(self) -> None:
        self.builder.end(self.opened.pop())

    def close(self) -> Any:
        while self.opened:
            self.end()
        return self.builder.close()


class _FlatParser(HTMLParser):
    """Feeds the tags of a page to a tree. An end tag without its start tag is left out."""

    def __init__(self) -> None:
        from lxml.etree import TreeBuilder

        super().__init__()
        self.tree = _FlatTree(TreeBuilder())
        self.tree.start("html", {})

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag == "html" or (tag == "body" and "body" in self.tree.opened) or not _NAME.match(tag):
            return
        if tag not in _HEAD and "head" in self.tree.opened[1:2]:
            self.handle_endtag("head")
        kept = {name: _NOT_XML.sub("", value or "") for name, value in attributes if _NAME.match(name)}
        self.tree.start(tag, kept)
        if tag in _VOID:
            self.tree.end_tag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag != "body":
            self.tree.end_tag(tag)

    def handle_data(self, data: str) -> None:
        self.tree.builder.data(_NOT_XML.sub("", data))
