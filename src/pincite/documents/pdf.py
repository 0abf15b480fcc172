"""Reads a PDF: its text in reading order, the page of every character, and where on the page it stands."""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from pincite.documents.text_builder import VERSION, clean
from pincite.documents.request import ReadRequest
from pincite.documents.pdf_chars import Chars, read_chars
from pincite.documents.pdf_layout import Line, read_lines
from pincite.documents.pdf_line_numbers import without_line_numbers
from pincite.documents.pdf_margins import split_margins
from pincite.documents.pdf_paragraphs import joint, paragraphs, words_of
from pincite.documents.titles import first_line
from pincite.text import Document, Source
from pincite.text.boxes import Boxes

FEW, STAMP = 16, 150
"""A page with a picture is a scan if it has fewer characters than the first; beside a large one, than the second."""
MANY_SHAPES = 20
"""A page without characters that has so many shapes may have its letters drawn as shapes."""
_PASSWORD, _SECURITY = 4, 5

Bound = tuple[float, float]


def read_pdf(given: ReadRequest) -> Document:
    """The document; pages without a text layer are recognised if `given.ocr` allows and tesseract is there."""
    with _opened(given) as pdf:
        pages, bounds, scanned, own_labels = _read_pages(given, pdf)
        recognised = _recognise(given, pdf, pages, bounds, scanned) if scanned else False
    margins = split_margins(without_line_numbers(pages), bounds, own_labels)
    text, edges, starts = _text(margins.bodies)
    if not any(map(str.isalnum, text)):
        raise given.failure("empty", f"its {len(pages)} pages hold no text; leave it out")
    labels = tuple(
        found if margins.bates else own or found for found, own in zip(margins.labels, own_labels, strict=True)
    )
    source = Source(
        path=given.name,
        reader="pdf+ocr" if recognised else "pdf",
        reader_version=VERSION,
        page_starts=tuple(starts),
        page_labels=labels if any(labels) else (),
        margins=margins.texts if any(margins.texts) else (),
        boxes=Boxes.pack(edges),
    )
    return Document(given.document_id, text, title=first_line(text) or given.stem, source=source)


@contextmanager
def _opened(given: ReadRequest) -> Iterator[Any]:
    """The document in pdfium's hands, closed again at the end."""
    import pypdfium2  # noqa: F401  (starts the library)
    import pypdfium2.raw as pdfium

    pdf = pdfium.FPDF_LoadMemDocument64(given.data, len(given.data), None)
    if not pdf:
        if pdfium.FPDF_GetLastError() in (_PASSWORD, _SECURITY):
            raise given.failure("encrypted", "needs a password; save a copy without one and read that")
        raise given.failure("damaged", "is no whole PDF; copy it again, or print it to a new PDF")
    try:
        count = pdfium.FPDF_GetPageCount(pdf)
        if count > given.limits.pages:
            raise given.failure(
                "too large",
                f"has {count:,} pages, the limit is {given.limits.pages:,}; split it, or raise Limits.pages",
            )
        if count < 1:
            raise given.failure("damaged", "has no pages; copy it again, or print it to a new PDF")
        yield pdf
    finally:
        pdfium.FPDF_CloseDocument(pdf)


def _read_pages(given: ReadRequest, pdf: Any) -> tuple[list[list[Line]], list[Bound], list[int], list[str]]:
    """The lines of each page, how high it reaches, the pages that seem to be pictures, and the PDF's own labels."""
    import pypdfium2.raw as pdfium

    pages: list[list[Line]] = []
    bounds: list[Bound] = []
    scanned: list[int] = []
    labels: list[str] = []
    block = 0
    broken = 0
    for number in range(pdfium.FPDF_GetPageCount(pdf)):
        labels.append(_label(pdf, number))
        page = _loaded(pdf, number)
        text_page = pdfium.FPDFText_LoadPage(page) if page else None
        if not text_page:
            broken += 1
            given.notes.append(f"page {number + 1} is damaged and was left out")
            pages.append([])
            bounds.append((0.0, 0.0))
            continue
        try:
            chars = read_chars(text_page)
            lines = read_lines(chars, number, block) if len(chars) else []
            bounds.append(_bound(page, chars))
            for line in lines:
                line.bold = _is_bold(text_page, line.first) and _is_bold(text_page, line.last)
            if _is_picture(page, len(chars)):
                scanned.append(number)
        finally:
            pdfium.FPDFText_ClosePage(text_page)
            pdfium.FPDF_ClosePage(page)
        pages.append(lines)
        block = lines[-1].block + 1 if lines else block
    if broken == len(pages):
        raise given.failure("damaged", "none of its pages can be opened; copy it again, or print it to a new PDF")
    return pages, bounds, scanned, labels


