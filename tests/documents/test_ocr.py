"""Scans: languages, progress, and a time limit of their own that keeps what was recognised."""

from pathlib import Path

import pytest

from pincite.documents import Limits, Unreadable, derive_files, pdf_ocr
from pincite.documents.read import read_bytes
from pincite.documents.workers import Derived
from tests.documents import derivations
from tests.documents.pdfs import PROSE, lines, pdf, picture, wrapped

pytestmark = pytest.mark.skipif(not pdf_ocr.is_available(), reason="tesseract is not installed")
SCAN = picture(["The tenant shall pay the rent", "on the first day of each month."])
TYPED = lines(*wrapped(PROSE, 430))


def test_the_note_names_the_file_and_the_pages() -> None:
    reading = read_bytes(pdf(TYPED, SCAN), "mixed.pdf", "mixed.pdf")
    assert reading.notes == ("mixed.pdf: text recognised (OCR) on page 2",)
    assert "strict confidence" in reading.documents[0].text
    assert "pay the rent" in reading.documents[0].text


def test_progress_counts_the_scanned_pages() -> None:
    told: list[tuple[int, int]] = []
    read_bytes(pdf(SCAN, TYPED, SCAN), "a.pdf", "a", on_page=lambda *page: told.append(page))
    assert told == [(0, 2), (1, 2), (2, 2)]


def test_a_language_that_is_not_installed_is_named_with_those_that_are() -> None:
    assert "eng" in pdf_ocr.languages()
    with pytest.raises(Unreadable, match=r"no language 'xyz' here; installed: .*eng.*tesseract-ocr-NAME") as caught:
        read_bytes(pdf(SCAN), "a.pdf", "a", ocr_language="eng+xyz")
    assert caught.value.reason == "not installed"


def test_pages_that_are_not_recognised_in_time_are_a_failure_and_the_rest_is_kept() -> None:
    reading = read_bytes(pdf(TYPED, SCAN, SCAN), "a.pdf", "a", Limits(ocr_seconds=0.0))
    assert "strict confidence" in reading.documents[0].text
    assert [failure.reason for failure in reading.failures] == ["took too long"]
    assert "pages 2, 3 were not recognised (OCR) within 0 s" in str(reading.failures[0])
    with pytest.raises(Unreadable, match=r"page 1 .*--ocr-seconds") as caught:
        read_bytes(pdf(SCAN), "a.pdf", "a", Limits(ocr_seconds=0.0))
    assert caught.value.reason == "took too long"


def test_ocr_does_not_count_as_reading_time_and_the_caller_is_told(tmp_path: Path) -> None:
    path = tmp_path / "scan.pdf"
    path.write_bytes(pdf(*[SCAN] * 4))
    told: list[tuple[Path, int, int]] = []
    found: list[Derived[int]] = list(
        derive_files(
            [(path, "scan.pdf")],
            derivations.count_words,
            Limits(seconds=1.2, ocr_seconds=120),
            processes=1,
            progress=lambda *news: told.append(news),
        )
    )
    assert found[0].failures == ()
    assert told == [(path, done, 4) for done in range(5)]
