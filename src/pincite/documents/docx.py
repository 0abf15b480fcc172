"""Reads Word's .docx: paragraphs in order with the numbers Word shows, tables, notes, and changes as accepted."""

import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pincite.documents.docx_numbering import Numbering, read_numbering
from pincite.documents.docx_styles import Styles, read_styles
from pincite.documents.text_builder import Flow
from pincite.documents.request import ReadRequest
from pincite.documents.zip_limits import opened, unpack
from pincite.documents.xml import child, is_on, local, parse, value
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
_JUNK_TITLE = re.compile(r"(?:microsoft word\b.*|document\s*[0-9]*|untitled.*|.*\.docx?)", re.IGNORECASE)


def read_docx(given: ReadRequest, reader: str = "docx") -> Document:
    """The document: tracked insertions are in, deletions and hidden text are out."""
    with opened(given) as archive:
        parts = _Parts(given, archive)
        main = parts.main()
        root = parts.xml(main)
        if root is None or child(root, "body") is None:
            raise given.failure("damaged", f"{main} is missing or has no body; save it anew with Word")
        related = parts.related(main)
        styles = read_styles(parts.xml(related.get("styles", "")))

        def list_of_style(style: str) -> str | None:
            found = styles.list_of(style)
            return found[0] if found else None

        numbering = read_numbering(parts.xml(related.get("numbering", "")), list_of_style)
        notes = {kind: _notes(parts.xml(related.get(f"{kind}s", "")), kind) for kind in ("footnote", "endnote")}
        title = parts.title()
    body = _Body(styles, numbering, notes)
    body.blocks(child(root, "body"))
    body.finish()
    return body.flow.document(given, reader, title or body.title)


@dataclass(slots=True)
class _Parts:
    """The parts of the package, found through their relations."""

    given: ReadRequest
    archive: zipfile.ZipFile

    def xml(self, name: str) -> Any:
        names = {info.filename.lstrip("/").lower(): info for info in self.archive.infolist()}
        info = names.get(name.lstrip("/").lower())
        if not name or info is None:
            return None
        return parse(self.given, unpack(self.given, self.archive, info, self.given.name), name)

    def main(self) -> str:
        root = self.xml("_rels/.rels")
        for relation in root if root is not None else ():
            if (relation.get("Type") or "").endswith("/officeDocument"):
                return str(relation.get("Target") or "").lstrip("/")
        return "word/document.xml"

    def related(self, main: str) -> dict[str, str]:
        """For each kind of relation (styles, numbering, footnotes) the part."""
        folder, name = posixpath.split(main)
        found = {kind: f"{folder}/{kind}.xml" for kind in ("styles", "numbering", "footnotes", "endnotes")}
        root = self.xml(f"{folder}/_rels/{name}.rels")
        for relation in root if root is not None else ():
            target = str(relation.get("Target") or "")
            if relation.get("TargetMode") != "External":
                found[(relation.get("Type") or "").rpartition("/")[2]] = posixpath.normpath(
                    posixpath.join(folder, target)
                )
        return found

    def title(self) -> str:
        root = self.xml("docProps/core.xml")
        title = str(getattr(child(root, "title"), "text", None) or "").strip()
        return "" if _JUNK_TITLE.fullmatch(title) else title


def _notes(root: Any, kind: str) -> dict[str, Any]:
    """Footnotes or endnotes by id, without the lines that part them from the text."""
    elements = (element for element in (root if root is not None else ()) if local(element) == kind)
    return {value(element, "id") or "": element for element in elements if value(element, "type") in (None, "normal")}


