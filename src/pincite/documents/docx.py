"""Reads Word's .docx: numbered paragraphs, tables and notes in order, with tracked changes accepted."""

import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pincite.documents.docx_numbering import Numbering, read_numbering
from pincite.documents.docx_styles import Styles, read_styles
from pincite.documents.profile.vocabulary import STRONG_NOUN
from pincite.documents.request import ReadRequest
from pincite.documents.text_builder import LINE_BREAK, PARAGRAPH_BREAK, TextBuilder
from pincite.documents.xml import child, is_on, local_name, parse, value
from pincite.documents.zip_limits import open_zip, read_member
from pincite.text import Document

_LEFT_OUT = frozenset(
    """del moveFrom delText instrText delInstrText rPr pPr sdtPr sdtEndPr tblPr trPr tcPr commentReference annotationRef
    footnoteRef endnoteRef separator continuationSeparator softHyphen lastRenderedPageBreak rt proofErr""".split()
)
_SYMBOLS = {
    0x6F: "☐",
    0xA8: "☐",
    0xA3: "☐",
    0xFE: "☒",
    0xFD: "☒",
    0x78: "☒",
    0xFC: "✓",
    0xB7: "•",
    0xA7: "▪",
    0xD8: "▸",
}
HEADER_LENGTH = 120
"""Characters of a page header that may be the title of a document."""
_JUNK_TITLE = re.compile(r"(?:microsoft word\b.*|document\s*[0-9]*|untitled.*|.*\.docx?)", re.IGNORECASE)


def read_docx(request: ReadRequest, reader: str = "docx") -> Document:
    """The document. Tracked insertions are kept; deletions and hidden text are left out."""
    with open_zip(request) as archive:
        package = _Package(request, archive)
        main = package.main_part()
        root = package.xml(main)
        if root is None or child(root, "body") is None:
            raise request.failure("damaged", f"{main} is missing or has no body; save it again with Word")
        parts = package.related_parts(main)
        body = _body_reader(package, parts)
        title, header = package.title(), package.header(parts)
    body.blocks(child(root, "body"))
    body.finish()
    return body.builder.document(request, reader, title or body.title or header)


@dataclass(slots=True)
class _Package:
    """The parts of the file, which refer to each other by relationships."""

    request: ReadRequest
    archive: zipfile.ZipFile

    def xml(self, name: str) -> Any:
        """The root element of a part; None if there is no such part."""
        members = {info.filename.lstrip("/").lower(): info for info in self.archive.infolist()}
        info = members.get(name.lstrip("/").lower())
        if not name or info is None:
            return None
        return parse(self.request, read_member(self.request, self.archive, info, self.request.name), name)

    def main_part(self) -> str:
        root = self.xml("_rels/.rels")
        for relation in root if root is not None else ():
            if (relation.get("Type") or "").endswith("/officeDocument"):
                return str(relation.get("Target") or "").lstrip("/")
        return "word/document.xml"

    def related_parts(self, main: str) -> dict[str, str]:
        """The part for each type of relationship: styles, numbering, footnotes and so on."""
        folder, name = posixpath.split(main)
        parts = {kind: f"{folder}/{kind}.xml" for kind in ("styles", "numbering", "footnotes", "endnotes")}
        root = self.xml(f"{folder}/_rels/{name}.rels")
        for relation in root if root is not None else ():
            if relation.get("TargetMode") != "External":
                kind = (relation.get("Type") or "").rpartition("/")[2]
                parts[kind] = posixpath.normpath(posixpath.join(folder, str(relation.get("Target") or "")))
        return parts

    def title(self) -> str:
        root = self.xml("docProps/core.xml")
        title = str(getattr(child(root, "title"), "text", None) or "").strip()
        return "" if _JUNK_TITLE.fullmatch(title) else title

    def header(self, parts: dict[str, str]) -> str:
        """The header of the pages if it names a document: it is not in the text, but may be its title."""
        root = self.xml(parts.get("header", ""))
        words = (
            "".join(str(text.text or "") for text in root.iter() if local_name(text) == "t") if root is not None else ""
        )
        return words if STRONG_NOUN.search(words) and len(words) <= HEADER_LENGTH else ""


