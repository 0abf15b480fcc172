"""PDF: stamps of courts and line numbers are found on single pages, and sentences go on over page breaks."""

from collections.abc import Callable

import pytest
from reportlab.pdfgen.canvas import Canvas

from pincite.documents.hidden import with_hidden
from pincite.documents.read import read_bytes
from pincite.segment import Clauses
from pincite.text import Document
from tests.documents.made_pages import FILLER, closing, opening, sentence
from tests.documents.pdfs import both, lines, pdf, wrapped

STAMPS = [
    "Appellate Case: 21-800 Document: 010110462922 Date Filed: 01/11/2021 Page: {n}",
    "Case 17-3510, Document 1-1, 10/31/2017, 2161300, Page{n} of 2",
    "Case: 17-2678 Document: 003112692106 Page: {n} Date Filed: 08/03/2017",
    "Case 2:15-cv-01739-DGC Document 3 Filed 09/20/19 Page {n} of 2",
    "ACME-00012{n}",
]


def read(*pages: Callable[[Canvas], None]) -> Document:
    return with_hidden(read_bytes(pdf(*pages), "a.pdf", "a.pdf").documents[0])


def page(n: int, *furniture: Callable[[Canvas], None]) -> Callable[[Canvas], None]:
    """A page that begins with the end of a sentence and ends with the beginning of the next one."""
    begin = f"{closing(n - 1)} " if n > 1 else ""
    text = begin + " ".join(FILLER).format(n=n) + f" {opening(n)}"
    return both(lines(*wrapped(text, 420), y=740), *furniture)


@pytest.mark.parametrize("stamp", STAMPS)
@pytest.mark.parametrize("pages", [1, 2])
def test_stamps_are_left_out_of_one_and_of_two_pages(stamp: str, pages: int) -> None:
    document = read(*(page(n, lines(stamp.format(n=n), x=150, y=815)) for n in range(1, pages + 1)))
    assert document.text.startswith("The rent of flat 1")
    assert stamp[:4] not in document.text
    assert document.source.margins[0] == stamp.format(n=1)


@pytest.mark.parametrize("pages", [1, 2, 3, 6])
def test_a_sentence_over_a_page_break_is_one_unit_on_both_pages(pages: int) -> None:
    furniture = [
        (lines("LEASE OF TWELVE FLATS", x=200, y=815), lines(f"Page {n} of {pages}", x=280, y=25))
        for n in range(1, pages + 1)
    ]
    document = read(*(page(n, *furniture[n - 1]) for n in range(1, pages + 1)))
    units = [unit for unit in Clauses()(document) if "garden" in document.text[unit.start : unit.end]]
    shown = [" ".join(document.shown(unit.start, unit.end).split()) for unit in units]
    assert shown[:-1] == [sentence(n) for n in range(1, pages)]
    for n, unit in enumerate(units[:-1], start=1):
        assert (document.page_at(unit.start), document.page_at(unit.end - 1)) == (n, n + 1)
        assert {box.page for box in document.boxes(unit.start, unit.end)} == {n, n + 1}


def test_line_numbers_of_one_page_among_others_are_left_out() -> None:
    def pleading(canvas: Canvas) -> None:
        for at, text in enumerate(wrapped(" ".join(FILLER).format(n="two") * 4, 330)[:28]):
            canvas.drawRightString(60, 760 - 24 * at, str(at + 1))
            canvas.drawString(90, 760 - 24 * at, text)

    schedule = lines("Schedule", "The flats are listed here.")
    document = read(pleading, schedule, schedule, schedule)
    assert not any(map(str.isdigit, document.text))


def test_the_numbers_of_a_list_stay() -> None:
    names = [f"{at} Flat number {at} of the house" for at in range(1, 26)]
    document = read(lines(*names), lines("Schedule one"), lines("Schedule two"), lines("Schedule three"))
    assert "25 Flat number 25" in document.text
