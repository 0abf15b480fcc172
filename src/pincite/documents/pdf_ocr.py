"""Recognises the text of a scanned page with tesseract, if it is installed."""

import ctypes
import shutil
import subprocess
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from typing import Any

import numpy as np

from pincite.documents.pdf_layout import PageLine
from pincite.documents.request import OCR_LANGUAGE, ReadRequest
from pincite.documents.text_builder import clean
from pincite.errors import PinciteError, UsageError

DPI = 300
"""Resolution at which a page is rendered."""
MOST_PIXELS = 60_000_000
"""Pixels of a rendered page. Larger pages are rendered at a lower resolution."""
_LIST_SECONDS = 30.0
"""Time that tesseract may take to list its languages."""


class OcrTimeoutError(PinciteError):
    """A page was not recognised in time."""


def is_available() -> bool:
    """Whether pytesseract can be imported and the program tesseract is on the path."""
    return all(find_spec(name) for name in ("pytesseract", "PIL")) and shutil.which("tesseract") is not None


@cache
def languages() -> tuple[str, ...]:
    """The languages that tesseract can read here."""
    program = shutil.which("tesseract")
    if program is None:
        return ()
    command = [program, "--list-langs"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_LIST_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    lines = done.stdout.decode("utf-8", "replace").splitlines()[1:]
    return tuple(line.strip() for line in lines if line.strip() and line.strip() != "osd")


def missing_languages(language: str) -> str:
    """What to do about the languages, such as "eng+deu", that tesseract cannot read here; "" if it can read all."""
    installed = languages()
    missing = [name for name in language.split("+") if name not in installed]
    if not missing:
        return ""
    known = ", ".join(installed) or "none"
    return (
        f"tesseract has no language {' or '.join(map(repr, missing))} here; installed: {known}. "
        "Install its data (on Debian and Ubuntu: apt-get install tesseract-ocr-NAME), or choose another language"
    )


def check_language(language: str) -> None:
    """Refuse a language that tesseract cannot read here, before any file is read."""
    if language == OCR_LANGUAGE:
        return
    if advice := missing_languages(language):
        raise UsageError(f"--ocr-language {language}: {advice}")


def recognise(request: ReadRequest, pdf: Any, number: int, block: int, seconds: float) -> tuple[list[PageLine], float]:
    """The lines that tesseract finds on a page, and the height of the page in pixels."""
    import pypdfium2.raw as pdfium
    import pytesseract

    page = pdfium.FPDF_LoadPage(pdf, number)
    try:
        image = _render(page)
        try:
            words = pytesseract.image_to_data(
                image,
                lang=request.ocr_language,
                output_type=pytesseract.Output.DICT,
                timeout=max(0.1, seconds),
            )
        except pytesseract.TesseractError:
            raise
        except RuntimeError:
            raise OcrTimeoutError(f"page {number + 1} was not recognised in time") from None
        rows: dict[tuple[int, int, int], list[int]] = {}
        for i, text in enumerate(words["text"]):
            if clean(text).strip():
                rows.setdefault((words["block_num"][i], words["par_num"][i], words["line_num"][i]), []).append(i)
        lines = [_line(page, image.size, words, row, number, block + at[0]) for at, row in rows.items()]
        return lines, float(image.size[1])
    finally:
        pdfium.FPDF_ClosePage(page)


def _render(page: Any) -> Any:
    import pypdfium2.raw as pdfium
    from PIL import Image

    width, height = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
    scale = min(DPI / 72, (MOST_PIXELS / max(1.0, width * height)) ** 0.5)
    wide, high = max(1, round(width * scale)), max(1, round(height * scale))
    bitmap = pdfium.FPDFBitmap_CreateEx(wide, high, pdfium.FPDFBitmap_Gray, None, 0)
    try:
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, wide, high, 0xFFFFFFFF)
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, wide, high, 0, pdfium.FPDF_ANNOT)
        stride = pdfium.FPDFBitmap_GetStride(bitmap)
        pixels = ctypes.string_at(pdfium.FPDFBitmap_GetBuffer(bitmap), stride * high)
    finally:
        pdfium.FPDFBitmap_Destroy(bitmap)
    image = Image.frombuffer("L", (wide, high), pixels, "raw", "L", stride, 1)
    image.info["dpi"] = (round(scale * 72), round(scale * 72))
    return image


def _line(page: Any, size: tuple[int, int], words: Any, row: list[int], number: int, block: int) -> PageLine:
    """The line that consists of the words in `row`. The characters of a word share its box."""
    texts: list[str] = []
    boxes: list[Any] = []
    for i in row:
        word = clean(words["text"][i]).strip()
        left, top, wide, high = (words[name][i] for name in ("left", "top", "width", "height"))
        cuts = [left + wide * part / len(word) for part in range(len(word) + 1)]
        if texts:
            texts.append(" ")
            boxes.append((0.0, 0.0, 0.0, 0.0))
        texts.append(word)
        boxes += [_on_page(page, size, (one, top, two, top + high)) for one, two in pairwise(cuts)]
    left = min(words["left"][i] for i in row)
    right = max(words["left"][i] + words["width"][i] for i in row)
    bottom = max(words["top"][i] + words["height"][i] for i in row)
    high = sorted(words["height"][i] for i in row)[len(row) // 2]
    return PageLine(
        number,
        block,
        "".join(texts),
        np.array(boxes, dtype=np.float32),
        float(left),
        float(right),
        float(-bottom),
        float(max(high, 1)),
        float(words["width"][row[0]]),
        1,
    )


def _on_page(page: Any, size: tuple[int, int], box: tuple[float, float, float, float]) -> tuple[float, ...]:
    """A box of pixels as left, bottom, right, top in points on the page."""
    import pypdfium2.raw as pdfium

    x, y = ctypes.c_double(), ctypes.c_double()
    corners: list[tuple[float, float]] = []
    for across, down in ((box[0], box[1]), (box[2], box[3])):
        pdfium.FPDF_DeviceToPage(page, 0, 0, *size, 0, round(across), round(down), x, y)
        corners.append((x.value, y.value))
    (x1, y1), (x2, y2) = corners
    return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)
