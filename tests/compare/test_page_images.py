"""Images of pages: what is highlighted, and pages and files that cannot be drawn."""

import io
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageChops
from reportlab.pdfgen.canvas import Canvas

from pincite.compare.page_images import MARK, WIDTH, UndrawablePageError, has_pages, page_image
from pincite.documents import pdf_ocr, read_file
from pincite.documents.process_limits import ONE_THREAD
from pincite.documents.sandbox import missing_parts
from pincite.index import Index
from pincite.text import Document
from tests.compare.pdf import write_deed
from tests.documents.pdfs import pdf, picture

SECONDS, MEMORY = 120.0, 2**30


@pytest.fixture(scope="module")
def deed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Document, Path]:
    """A PDF file of three pages, as the index knows it."""
    folder = tmp_path_factory.mktemp("deed")
    path = write_deed(folder / "deed.pdf", 3)
    with Index.create(folder / "deed.pincite") as index:
        index.add(path, vectors="none")
        return index.document("deed.pdf"), index.original("deed.pdf")


def drawn(deed: tuple[Document, Path], page: int, *marked: tuple[int, int]) -> Image.Image:
    found = page_image(*deed, page, marked, SECONDS, MEMORY)
    assert found.startswith(b"\x89PNG")
    return Image.open(io.BytesIO(found)).convert("RGB")


def place(document: Document, words: str) -> tuple[int, int]:
    start = document.text.index(words)
    return start, start + len(words)


def test_words_are_highlighted_where_they_stand_and_nowhere_else(deed: tuple[Document, Path]) -> None:
    plain, marked = drawn(deed, 2), drawn(deed, 2, place(deed[0], "The grantor conveys meadow number 2"))
    assert plain.width == WIDTH
    left, top, right, bottom = ImageChops.difference(plain, marked).getbbox() or (0, 0, 0, 0)
    scale = WIDTH / 595
    assert left == pytest.approx(72 * scale, abs=10)
    assert (top + bottom) / 2 == pytest.approx((842 - 703) * scale, abs=10)
    assert right - left > 10 * (bottom - top) > 0
    assert marked.getpixel((right - 2, top + 1)) == MARK


def test_words_on_another_page_are_not_highlighted(deed: tuple[Document, Path]) -> None:
    other = place(deed[0], "The grantor conveys meadow number 3")
    assert ImageChops.difference(drawn(deed, 1), drawn(deed, 1, other)).getbbox() is None


@pytest.mark.parametrize("page", [0, 4])
def test_a_page_that_is_not_there_is_an_error(deed: tuple[Document, Path], page: int) -> None:
    with pytest.raises(UndrawablePageError, match=f"no page {page}; the document has 3"):
        page_image(*deed, page, [], SECONDS, MEMORY)


def test_only_pdf_files_have_pages(tmp_path: Path) -> None:
    text = Document("note", "The rent is due.")
    assert not has_pages(text)
    with pytest.raises(UndrawablePageError, match="only pages of PDF files"):
        page_image(text, tmp_path / "note.txt", 1, [], SECONDS, MEMORY)


def test_a_damaged_file_is_an_error(deed: tuple[Document, Path], tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.pdf"
    damaged.write_bytes(b"%PDF-1.7 nothing")
    with pytest.raises(UndrawablePageError, match="page 1 cannot be drawn"):
        page_image(deed[0], damaged, 1, [], SECONDS, MEMORY)


def test_drawing_stops_at_its_limits(deed: tuple[Document, Path], tmp_path: Path) -> None:
    with pytest.raises(UndrawablePageError, match=r"within 0\.001 s"):
        page_image(*deed, 1, [], 0.001, MEMORY)
    huge = tmp_path / "huge.pdf"
    canvas = Canvas(str(huge), pagesize=(20, 2_000_000))  # drawn as wide as others, it would take hundreds of gigabytes
    canvas.showPage()
    canvas.save()
    with pytest.raises(UndrawablePageError, match="page 1 cannot be drawn"):
        page_image(deed[0], huge, 1, [], SECONDS, MEMORY)


@pytest.mark.skipif(bool(missing_parts()), reason=f"this system has no whole sandbox: {missing_parts()}")
def test_what_draws_can_read_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    hostile = f"lambda *_: open({str(tmp_path / 'secret.txt')!r}, 'rb').read()"
    code = "import pincite.compare.page_images as drawing; drawing.draw = {}; drawing.serve({!r}, 30.0, 2**30)"
    for draw, image in ((hostile, b""), ("lambda data, *_: data", b"the page")):
        command = [sys.executable, "-c", code.format(draw, str(tmp_path / "own"))]
        request = pickle.dumps((b"the page", 1, []))
        done = subprocess.run(command, input=request, capture_output=True, check=False, env=os.environ | ONE_THREAD)
        assert done.stdout == image


def overlap(document: Document, path: Path, words: str) -> float:
    """The share of the only ink of a page that is inside the highlight of these words."""
    plain, marked = drawn((document, path), 1), drawn((document, path), 1, place(document, words))
    ink = ImageChops.invert(plain.convert("L")).getbbox() or (0, 0, 0, 0)
    mark = ImageChops.difference(plain, marked).getbbox() or (0, 0, 0, 0)
    shared = [min(ink[i + 2], mark[i + 2]) - max(ink[i], mark[i]) for i in (0, 1)]
    return max(0, shared[0]) * max(0, shared[1]) / ((ink[2] - ink[0]) * (ink[3] - ink[1]))


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_words_on_a_turned_page_are_highlighted_where_they_stand(tmp_path: Path, turn: int) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setPageRotation(turn)
        canvas.drawString(300, 400, "Confidential")

    path = tmp_path / "turned.pdf"
    path.write_bytes(pdf(draw))
    assert overlap(read_file(path, "turned.pdf").documents[0], path, "Confidential") > 0.8


@pytest.mark.skipif(not pdf_ocr.is_available(), reason="tesseract is not installed")
def test_words_of_a_scan_are_highlighted_where_they_stand(tmp_path: Path) -> None:
    path = tmp_path / "scan.pdf"
    path.write_bytes(pdf(picture(["The tenant shall pay the rent."])))
    document = read_file(path, "scan.pdf").documents[0]
    assert document.source.reader == "pdf+ocr"
    assert has_pages(document)
    assert overlap(document, path, "The tenant shall pay the rent.") > 0.8