def _body_reader(package: _Package, parts: dict[str, str]) -> "_BodyReader":
    """A reader that knows the styles, lists and notes of the file."""
    styles = read_styles(package.xml(parts.get("styles", "")))

    def list_of_style(style: str) -> str | None:
        style_list = styles.list_of(style)
        return style_list[0] if style_list else None

    numbering = read_numbering(package.xml(parts.get("numbering", "")), list_of_style)
    notes = {kind: _notes(package.xml(parts.get(f"{kind}s", "")), kind) for kind in ("footnote", "endnote")}
    return _BodyReader(styles, numbering, notes)


def _notes(root: Any, kind: str) -> dict[str, Any]:
    """Footnotes or endnotes by id, without the separator lines."""
    elements = (element for element in (root if root is not None else ()) if local_name(element) == kind)
    return {value(element, "id") or "": element for element in elements if value(element, "type") in (None, "normal")}


@dataclass(slots=True)
class _BodyReader:
    """Reads the body once, from top to bottom."""

    styles: Styles
    numbering: Numbering
    notes: dict[str, dict[str, Any]]
    builder: TextBuilder = field(default_factory=TextBuilder)
    title: str = ""
    paragraphs: int = 0
    tables: int = 0
    note_count: int = 0
    pending_notes: list[tuple[int, str, Any]] = field(default_factory=list)
    """Notes whose text follows after the current paragraph or table."""
    boxes: list[Any] = field(default_factory=list)
    """Text boxes in the current paragraph or table."""
    fields: list[bool] = field(default_factory=list)
    """For each open field, whether its result has begun."""
    carried: str = ""
    """Text of a paragraph whose end mark was deleted. It continues in the next paragraph."""

    def blocks(self, parent: Any, place: str = "") -> None:
        """Read the paragraphs and tables below an element."""
        for element in _flat(parent):
            if local_name(element) == "p":
                if not place:
                    self.paragraphs += 1
                self._paragraph(element, place or f"paragraph {self.paragraphs}")
            else:
                self._table(element, place)

    def finish(self) -> None:
        """Add text that no following paragraph continued."""
        self.builder.add(self.carried, place=f"paragraph {self.paragraphs}")

    def _paragraph(self, element: Any, place: str) -> None:
        text, level, style = self.words(element)
        if not self.title and text and (level == 1 or self.styles.is_title(style)):
            self.title = text
        self.builder.add(text, place=place, level=level if text else 0)
        self._add_pending(place)

    def _add_pending(self, place: str) -> None:
        """Add the text boxes and notes of the paragraph or table at `place`."""
        boxes, self.boxes = self.boxes, []
        for box in boxes:
            self.blocks(box, place=f"{place}, text box")
        while self.pending_notes:
            number, kind, element = self.pending_notes.pop(0)
            text = " ".join(part for part in (self.words(inner)[0] for inner in _paragraphs(element)) if part)
            self.builder.add(f"[{number}] {text}", place=f"{kind} {number}")

    def words(self, element: Any) -> tuple[str, int, str]:
        """The text of a paragraph after its number, its heading level, and its style."""
        properties = child(element, "pPr")
        style = value(child(properties, "pStyle")) or self.styles.default
        text = self.carried + "".join(self._inline(element))
        self.carried = ""
        mark = child(properties, "rPr")
        if child(mark, "del") is not None or child(mark, "moveFrom") is not None:
            self.carried = text
            return "", 0, style
        text = text.strip(" \t\n")
        label = self._label(properties, style)
        if text and label:
            text = f"{label} {text}"
        outline = value(child(properties, "outlineLvl"))
        level = (int(outline) + 1) % 10 if outline is not None else self.styles.level(style)
        return text, level, style

    def _label(self, properties: Any, style: str) -> str:
        """The number of a paragraph, from its own properties or from its style."""
        own = child(properties, "numPr")
        number, depth = value(child(own, "numId")), value(child(own, "ilvl"))
        inherited = self.styles.list_of(style)
        if number is None and inherited is not None:
            number = inherited[0]
            if depth is None:
                level = inherited[1]
                depth = str(level if level is not None else self.numbering.depth_of_style(number, inherited[2]))
        if number is None or number == "0":
            return ""
        return self.numbering.label(number, int(depth or 0))

    def _inline(self, element: Any) -> Iterator[str]:
        """The visible text below an element, in order."""
        for inner in element:
            name = local_name(inner)
            if name in _LEFT_OUT:
                continue
            if name == "r":
                if not self._is_hidden(inner):
                    yield from self._inline(inner)
            elif name == "fldChar":
                self._field(value(inner, "fldCharType") or "")
            elif name == "AlternateContent":
                yield from self._inline(_chosen(inner))
            elif name == "txbxContent":
                self.boxes.append(inner)
            elif name in ("footnoteReference", "endnoteReference"):
                yield self._note(inner, name.removesuffix("Reference"))
            elif len(inner) or name == "t":
                yield from self._inline(inner) if len(inner) else self._shown(str(inner.text or ""))
            else:
                yield from self._shown(_sign(inner, name))

    def _shown(self, text: str) -> Iterator[str]:
        if text and all(self.fields):
            yield text

    def _is_hidden(self, run: Any) -> bool:
        properties = child(run, "rPr")
        vanish = child(properties, "vanish")
        if vanish is not None:
            return is_on(vanish)
        style = value(child(properties, "rStyle"))
        return bool(style) and self.styles.is_hidden(style or "")

    def _field(self, kind: str) -> None:
        if kind == "begin":
            self.fields.append(False)
        elif kind == "separate" and self.fields:
            self.fields[-1] = True
        elif kind == "end" and self.fields:
            self.fields.pop()

    def _note(self, element: Any, kind: str) -> str:
        note = self.notes[kind].get(value(element, "id") or "")
        if note is None:
            return ""
        self.note_count += 1
        self.pending_notes.append((self.note_count, kind, note))
        return f"[{self.note_count}]"

    def _table(self, table: Any, place: str) -> None:
        """Add a table, one line per row. A table with a single column is a frame around paragraphs."""
        self.tables += 1
        own = f"{place}, table" if place else f"table {self.tables}"
        rows = [list(_flat(row, "tc")) for row in _flat(table, "tr") if child(row, "trPr", "del") is None]
        if all(len(cells) <= 1 for cells in rows):
            for number, cells in enumerate(rows, 1):
                for cell in cells:
                    self.blocks(cell, place=f"{own}, row {number}")
            return
        between = PARAGRAPH_BREAK
        for number, cells in enumerate(rows, 1):
            line = " | ".join(map(self._cell, cells)).rstrip(" |")
            if line.strip(" |"):
                self.builder.add(line, place=f"{own}, row {number}", between=between)
                between = LINE_BREAK
        self._add_pending(own)

    def _cell(self, cell: Any) -> str:
        """The text of a cell on one line; "" for a cell merged with the one above."""
        merged = child(cell, "tcPr", "vMerge")
        if merged is not None and value(merged) in (None, "continue"):
            return ""
        parts: list[str] = []
        for element in _flat(cell):
            if local_name(element) == "p":
                parts.append(self.words(element)[0])
            else:
                rows = (" / ".join(filter(None, map(self._cell, _flat(row, "tc")))) for row in _flat(element, "tr"))
                parts.append("; ".join(filter(None, rows)))
        return " ".join(" ".join(parts).split())


