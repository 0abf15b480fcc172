"""Reads the main text of a web page: headings, paragraphs, lists as a browser numbers them, and tables."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from pincite.documents.encodings import NAMES, WESTERN, DecodedText, decode_other
from pincite.documents.formats import UTF8_BOM, UTF16_BOMS
from pincite.documents.html_flat import BLOCKS, parse_flat
from pincite.documents.numerals import format_number
from pincite.documents.request import ReadRequest
from pincite.documents.text_builder import LINE_BREAK, PARAGRAPH_BREAK, TextBuilder
from pincite.text import Document

_LEFT_OUT = frozenset(
    """script style noscript template nav aside head button input select textarea option datalist iframe object embed
    svg canvas audio video map dialog""".split()
)
_LANDMARKS = frozenset({"navigation", "banner", "contentinfo", "complementary", "search", "menu", "dialog"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LIST_STYLES = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_CHARSET = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_XML_CHARSET = re.compile(rb"""<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)""", re.IGNORECASE)
_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_WHITE = re.compile(r"[ \t\n\r\f]+")
MOST_STEPS = 100
"""Elements on the path that stands for a place."""
MAIN_SHARE = 0.5
"""Share of the text that <main> or <article> must hold to stand for the page."""


def read_html(request: ReadRequest) -> Document:
    """The document. Its title is the page's title, else its first heading."""
    root = _parse(request)
    page = _PageReader()
    body = next(root.iter("body"), root)
    page.walk(_main(body))
    page.close()
    title_element = root.find(".//title")
    title = "".join(title_element.itertext()) if title_element is not None else ""
    return page.builder.document(request, "html", title or page.title)


def html_text(request: ReadRequest) -> str:
    """The text alone, for the body of an e-mail; "" if there is none."""
    page = _PageReader()
    page.walk(_parse(request))
    page.close()
    return page.builder.text


def decoded(request: ReadRequest) -> str:
    """Decode by the byte order mark, else as UTF-8 if that is valid, else by <meta>, else by what fits best."""
    data = request.data
    if data.startswith(UTF8_BOM):
        return data.decode("utf-8-sig", "replace")
    if data.startswith(UTF16_BOMS):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    if named := _CHARSET.search(data[:4096]) or _XML_CHARSET.search(data[:200]):
        with suppress(LookupError):
            return data.decode(named[1].decode("ascii"), "replace")
    other = decode_other(data) or DecodedText(data.decode(WESTERN, "replace"), NAMES[WESTERN])
    request.note(f"not UTF-8, and it does not name its encoding; read as {other.encoding}")
    return other.text


def _parse(request: ReadRequest) -> Any:
    from lxml import etree, html

    text = _XML_DECLARATION.sub("", decoded(request).replace("\0", ""))
    parser = html.HTMLParser(remove_comments=True, remove_pis=True, no_network=True, huge_tree=True)
    try:
        root = html.document_fromstring(text or "<p></p>", parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError) as error:
        raise request.failure("empty", f"holds no text ({error}); leave it out") from None
    # libxml2 drops whatever is nested more than 2,048 deep, and all that follows.
    is_cut = any(entry.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for entry in parser.error_log)
    return parse_flat(text) if is_cut else root


def _main(body: Any) -> Any:
    """<main>, or the only <article>, if it holds most of the text; else the whole body."""
    whole = _size(body)
    mains = [
        element
        for element in body.iter("main", "div", "section")
        if element.tag == "main" or element.get("role") == "main"
    ]
    articles = list(body.iter("article"))
    for candidate in [*mains[:1], *(articles if len(articles) == 1 else [])]:
        if _size(candidate) >= MAIN_SHARE * whole:
            return candidate
    return body


def _size(element: Any) -> int:
    """Characters of visible text in an element."""
    return sum(len(text.strip()) for text in _visible(element))


def _visible(element: Any) -> Iterator[str]:
    """The pieces of visible text in an element, with blanks around blocks."""
    from lxml.etree import iterwalk

    walk = iterwalk(element, events=("start", "end"))
    for event, inner in walk:
        edge = " " if inner.tag in BLOCKS or inner.tag == "br" else ""
        if event == "start" and _is_left_out(inner):
            walk.skip_subtree()
        elif event == "start":
            yield edge + (inner.text or "")
        elif inner is not element:
            yield ("" if _is_left_out(inner) else edge) + (inner.tail or "")


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


@dataclass(frozen=True, slots=True)
class _OpenElement:
    """An element whose content is being read."""

    element: Any
    counter: "_ListCounter | None"


