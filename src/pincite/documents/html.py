"""Reads the main text of a web page: headings, paragraphs, lists as a browser numbers them, and tables."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pincite.documents.text_builder import Flow
from pincite.documents.request import ReadRequest
from pincite.documents.numerals import written
from pincite.text import Document

_LEFT_OUT = frozenset(
    """script style noscript template nav aside head button input select textarea option datalist iframe object embed
    svg canvas audio video map dialog""".split()
)
_LANDMARKS = frozenset({"navigation", "banner", "contentinfo", "complementary", "search", "menu", "dialog"})
_BLOCKS = frozenset(
    """address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3
    h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul
    caption""".split()
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LIST_FORMS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_CHARSET = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_XML_CHARSET = re.compile(rb"""<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)""", re.IGNORECASE)
_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_WHITE = re.compile(r"[ \t\n\r\f]+")
MOST = 0.5
"""<main> or <article> stands for the page if it holds this part of the text."""


def read_html(given: ReadRequest) -> Document:
    """The document; its title is the page's, else its first heading."""
    root = _parse(given)
    page = _Page()
    body = next(root.iter("body"), root)
    page.walk(_main(body))
    page.close()
    found = root.find(".//title")
    title = "".join(found.itertext()) if found is not None else ""
    return page.flow.document(given, "html", title or page.title)


def html_text(given: ReadRequest) -> str:
    """Only the text, for the body of an e-mail; "" if there is none."""
    page = _Page()
    page.walk(_parse(given))
    page.close()
    return page.flow.text


