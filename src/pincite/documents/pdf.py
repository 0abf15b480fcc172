"""Reads a PDF: its text in reading order, with the page and the box of every character."""

import ctypes
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pincite.documents.pdf_chars import PageCharacters, read_chars
from pincite.documents.pdf_damage import find_damage, is_cut_off
from pincite.documents.pdf_layout import PageLine, read_lines
from pincite.documents.pdf_line_numbers import without_line_numbers
from pincite.documents.pdf_margins import split_margins
from pincite.documents.pdf_paragraphs import joint, paragraphs, words_of
from pincite.documents.pdf_title import large_title
from pincite.documents.request import ReadRequest
from pincite.documents.text_builder import LINE_BREAK, PARAGRAPH_BREAK, READER_VERSION, clean
from pincite.documents.titles import clean_title
from pincite.text import Document, Source
from pincite.text.boxes import Boxes

SCAN_CHARACTERS = 16
"""A page with a picture and fewer characters than this is a scan."""
STAMPED_SCAN_CHARACTERS = 150
"""A page whose pictures cover half of it, with fewer characters than this, is a scan with a stamp."""
DRAWN_LETTERS = 20
"""A page without characters but with this many shapes may have its letters drawn as shapes."""
READER, OCR_READER = "pdf", "pdf+ocr"
"""What documents say of their reader, without and with recognised pages."""
_PASSWORD_ERROR, _SECURITY_ERROR = 4, 5
_LISTED_PAGES = 20
_REMEDY = "copy it again, or print it to a new PDF"

Bound = tuple[float, float]
"""The lowest and the highest coordinate of a page, after a turn that makes its text upright."""


@dataclass(slots=True)
class _Pages:
    """What is known about the pages. Except in `scanned`, every list has one entry per page."""

    lines: list[list[PageLine]] = field(default_factory=list)
    bounds: list[Bound] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    """The labels in the PDF itself."""
    scanned: list[int] = field(default_factory=list)
    """Numbers, from 0, of the pages that seem to be pictures of text."""


def read_pdf(request: ReadRequest) -> Document:
    """The document. Pages without text are recognised if `request.ocr` allows it and tesseract is installed."""
    with _open_pdf(request) as pdf:
        pages = _read_pages(request, pdf)
        recognised = _recognise(request, pdf, pages) if pages.scanned else False
    is_damaged = _note_damage(request, with_pictures=bool(pages.scanned))
    margins = split_margins(without_line_numbers(pages.lines), pages.bounds, pages.labels)
    text, edges, starts = _text(margins.bodies)
    if not any(map(str.isalnum, text)):
        if is_damaged:
            raise request.failure("damaged", f"is damaged, and no text is left in it; {_REMEDY}")
        raise request.failure("empty", f"its {len(pages.lines)} pages hold no text; leave it out")
    labels = tuple(
        printed if margins.bates else own or printed for printed, own in zip(margins.labels, pages.labels, strict=True)
    )
    source = Source(
        path=request.name,
        reader=OCR_READER if recognised else READER,
        reader_version=READER_VERSION,
        page_starts=tuple(starts),
        page_labels=labels if any(labels) else (),
        margins=margins.texts if any(margins.texts) else (),
        boxes=Boxes.pack(edges),
        title=clean_title(large_title(margins.bodies)),
    )
    return Document(request.document_id, text, source=source)


def _note_damage(request: ReadRequest, with_pictures: bool) -> bool:
    """Say which pages lack text because the file is damaged. Returns whether it is."""
    known = len(request.notes)
    if is_cut_off(request.data):
        request.note(f"the end of the file is missing, and text may be missing with it; {_REMEDY}")
    for damage in find_damage(request.data, with_pictures):
        where = f"of {_listed(list(damage.pages))}" if damage.pages else "of some pages"
        request.note(f"damaged (object {damage.number}): text {where} may be missing or wrong; {_REMEDY}")
    return len(request.notes) > known


@contextmanager
def _open_pdf(request: ReadRequest) -> Iterator[Any]:
    """Open the PDF within the limits, and close it at the end."""
    import pypdfium2  # noqa: F401  (initialises pdfium)
    import pypdfium2.raw as pdfium

    pdf = pdfium.FPDF_LoadMemDocument64(request.data, len(request.data), None)
    if not pdf:
        if pdfium.FPDF_GetLastError() in (_PASSWORD_ERROR, _SECURITY_ERROR):
            raise request.failure("encrypted", "needs a password; save a copy without one and read that")
        raise request.failure("damaged", f"is not a complete PDF; {_REMEDY}")
    try:
        _check_page_count(request, pdfium.FPDF_GetPageCount(pdf))
        yield pdf
    finally:
        pdfium.FPDF_CloseDocument(pdf)