@dataclass(slots=True)
class _PageReader:
    """Reads the page once, and ends a block wherever a browser starts a new line."""

    builder: TextBuilder = field(default_factory=TextBuilder)
    title: str = ""
    pending: list[str] = field(default_factory=list)
    """Text of the current block."""
    label: str = ""
    """Number or bullet of the current list item, until it is written."""
    level: int = 0
    place: str = ""
    pre: int = 0
    """How many <pre> elements surround the current text."""
    opened: list[_OpenElement] = field(default_factory=list)
    ordinals: dict[Any, str] = field(default_factory=dict)
    """Short paths of elements that are nested deeply."""

    def walk(self, element: Any) -> None:
        """Read all text below an element."""
        from lxml.etree import iterwalk

        walk = iterwalk(element, events=("start", "end"))
        for event, inner in walk:
            if event == "start":
                if not self._start(inner):
                    walk.skip_subtree()
                continue
            if self.opened and self.opened[-1].element is inner:
                self._end(inner)
            if inner is not element:
                self._text(inner.tail, self.opened[-1].element)

    def _start(self, element: Any) -> bool:
        """Begin an element. False if what is in it is left out, or read already."""
        counter = self.opened[-1].counter if self.opened else None
        if counter and element.tag == "li":
            self.close()
            self.label = counter.label(element)
        tag = element.tag
        if _is_left_out(element):
            return False
        if tag == "br":
            self.pending.append("\n")
            return False
        if tag == "table" and not _is_layout(element):
            self._table(element)
            return False
        if tag in BLOCKS:
            self.close()
            self.level = _HEADINGS.get(tag, self.level)
            self.pre += tag == "pre"
        self.opened.append(_OpenElement(element, _ListCounter(element) if tag in ("ol", "ul", "menu") else None))
        self._text(element.text, element)
        return True

    def _end(self, element: Any) -> None:
        self.opened.pop()
        if element.tag in BLOCKS:
            self.close()
            self.pre -= element.tag == "pre"
        if element.tag == "li":
            self.label = ""

    def _text(self, text: str | None, element: Any) -> None:
        if not text:
            return
        if text.strip() and not self.place:
            self.place = self._path(element)
        self.pending.append(text.replace("\n", "\x0b") if self.pre else _WHITE.sub(" ", text))

    def _path(self, element: Any) -> str:
        """The XPath of an element. Paths through many elements would be long: there it is "the 700th <div>"."""
        tree = element.getroottree()
        if len(self.opened) <= MOST_STEPS:
            return str(tree.getpath(element))
        if not self.ordinals:
            counts: Counter[str] = Counter()
            for inner in tree.iter("*"):
                counts[inner.tag] += 1
                self.ordinals[inner] = f"(//{inner.tag})[{counts[inner.tag]}]"
        return self.ordinals[element]

    def close(self) -> None:
        """End the current block."""
        text = "".join(self.pending)
        if "\x0b" in text:
            text = text.replace("\x0b", "\n").strip("\n")
        else:
            text = "\n".join(re.sub(" {2,}", " ", line).strip(" ") for line in text.split("\n"))
        if text.strip():
            if self.level and not self.title:
                self.title = text
            self.builder.add(f"{self.label} {text}" if self.label else text, place=self.place, level=self.level)
            self.label, self.level = "", 0
        self.pending, self.place = [], ""

    def _table(self, table: Any) -> None:
        """Add a table: one line per row, cells separated by " | "."""
        self.close()
        between = PARAGRAPH_BREAK
        for row in _rows(table):
            if _is_left_out(row):
                continue
            cells = [row] if row.tag == "caption" else [cell for cell in row if cell.tag in ("td", "th")]
            line = " | ".join(" ".join("".join(_visible(cell)).split()) for cell in cells).rstrip(" |")
            if line.strip(" |"):
                self.builder.add(line, place=self._path(row), between=between)
                between = LINE_BREAK


def _rows(table: Any) -> Iterator[Any]:
    """The rows and captions of a table, without those of the tables in its cells."""
    from lxml.etree import iterwalk

    walk = iterwalk(table, events=("start",))
    for _, element in walk:
        if element.tag in ("tr", "caption"):
            yield element
        elif element.tag == "table" and element is not table:
            walk.skip_subtree()


def _is_layout(table: Any) -> bool:
    """Whether a table only arranges paragraphs: one cell per row, or cells that hold whole sections."""
    rows = [row for row in _rows(table) if row.tag == "tr"]
    if all(sum(cell.tag in ("td", "th") for cell in row) <= 1 for row in rows):
        return True
    return table.get("role") == "presentation" or next(table.iter("h1", "h2", "h3"), None) is not None


@dataclass(slots=True)
class _ListCounter:
    """Numbers the items of a list as a browser does."""

    element: Any
    following: int = field(init=False)

    def __post_init__(self) -> None:
        items = sum(inner.tag == "li" for inner in self.element)
        down = self.element.get("reversed") is not None
        self.following = _integer(self.element.get("start"), items if down else 1)

    def label(self, item: Any) -> str:
        if self.element.tag != "ol":
            return "-"
        if "list-style-type:none" in (self.element.get("style") or "").replace(" ", ""):
            return ""
        count = _integer(item.get("value"), self.following)
        self.following = count + (-1 if self.element.get("reversed") is not None else 1)
        style = _LIST_STYLES.get(item.get("type") or self.element.get("type") or "1", "decimal")
        return f"{format_number(count, style)}."


def _integer(text: str | None, otherwise: int) -> int:
    digits = re.match(r"\s*[-+]?[0-9]+", text or "")
    return int(digits.group()) if digits else otherwise