@dataclass(slots=True)
class _Body:
    """Goes through the body once, from top to bottom."""

    styles: Styles
    numbering: Numbering
    notes: dict[str, dict[str, Any]]
    flow: Flow = field(default_factory=Flow)
    title: str = ""
    paragraphs: int = 0
    tables: int = 0
    numbered_notes: int = 0
    waiting: list[tuple[int, str, Any]] = field(default_factory=list)
    """Notes whose marks were read and whose text follows after the paragraph or table."""
    boxes: list[Any] = field(default_factory=list)
    """Text boxes found in the paragraph being read."""
    fields: list[bool] = field(default_factory=list)
    """For each open field whether its result has begun."""
    carried: str = ""
    """Text of a paragraph whose end was deleted: it goes on in the next."""

    def blocks(self, parent: Any, place: str = "") -> None:
        """The paragraphs and tables below an element."""
        for element in _flat(parent):
            if local(element) == "p":
                if not place:
                    self.paragraphs += 1
                self._paragraph(element, place or f"paragraph {self.paragraphs}")
            else:
                self._table(element, place)

    def finish(self) -> None:
        """What a deleted paragraph end left over."""
        self.flow.add(self.carried, place=f"paragraph {self.paragraphs}")

    def _paragraph(self, element: Any, place: str) -> None:
        text, level, style = self.words(element)
        if not self.title and text and (level == 1 or self.styles.is_title(style)):
            self.title = text
        self.flow.add(text, place=place, level=level if text else 0)
        boxes, self.boxes = self.boxes, []
        for box in boxes:
            self.blocks(box, place=f"{place}, text box")
        self._put_notes()

    def _put_notes(self) -> None:
        while self.waiting:
            number, kind, element = self.waiting.pop(0)
            text = " ".join(part for part in (self.words(inner)[0] for inner in _paragraphs(element)) if part)
            self.flow.add(f"[{number}] {text}", place=f"{kind} {number}")

    def words(self, element: Any) -> tuple[str, int, str]:
        """A paragraph's text with its number in front, its heading level, and its style."""
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
        """The number in front of a paragraph, from its own properties or from its style."""
        own = child(properties, "numPr")
        number, depth = value(child(own, "numId")), value(child(own, "ilvl"))
        inherited = self.styles.list_of(style)
        if number is None and inherited is not None:
            number = inherited[0]
            if depth is None:
                told = inherited[1]
                depth = str(told if told is not None else self.numbering.depth_of_style(number, inherited[2]))
        if number is None or number == "0":
            return ""
        return self.numbering.label(number, int(depth or 0))

    def _inline(self, element: Any) -> Iterator[str]:
        """The visible text below an element, in order."""
        for inner in element:
            name = local(inner)
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
        self.numbered_notes += 1
        self.waiting.append((self.numbered_notes, kind, note))
        return f"[{self.numbered_notes}]"

    def _table(self, table: Any, place: str) -> None:
        """A row a line; a table of a single column is only a frame around paragraphs."""
        self.tables += 1
        own = f"{place}, table" if place else f"table {self.tables}"
        rows = [list(_flat(row, "tc")) for row in _flat(table, "tr") if child(row, "trPr", "del") is None]
        if all(len(cells) <= 1 for cells in rows):
            for number, cells in enumerate(rows, 1):
                for cell in cells:
                    self.blocks(cell, place=f"{own}, row {number}")
            return
        between = "\n\n"
        for number, cells in enumerate(rows, 1):
            line = " | ".join(map(self._cell, cells)).rstrip(" |")
            if line.strip(" |"):
                self.flow.add(line, place=f"{own}, row {number}", between=between)
                between = "\n"
        boxes, self.boxes = self.boxes, []
        for box in boxes:
            self.blocks(box, place=f"{own}, text box")
        self._put_notes()

    def _cell(self, cell: Any) -> str:
        """A cell on one line; what continues the cell above is empty."""
        merged = child(cell, "tcPr", "vMerge")
        if merged is not None and value(merged) in (None, "continue"):
            return ""
        parts: list[str] = []
        for element in _flat(cell):
            if local(element) == "p":
                parts.append(self.words(element)[0])
            else:
                rows = (" / ".join(filter(None, map(self._cell, _flat(row, "tc")))) for row in _flat(element, "tr"))
                parts.append("; ".join(filter(None, rows)))
        return " ".join(" ".join(parts).split())


def _flat(parent: Any, *names: str) -> Iterator[Any]:
    """The paragraphs and tables (or other `names`) of an element, through content controls and the like."""
    for element in parent:
        name = local(element)
        if name in (names or ("p", "tbl")):
            yield element
        elif name == "AlternateContent":
            yield from _flat(_chosen(element), *names)
        elif name in ("sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"):
            yield from _flat(element, *names)


def _paragraphs(element: Any) -> Iterator[Any]:
    """All paragraphs of a note, those of its tables too."""
    for inner in _flat(element, "p", "tbl", "tr", "tc"):
        if local(inner) == "p":
            yield inner
        else:
            yield from _paragraphs(inner)


def _chosen(element: Any) -> Any:
    """One of the alternatives that a program may choose from: the first choice, else the fallback."""
    choice = child(element, "Choice")
    found = choice if choice is not None else child(element, "Fallback")
    return found if found is not None else ()


def _sign(element: Any, name: str) -> str:
    """What an element without text stands for."""
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