def _check_page_count(request: ReadRequest, count: int) -> None:
    limit = request.limits.pages
    if count > limit:
        advice = f"has {count:,} pages, the limit is {limit:,}; split it, or raise Limits.pages"
        raise request.failure("too large", advice)
    if count < 1:
        raise request.failure("damaged", f"has no pages; {_REMEDY}")


def _read_pages(request: ReadRequest, pdf: Any) -> _Pages:
    """The text layer of every page. Pages that cannot be opened are empty, with a note."""
    import pypdfium2.raw as pdfium

    pages = _Pages()
    block = 0
    damaged = 0
    for number in range(pdfium.FPDF_GetPageCount(pdf)):
        pages.labels.append(_label(pdf, number))
        if not _read_page(pages, pdf, number, block):
            damaged += 1
            request.note(f"page {number + 1} is damaged and was left out")
            pages.lines.append([])
            pages.bounds.append((0.0, 0.0))
        block = pages.lines[-1][-1].block + 1 if pages.lines[-1] else block
    if damaged == len(pages.lines):
        raise request.failure("damaged", f"none of its pages can be opened; {_REMEDY}")
    return pages


def _read_page(pages: _Pages, pdf: Any, number: int, block: int) -> bool:
    """Append what a page shows to `pages`. False if the page cannot be opened."""
    import pypdfium2.raw as pdfium

    page = _load_page(pdf, number)
    text_page = pdfium.FPDFText_LoadPage(page) if page else None
    if not text_page:
        return False
    try:
        chars = read_chars(text_page)
        lines = read_lines(chars, number, block) if len(chars) else []
        pages.bounds.append(_bound(page, chars))
        for line in lines:
            line.bold = _is_bold(text_page, line.first) and _is_bold(text_page, line.last)
        if _is_scan(page, len(chars)):
            pages.scanned.append(number)
    finally:
        pdfium.FPDFText_ClosePage(text_page)
        pdfium.FPDF_ClosePage(page)
    pages.lines.append(lines)
    return True


def _load_page(pdf: Any, number: int) -> Any:
    """A page that includes its filled-in fields, stamps and typed-on text."""
    import pypdfium2.raw as pdfium

    page = pdfium.FPDF_LoadPage(pdf, number)
    shown = (pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_STAMP)
    has_text = False
    for i in range(pdfium.FPDFPage_GetAnnotCount(page) if page else 0):
        note = pdfium.FPDFPage_GetAnnot(page, i)
        has_text |= pdfium.FPDFAnnot_GetSubtype(note) in shown
        pdfium.FPDFPage_CloseAnnot(note)
    if has_text and pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY) == pdfium.FLATTEN_SUCCESS:
        pdfium.FPDF_ClosePage(page)
        page = pdfium.FPDF_LoadPage(pdf, number)
    return page


def _bound(page: Any, chars: PageCharacters) -> Bound:
    """How low and how high a page reaches, after a turn that makes most of its text upright."""
    import pypdfium2.raw as pdfium

    box = pdfium.FS_RECTF()
    pdfium.FPDF_GetPageBoundingBox(page, box)
    turn = int(np.bincount(chars.turns).argmax()) if len(chars) else 0
    return ((box.bottom, box.top), (box.left, box.right), (-box.top, -box.bottom), (-box.right, -box.left))[turn]


def _label(pdf: Any, number: int) -> str:
    import pypdfium2.raw as pdfium

    size = pdfium.FPDF_GetPageLabel(pdf, number, None, 0)
    if size <= 2:
        return ""
    buffer = ctypes.create_string_buffer(size)
    pdfium.FPDF_GetPageLabel(pdf, number, buffer, size)
    return clean(buffer.raw.decode("utf-16-le", "replace")).strip()


def _is_bold(text_page: Any, number: int) -> bool:
    import pypdfium2.raw as pdfium

    name = ctypes.create_string_buffer(64)
    flags = ctypes.c_int()
    size = pdfium.FPDFText_GetFontInfo(text_page, number, name, 64, flags)
    return bool(0 < size <= 64 and any(word in name.value.lower() for word in (b"bold", b"black", b"heavy")))


def _is_scan(page: Any, count: int) -> bool:
    """Whether a page with `count` characters is a picture of text."""
    import pypdfium2.raw as pdfium

    if count >= STAMPED_SCAN_CHARACTERS:
        return False
    kinds = (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM)
    objects = [pdfium.FPDFPage_GetObject(page, i) for i in range(pdfium.FPDFPage_CountObjects(page))]
    pictures = [item for item in objects if pdfium.FPDFPageObj_GetType(item) in kinds]
    if count < SCAN_CHARACTERS:
        return bool(pictures) or (count == 0 and len(objects) >= DRAWN_LETTERS)
    edges = [ctypes.c_float() for _ in range(4)]
    covered = 0.0
    for picture in pictures:
        if pdfium.FPDFPageObj_GetBounds(picture, *edges):
            left, bottom, right, top = (edge.value for edge in edges)
            covered += max(0.0, right - left) * max(0.0, top - bottom)
    return covered >= 0.5 * float(pdfium.FPDF_GetPageWidthF(page) * pdfium.FPDF_GetPageHeightF(page))


