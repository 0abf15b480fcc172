"""PDF: reading order, paragraphs, margins, pages and boxes."""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from pincite.documents import Limits, Unreadable, read_file
from pincite.documents.read import FileReading, read_bytes
from pincite.text import Document
from tests.documents.pdfs import FONT, HEIGHT, PROSE, SIZE, WIDTH, both, columns, lines, pdf, picture, wrapped

SENTENCE = "The indemnity survives the expiry of this deed by seven years."


def read(*pages: Callable[[Canvas], None]) -> Document:
    return reading(*pages).documents[0]


def reading(*pages: Callable[[Canvas], None]) -> FileReading:
    return read_bytes(pdf(*pages), "a.pdf", "a.pdf")


def seven(canvas: Canvas) -> None:
    lines(*wrapped(PROSE, 430))(canvas)
    canvas.drawString(100, 500, SENTENCE)


def plain(number: int) -> Callable[[Canvas], None]:
    return lines(*wrapped(f"{number}. {PROSE}", 430))


def test_a_sentence_comes_back_with_its_page(tmp_path: Path) -> None:
    path = tmp_path / "deed.pdf"
    path.write_bytes(pdf(*map(plain, range(1, 7)), seven, plain(8)))
    document = read_file(path, "deed.pdf").documents[0]
    start = document.text.index(SENTENCE)
    assert document.page_at(start) == 7
    assert len(document.source.page_starts) == 8
    assert document.source.reader == "pdf"


def test_its_boxes_cover_its_ink_and_nothing_else() -> None:
    data = pdf(*map(plain, range(1, 7)), seven)
    document = read_bytes(data, "deed.pdf", "deed.pdf").documents[0]
    start = document.text.index(SENTENCE)
    boxes = document.boxes(start, start + len(SENTENCE))
    assert {box.page for box in boxes} == {7}
    scale = 4
    pdfium = pypdfium2.PdfDocument(data)
    dark = pdfium[6].render(scale=scale).to_numpy()[:, :, 0] < 128
    covered = np.zeros_like(dark)
    for box in boxes:
        top, bottom = round((HEIGHT - box.top) * scale), round((HEIGHT - box.bottom) * scale)
        left, right = round(box.left * scale), round(box.right * scale)
        covered[top:bottom, left:right] = True
        assert dark[top:bottom, left:right].any()
    line = np.zeros_like(dark)
    line[round((HEIGHT - 515) * scale) : round((HEIGHT - 495) * scale)] = True
    assert (dark & line).any()
    assert not (dark & line & ~covered).any()
    assert not (covered & ~line).any()


def test_words_drawn_at_known_places_have_those_boxes() -> None:
    document = read(both(lines("Alpha", x=100, y=700), lines("Omega", x=300, y=400)))
    canvas = Canvas("unused.pdf")
    for word, x, y in (("Alpha", 100, 700), ("Omega", 300, 400)):
        start = document.text.index(word)
        (box,) = document.boxes(start, start + len(word))
        assert box.left == pytest.approx(x, abs=0.5)
        assert box.right == pytest.approx(x + canvas.stringWidth(word, FONT, SIZE), abs=1)
        assert box.bottom < y < box.top < y + SIZE * 1.2


LEFT = wrapped("LEFT BEGINS. " + PROSE * 2 + "Left ends here.", 220)
RIGHT = wrapped("RIGHT BEGINS. " + PROSE * 2 + "Right ends here.", 220)


@pytest.mark.parametrize("by_rows", [True, False])
def test_columns_are_read_one_after_the_other_in_either_drawing_order(by_rows: bool) -> None:
    title = "A title across the whole width of the page that crosses the gutter between both columns"
    foot = "A closing line across the whole width of the page, which stands below both of the columns."
    document = read(both(lines(title, x=60), columns(LEFT, RIGHT, by_rows=by_rows), lines(foot, x=60, y=300)))
    flat = document.text.replace("\n", " ")
    marks = [title, "LEFT BEGINS", "Left ends here.", "RIGHT BEGINS", "Right ends here.", foot]
    assert [flat.count(mark) for mark in marks] == [1] * 6
    places = [flat.index(mark) for mark in marks]
    assert places == sorted(places)
    assert " ".join(PROSE.split()) in flat