def decoded(data: bytes) -> str:
    """A page's text by its byte order mark, as UTF-8 if it is valid, by its <meta>, else as windows-1252."""
    for mark, name in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return data.decode(name, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    named = _CHARSET.search(data[:4096]) or _XML_CHARSET.search(data[:200])
    try:
        return data.decode(named[1].decode("ascii") if named else "windows-1252", "replace")
    except LookupError:
        return data.decode("windows-1252", "replace")


def _parse(given: ReadRequest) -> Any:
    from lxml import etree, html

    text = _XML_DECLARATION.sub("", decoded(given.data).replace("\0", ""))
    parser = html.HTMLParser(remove_comments=True, remove_pis=True, no_network=True, huge_tree=False)
    try:
        root = html.document_fromstring(text or "<p></p>", parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError) as error:
        raise given.failure("empty", f"holds no text ({error}); leave it out") from None
    return root


def _main(body: Any) -> Any:
    """<main>, or the only <article>, if most of the text stands in it; else the whole body."""
    whole = _size(body)
    mains = [
        element
        for element in body.iter("main", "div", "section")
        if element.tag == "main" or element.get("role") == "main"
    ]
    articles = list(body.iter("article"))
    for found in [*mains[:1], *(articles if len(articles) == 1 else [])]:
        if _size(found) >= MOST * whole:
            return found
    return body


def _size(element: Any) -> int:
    if _is_left_out(element):
        return 0
    own = len((element.text or "").strip())
    return own + sum(_size(inner) + len((inner.tail or "").strip()) for inner in element)


def _is_left_out(element: Any) -> bool:
    if not isinstance(element.tag, str) or element.tag in _LEFT_OUT or element.get("hidden") is not None:
        return True
    if element.get("aria-hidden") == "true" or (element.get("role") or "").lower() in _LANDMARKS:
        return True
    if element.tag in ("header", "footer") and not _is_inside(element, ("article", "main", "section", "blockquote")):
        return True
    return bool(_HIDDEN.search(element.get("style") or ""))


def _is_inside(element: Any, names: tuple[str, ...]) -> bool:
    return next(element.iterancestors(*names), None) is not None


@dataclass(slots=True)
class _Page:
    """Goes through the page once and closes a block wherever a browser begins a new line."""

    flow: Flow = field(default_factory=Flow)
    title: str = ""
    pending: list[str] = field(default_factory=list)
    label: str = ""
    level: int = 0
    place: str = ""
    pre: int = 0

    def walk(self, element: Any) -> None:
        """All text below an element."""
        if _is_left_out(element):
            return
        tag = element.tag
        if tag == "br":
            self.pending.append("\n")
        elif tag == "table" and not _is_layout(element):
            self._table(element)
        elif tag in _BLOCKS:
            self._block(element, tag)
        else:
            self._inside(element)

    def _inside(self, element: Any) -> None:
        self._text(element.text, element)
        counts = _Counts(element) if element.tag in ("ol", "ul", "menu") else None
        for inner in element:
            if counts and inner.tag == "li":
                self.close()
                self.label = counts.label(inner)
            self.walk(inner)
            self._text(inner.tail, element)

    def _block(self, element: Any, tag: str) -> None:
        self.close()
        if tag in _HEADINGS:
            self.level = _HEADINGS[tag]
        self.pre += tag == "pre"
        self._inside(element)
        self.close()
        self.pre -= tag == "pre"
        if tag == "li":
            self.label = ""

    def _text(self, text: str | None, element: Any) -> None:
        if not text:
            return
        if text.strip() and not self.place:
            self.place = element.getroottree().getpath(element)
        self.pending.append(text.replace("\n", "\x0b") if self.pre else _WHITE.sub(" ", text))

    def close(self) -> None:
        """Ends the current block."""
        text = "".join(self.pending)
        if "\x0b" in text:
            text = text.replace("\x0b", "\n").strip("\n")
        else:
            text = "\n".join(re.sub(" {2,}", " ", line).strip(" ") for line in text.split("\n"))
        if text.strip():
            if self.level and not self.title:
                self.title = text
            self.flow.add(f"{self.label} {text}" if self.label else text, place=self.place, level=self.level)
            self.label, self.level = "", 0
        self.pending, self.place = [], ""

    def _table(self, table: Any) -> None:
        """A row a line, cells parted by " | "."""
        self.close()
        between = "\n\n"
        for row in table.iter("tr", "caption"):
            if next(row.iterancestors("table")) is not table or _is_left_out(row):
                continue
            cells = [row] if row.tag == "caption" else [cell for cell in row if cell.tag in ("td", "th")]
            line = " | ".join(" ".join("".join(_inner_text(cell)).split()) for cell in cells).rstrip(" |")
            if line.strip(" |"):
                self.flow.add(line, place=row.getroottree().getpath(row), between=between)
                between = "\n"


def _inner_text(element: Any) -> Iterator[str]:
    """The text of a table cell, with blanks where blocks begin and end."""
    if _is_left_out(element):
        return
    edge = " " if element.tag in _BLOCKS or element.tag == "br" else ""
    yield edge + (element.text or "")
    for inner in element:
        yield from _inner_text(inner)
        yield inner.tail or ""
    yield edge


def _is_layout(table: Any) -> bool:
    """Whether a table only places paragraphs: one cell a row, or cells that hold whole sections."""
    rows = [row for row in table.iter("tr") if next(row.iterancestors("table")) is table]
    if all(sum(cell.tag in ("td", "th") for cell in row) <= 1 for row in rows):
        return True
    return table.get("role") == "presentation" or next(table.iter("h1", "h2", "h3"), None) is not None


@dataclass(slots=True)
class _Counts:
    """The numbers of a list's items."""

    element: Any
    next: int = field(init=False)

    def __post_init__(self) -> None:
        items = sum(inner.tag == "li" for inner in self.element)
        down = self.element.get("reversed") is not None
        self.next = _whole(self.element.get("start"), items if down else 1)

    def label(self, item: Any) -> str:
        if self.element.tag != "ol":
            return "-"
        if "list-style-type:none" in (self.element.get("style") or "").replace(" ", ""):
            return ""
        count = _whole(item.get("value"), self.next)
        self.next = count + (-1 if self.element.get("reversed") is not None else 1)
        form = _LIST_FORMS.get(item.get("type") or self.element.get("type") or "1", "decimal")
        return f"{written(count, form)}."


def _whole(text: str | None, otherwise: int) -> int:
    found = re.match(r"\s*[-+]?[0-9]+", text or "")
    return int(found.group()) if found else otherwise