def _recognise(request: ReadRequest, pdf: Any, pages: _Pages) -> bool:
    """Replace the lines of scanned pages by recognised ones. False if OCR is not available or not allowed."""
    from pincite.documents import pdf_ocr

    available = pdf_ocr.is_available()
    if request.ocr and available:
        return _recognise_scans(request, pdf, pages)
    scanned = set(pages.scanned)
    if not any(lines for number, lines in enumerate(pages.lines) if number not in scanned):
        way = "allow OCR" if available else "`pip install 'pincite[ocr]'` and install the program tesseract"
        advice = f"its {len(pages.lines)} pages are pictures without text; {way} to recognise them"
        raise request.failure("scanned", advice)
    request.note(f"no text on {_listed(pages.scanned)} (scanned); OCR was not used")
    return False


def _recognise_scans(request: ReadRequest, pdf: Any, pages: _Pages) -> bool:
    """Recognise scanned pages until the time for it is up. Pages that are left over are a failure."""
    from pincite.documents import pdf_ocr

    if advice := pdf_ocr.missing_languages(request.ocr_language):
        raise request.failure("not installed", f"cannot be recognised: {advice}")
    block = 1 + max((line.block for page in pages.lines for line in page), default=0)
    deadline = time.monotonic() + request.limits.ocr_seconds
    done: list[int] = []
    for number in pages.scanned:
        _tell(request, len(done), len(pages.scanned))
        try:
            lines, height = pdf_ocr.recognise(request, pdf, number, block, deadline - time.monotonic())
        except pdf_ocr.OcrTimeoutError:
            break
        done.append(number)
        if lines:
            pages.lines[number], pages.bounds[number] = lines, (-height, 0.0)
        block = max([block, *(line.block + 1 for line in pages.lines[number])])
    _tell(request, len(pages.scanned), len(pages.scanned))
    _report_scans(request, pages, done)
    return bool(done)


def _tell(request: ReadRequest, done: int, pages: int) -> None:
    if request.on_page:
        request.on_page(done, pages)


def _report_scans(request: ReadRequest, pages: _Pages, done: list[int]) -> None:
    """Say which pages were recognised, and which were not in time."""
    left = [number for number in pages.scanned if number not in done]
    if left:
        limit = request.limits.ocr_seconds
        failure = request.failure(
            "took too long",
            f"{_listed(left)} were not recognised (OCR) within {limit:g} s; "
            "split it, or raise Limits.ocr_seconds (--ocr-seconds)",
        )
        if not any(pages.lines):
            raise failure
        request.failures.append(failure)
    if done:
        request.note(f"text recognised (OCR) on {_listed(done)}")


def _listed(numbers: list[int]) -> str:
    shown = ", ".join(str(number + 1) for number in numbers[:_LISTED_PAGES])
    more = f" and {len(numbers) - _LISTED_PAGES} more" if len(numbers) > _LISTED_PAGES else ""
    return f"{'page' if len(numbers) == 1 else 'pages'} {shown}{more}"


@dataclass(slots=True)
class _BoxedText:
    """Text in pieces, with a box for each character."""

    parts: list[str] = field(default_factory=list)
    boxes: list[Any] = field(default_factory=list)
    length: int = 0

    def add(self, text: str, boxes: Any = None) -> None:
        """Append text. Without boxes its characters get empty ones."""
        self.parts.append(text)
        self.boxes.append(np.zeros((len(text), 4), dtype=np.float32) if boxes is None else boxes)
        self.length += len(text)


def _text(pages: list[list[PageLine]]) -> tuple[str, Any, list[int]]:
    """The running text, a box for each of its characters, and the offset where each page begins."""
    words = words_of(pages)
    text = _BoxedText()
    starts: list[int] = []
    above: PageLine | None = None
    for paragraph in paragraphs(pages):
        if above is not None:
            text.add(LINE_BREAK if _are_rows(above, paragraph[0]) else PARAGRAPH_BREAK)
        above = paragraph[-1]
        for i, line in enumerate(paragraph):
            starts += [text.length] * (line.page + 1 - len(starts))
            following = paragraph[i + 1] if i + 1 < len(paragraph) else None
            cut, between = joint(line.text, following.text, words) if following else (0, "")
            keep = len(line.text) - cut
            text.add(line.text[:keep].replace("\u00ad", "-"), line.boxes[:keep])
            if between:
                text.add(between)
    starts += [text.length] * (len(pages) - len(starts))
    edges = np.concatenate(text.boxes) if text.boxes else np.zeros((0, 4), dtype=np.float32)
    return "".join(text.parts), edges, starts


def _are_rows(one: PageLine, two: PageLine) -> bool:
    """Whether two lines are rows of one table."""
    return one.block == two.block and one.cells > 1 and two.cells > 1