def test_columns_whose_lines_do_not_stand_level_are_read_too() -> None:
    shifted = [columns(LEFT, [], by_rows=True, y=700), columns([], RIGHT, by_rows=True, y=694)]
    flat = read(both(*shifted)).text
    assert flat.index("Left ends here.") < flat.index("RIGHT BEGINS")


def test_three_columns() -> None:
    texts = [wrapped(f"Column {name} begins. {PROSE} Column {name} ends.", 140) for name in ("one", "two", "three")]
    draw = both(*(lines(*text, x=x, pitch=13) for text, x in zip(texts, (50, 225, 400), strict=True)))
    flat = " ".join(read(draw).text.split())
    order = [flat.index(f"Column {name} {what}") for name in ("one", "two", "three") for what in ("begins", "ends")]
    assert order == sorted(order)


def test_a_table_of_short_labels_stays_in_rows() -> None:
    rows = [("Tenant", "Acme Robotics Ltd"), ("Rent", "EUR 1,200"), ("Term", "Ten years"), ("Deposit", "EUR 3,600")]
    draws = [both(lines(a, y=700 - 16 * i), lines(b, x=350, y=700 - 16 * i)) for i, (a, b) in enumerate(rows)]
    text = read(both(*draws)).text
    assert [line.split("  ") for line in text.split("\n")] == [list(row) for row in rows]


def test_a_dense_table_is_no_text_in_columns() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont(FONT, 6)
        for row in range(40):
            for column in range(20):
                canvas.drawString(30 + 27 * column, 800 - 8 * row, f"{row}/{column}")

    rows = read(draw).text.split("\n")
    assert [row.split() for row in rows] == [[f"{row}/{column}" for column in range(20)] for row in range(40)]


def test_a_table_of_contents_has_a_line_for_each_entry() -> None:
    entries = [f"{number}. Clause {'. ' * (60 - number)}{number}" for number in range(1, 6)]
    assert read(lines(*entries)).text.split("\n\n") == entries


def test_line_ends_inside_a_paragraph_are_spaces_and_paragraphs_are_lines() -> None:
    first, second = wrapped(PROSE * 2, 430), wrapped(f"7.2 {PROSE}", 430)
    text = read(both(lines(*first), lines(*second, y=760 - 14 * len(first) - 8))).text
    assert text == f"{' '.join((PROSE * 2).split())}\n\n7.2 {' '.join(PROSE.split())}"


def test_double_spaced_paragraphs_among_single_spaced_ones() -> None:
    single = [both(*(lines(*wrapped(f"{i}. {PROSE}", 430), y=780 - 90 * i) for i in range(8)))] * 3
    text = read(*single, lines(*wrapped(PROSE * 3, 430), pitch=28)).text
    assert text.endswith("\n\n" + " ".join((PROSE * 3).split()))


@pytest.mark.parametrize(
    ("first", "second", "joined"),
    [
        ("this information is strictly confi-", "dential and shall not leave", "strictly confidential and"),
        ("each party has signed a non-", "disclosure agreement in due form", "a non-disclosure agreement"),
        ("the well-being of all; the work-", "flow and the well-", "the workflow and"),
        ("the first year and the Anglo-", "American court of arbitration", "the Anglo-American court"),
        ("the confiden\u00ad", "tial terms of the settlement", "the confidential terms"),
    ],
)
def test_hyphens_at_line_ends(first: str, second: str, joined: str) -> None:
    filler = "and so the parties agree that"
    text = read(lines(f"{filler} {first}", f"{second} {filler}", f"{filler} it is so and so it is, {filler}")).text
    assert joined in text


def test_a_hyphen_stays_if_the_word_has_it_elsewhere() -> None:
    text = read(lines("Every force-majeure event of this kind ends the force-", "majeure period that it began.")).text
    assert "ends the force-majeure period" in text


def test_a_paragraph_runs_over_the_page_end() -> None:
    long = wrapped(PROSE * 3, 430)
    document = read(lines(*long[:5]), lines(*long[5:]))
    assert document.text == " ".join((PROSE * 3).split())
    second = document.source.page_starts[1]
    assert document.text[second:].startswith(long[5])
    assert [document.page_at(second - 1), document.page_at(second)] == [1, 2]