def _loaded(pdf: Any, number: int) -> Any:
    """A page with its filled-in fields, stamps and typed-on text made part of it."""
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


def _bound(page: Any, chars: Chars) -> Bound:
    """From which height to which a page reaches, when it is turned so that most of its text is upright."""
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


def _is_picture(page: Any, count: int) -> bool:
    """Whether a page with so many characters has no text layer of its own, but a picture of one."""
    import pypdfium2.raw as pdfium

    if count >= STAMP:
        return False
    kinds = (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM)
    objects = [pdfium.FPDFPage_GetObject(page, i) for i in range(pdfium.FPDFPage_CountObjects(page))]
    pictures = [found for found in objects if pdfium.FPDFPageObj_GetType(found) in kinds]
    if count < FEW:
        return bool(pictures) or (count == 0 and len(objects) >= MANY_SHAPES)
    edges = [ctypes.c_float() for _ in range(4)]
    covered = 0.0
    for picture in pictures:
        if pdfium.FPDFPageObj_GetBounds(picture, *edges):
            left, bottom, right, top = (edge.value for edge in edges)
            covered += max(0.0, right - left) * max(0.0, top - bottom)
    return covered >= 0.5 * float(pdfium.FPDF_GetPageWidthF(page) * pdfium.FPDF_GetPageHeightF(page))


def _recognise(given: ReadRequest, pdf: Any, pages: list[list[Line]], bounds: list[Bound], scanned: list[int]) -> bool:
    """Puts recognised lines in the place of pages that are pictures; says which ones stay without text."""
    from pincite.documents import pdf_ocr

    if given.ocr and pdf_ocr.is_there():
        block = 1 + max((line.block for page in pages for line in page), default=0)
        for number in scanned:
            lines, height = pdf_ocr.recognise(given, pdf, number, block)
            if lines:
                pages[number], bounds[number] = lines, (-height, 0.0)
            block = max([block, *(line.block + 1 for line in pages[number])])
        given.notes.append(f"text recognised (OCR) on {_listed(scanned)}")
        return True
    if not any(lines for number, lines in enumerate(pages) if number not in set(scanned)):
        way = "allow OCR" if pdf_ocr.is_there() else "`pip install 'pincite[ocr]'` and install the program tesseract"
        raise given.failure(
            "scanned", f"its {len(pages)} pages are pictures without text; {way} to have them recognised"
        )
    given.notes.append(f"no text on {_listed(scanned)}, which are pictures; OCR was not used")
    return False


def _listed(numbers: list[int]) -> str:
    shown = ", ".join(str(number + 1) for number in numbers[:20])
    more = f" and {len(numbers) - 20} more" if len(numbers) > 20 else ""
    return f"{'page' if len(numbers) == 1 else 'pages'} {shown}{more}"


def _are_rows(one: Line, two: Line) -> bool:
    """Two rows of one table."""
    return one.block == two.block and one.cells > 1 and two.cells > 1


def _text(pages: list[list[Line]]) -> tuple[str, Any, list[int]]:
    """The running text, a box for each of its characters, and where each page begins."""
    words = words_of(pages)
    parts: list[str] = []
    boxes: list[Any] = []
    starts: list[int] = []
    length = 0

    def put(text: str, rows: Any = None) -> None:
        nonlocal length
        parts.append(text)
        boxes.append(np.zeros((len(text), 4), dtype=np.float32) if rows is None else rows)
        length += len(text)

    above: Line | None = None
    for paragraph in paragraphs(pages):
        if above is not None:
            put("\n" if _are_rows(above, paragraph[0]) else "\n\n")
        above = paragraph[-1]
        for i, line in enumerate(paragraph):
            starts += [length] * (line.page + 1 - len(starts))
            following = paragraph[i + 1] if i + 1 < len(paragraph) else None
            cut, between = joint(line.text, following.text, words) if following else (0, "")
            keep = len(line.text) - cut
            put(line.text[:keep].replace("\u00ad", "-"), line.boxes[:keep])
            if between:
                put(between)
    starts += [length] * (len(pages) - len(starts))
    edges = np.concatenate(boxes) if boxes else np.zeros((0, 4), dtype=np.float32)
    return "".join(parts), edges, starts