def _flat(parent: Any, *names: str) -> Iterator[Any]:
    """The paragraphs and tables (or other `names`) of an element, including those inside content controls."""
    for element in parent:
        name = local_name(element)
        if name in (names or ("p", "tbl")):
            yield element
        elif name == "AlternateContent":
            yield from _flat(_chosen(element), *names)
        elif name in ("sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"):
            yield from _flat(element, *names)


def _paragraphs(element: Any) -> Iterator[Any]:
    """All paragraphs of a note, including those in its tables."""
    for inner in _flat(element, "p", "tbl", "tr", "tc"):
        if local_name(inner) == "p":
            yield inner
        else:
            yield from _paragraphs(inner)


def _chosen(element: Any) -> Any:
    """The first choice of an AlternateContent element, else its fallback."""
    choice = child(element, "Choice")
    alternative = choice if choice is not None else child(element, "Fallback")
    return alternative if alternative is not None else ()


def _sign(element: Any, name: str) -> str:
    """The text that an element without text stands for."""
    if name in ("tab", "ptab"):
        return " "
    if name == "cr" or (name == "br" and value(element, "type") in (None, "textWrapping")):
        return "\n"
    if name == "br":
        return " "
    if name == "noBreakHyphen":
        return "-"
    if name == "sym":
        code = int(value(element, "char") or "0", 16)
        return _SYMBOLS.get(code & 0xFF, "") if 0xF000 <= code <= 0xF0FF else chr(code) if code >= 0x20 else ""
    return ""