def furnished(number: int, *, stamp: str = "") -> Callable[[Canvas], None]:
    head = "MASTER SERVICES AGREEMENT" if number % 2 else "Acme Robotics Ltd / Bolt GmbH"
    draws = [lines(head, y=810), plain(number), lines(f"Page {number} of 9", x=280, y=30)]
    return both(*draws, lines(stamp, x=450, y=30) if stamp else lines())


def test_headers_and_footers_are_margins_and_give_page_labels() -> None:
    document = read(*map(furnished, range(1, 10)))
    assert "MASTER" not in document.text
    assert "Page" not in document.text
    assert document.source.margins[2] == "MASTER SERVICES AGREEMENT\nPage 3 of 9"
    assert document.source.margins[3] == "Acme Robotics Ltd / Bolt GmbH\nPage 4 of 9"
    assert document.source.page_labels == tuple(map(str, range(1, 10)))


def test_chapter_titles_beside_page_numbers_are_margins() -> None:
    heads = [
        both(lines(f"Chapter {n // 3 + 1}: {'ABC'[n // 3]}", y=810), lines(str(n + 5), x=500, y=810)) for n in range(9)
    ]
    document = read(*(both(head, plain(number)) for number, head in enumerate(heads, 1)))
    assert "Chapter" not in document.text
    assert document.source.page_labels == tuple(str(number) for number in range(5, 14))


@pytest.mark.parametrize("stamp", ["ABC 0001{:03d}", "ACME-000{:03d}", "DEF00{:03d}", "SEC-ENF-0000{:03d}"])
def test_bates_numbers_are_page_labels(stamp: str) -> None:
    document = read(*(furnished(number, stamp=stamp.format(number)) for number in range(1, 7)))
    assert document.source.page_labels == tuple(stamp.format(number) for number in range(1, 7))
    assert stamp.format(2) not in document.text


def test_a_single_page_with_a_bates_number() -> None:
    document = read(furnished(1, stamp="ACME-000123"))
    assert document.source.page_labels == ("ACME-000123",)


def test_the_numbers_of_numbered_lines_are_left_out() -> None:
    def pleading(canvas: Canvas) -> None:
        for i, text in enumerate(wrapped(PROSE * 10, 400)[:28]):
            canvas.drawRightString(60, 760 - 24 * i, str(i + 1))
            canvas.drawString(90, 760 - 24 * i, text)

    expected = " ".join(wrapped(PROSE * 10, 400)[:28])
    document = read(pleading, pleading)
    assert document.text.startswith(expected[:400])
    assert not any(map(str.isdigit, document.text))
    assert document.boxes(0, 3)[0].left == pytest.approx(90, abs=0.5)


def test_the_pdfs_own_page_labels() -> None:
    def start(canvas: Canvas) -> None:
        canvas.addPageLabel(0, "ROMAN_LOWER")
        canvas.addPageLabel(2, "ARABIC", 1)
        plain(1)(canvas)

    assert read(start, plain(2), plain(3), plain(4)).source.page_labels == ("i", "ii", "1", "2")


def test_an_empty_page_keeps_its_number() -> None:
    document = read(plain(1), lines(), plain(3))
    assert len(document.source.page_starts) == 3
    assert document.page_at(document.text.index("3. The")) == 3


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_rotated_pages_read_like_others(turn: int) -> None:
    text = wrapped(PROSE * 2, 430)

    def draw(canvas: Canvas) -> None:
        canvas.setPageRotation(turn)
        canvas.translate(WIDTH / 2, HEIGHT / 2)
        canvas.rotate(turn)
        canvas.translate(-WIDTH / 2, -HEIGHT / 2)
        canvas.setFont(FONT, SIZE)
        lines(*text, y=600)(canvas)

    document = read(draw)
    assert document.text == " ".join((PROSE * 2).split())
    assert document.boxes(0, 20)


def test_text_on_its_side_comes_after_the_page() -> None:
    def stamp(canvas: Canvas) -> None:
        canvas.translate(30, 300)
        canvas.rotate(90)
        canvas.setFont(FONT, SIZE)
        canvas.drawString(0, 0, "Filed on 3 March 2020")

    text = read(both(plain(1), stamp)).text
    assert text.endswith("\n\nFiled on 3 March 2020")


def test_what_is_filled_into_a_form_is_read_where_it_stands() -> None:
    def form(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "Name of tenant:")
        canvas.acroForm.textfield(name="tenant", value="Acme Robotics", x=200, y=690, width=200, height=20)

    document = read(form)
    assert document.text.split() == ["Name", "of", "tenant:", "Acme", "Robotics"]
    (box,) = document.boxes(document.text.index("Acme"), document.text.index("Acme") + 4)
    assert 200 <= box.left < box.right < 250
    assert 685 < box.bottom < box.top < 715


def test_a_scan_is_reported() -> None:
    data = pdf(picture(["One"]), picture(["Two"]))
    with pytest.raises(Unreadable, match=r"scan\.pdf: its 2 pages are pictures") as caught:
        read_bytes(data, "scan.pdf", "scan.pdf", ocr=False)
    assert caught.value.reason == "scanned"


def test_a_scan_without_tesseract_says_how_to_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Unreadable, match=r"pip install 'pincite\[ocr\]'"):
        read_bytes(pdf(picture(["One"])), "scan.pdf", "scan.pdf")


def test_single_pages_without_text_are_named() -> None:
    reading = read_bytes(pdf(plain(1), picture(["Two"]), plain(3)), "a.pdf", "a", ocr=False)
    assert "no text on page 2" in reading.notes[0]
    assert reading.documents[0].page_at(reading.documents[0].text.index("3. The")) == 3


def test_a_stamped_scan_is_still_a_scan() -> None:
    pages = [both(picture(["One"]), lines(f"ACME-00000{number} CONFIDENTIAL", y=20)) for number in (1, 2)]
    with pytest.raises(Unreadable) as caught:
        read_bytes(pdf(*pages), "scan.pdf", "scan.pdf", ocr=False)
    assert caught.value.reason == "scanned"


def test_a_scan_is_recognised_with_boxes() -> None:
    from pincite.documents import pdf_ocr

    if not pdf_ocr.is_available():
        pytest.skip("tesseract is not installed")
    words = ["The tenant shall pay the rent", "on the first day of each month."]
    reading = read_bytes(pdf(picture(words)), "scan.pdf", "scan.pdf")
    document = reading.documents[0]
    assert document.source.reader == "pdf+ocr"
    assert "The tenant shall pay the rent on the first day of each month." in document.text
    start = document.text.index("tenant")
    (box,) = document.boxes(start, start + 6)
    assert 0.45 * WIDTH > box.left > 200 / 1654 * WIDTH
    assert (1 - 345 / 2339) * HEIGHT - 3 < box.bottom < box.top < (1 - 300 / 2339) * HEIGHT + 3
    assert "OCR" in reading.notes[0]


def test_an_encrypted_pdf() -> None:
    with pytest.raises(Unreadable, match=r"a\.pdf: needs a password") as caught:
        read_bytes(pdf(plain(1), encrypt="secret"), "a.pdf", "a")
    assert caught.value.reason == "encrypted"


def test_a_truncated_pdf() -> None:
    whole = pdf(*map(plain, range(1, 6)))
    with pytest.raises(Unreadable) as caught:
        read_bytes(whole[:600], "a.pdf", "a")
    assert caught.value.reason == "damaged"
    assert str(caught.value).startswith("a.pdf: ")


def test_too_many_pages() -> None:
    with pytest.raises(Unreadable, match="has 3 pages, the limit is 2") as caught:
        read_bytes(pdf(plain(1), plain(2), plain(3)), "a.pdf", "a", Limits(pages=2))
    assert caught.value.reason == "too large"


def test_ligatures_are_letters() -> None:
    from pincite.documents.pdf_chars import _visible

    codes = np.array([0xFB01, ord("x")])
    boxes = np.array([[0, 0, 5, 10], [5, 0, 10, 10]], dtype=np.float32)
    chars = _visible(codes, boxes, np.zeros((2, 2)), np.zeros(2))
    assert "".join(map(chr, chars.codes)) == "fix"
    assert (chars.boxes[0] == chars.boxes[1]).all()


@pytest.mark.slow
def test_two_thousand_pages_in_bounded_time() -> None:
    data = pdf(*(both(*(lines(*wrapped(PROSE * 3, 430), y=780 - 170 * i) for i in range(4))) for _ in range(2000)))
    begin = time.perf_counter()
    document = read_bytes(data, "big.pdf", "big.pdf").documents[0]
    assert len(document.source.page_starts) == 2000
    assert time.perf_counter() - begin < 2000 / 20
