"""Exports of a comparison: the same table for a spreadsheet and for a word processor."""

import csv
import io

import pytest
from docx import Document as Word
from openpyxl import load_workbook

from pincite.compare import ComparisonRow
from pincite.compare.export import COLUMNS, as_csv, as_docx, comparison_rows, exported, hit_rows
from pincite.errors import UsageError
from pincite.text import Document, Hit, Source

LEASE = Document("lease", "The Tenant may\nunderlet  the whole.", "LEASE", source=Source(page_starts=(0,)))
COMPARED = [
    ComparisonRow("a/nda", "NDA", Hit.of(Document("a/nda", "Copies are kept."), (0, 16), (), 0.1, 1, {}), 0.04),
    ComparisonRow("lease", "LEASE", Hit.of(LEASE, (0, len(LEASE.text)), ("2.18",), 1.0, 1, {}), 0.91),
    ComparisonRow("note", "NOTE", None, None),
]
ROWS = comparison_rows(COMPARED)
TABLE = [
    list(COLUMNS),
    ["lease", "lease", "LEASE", "Lease § 2.18, p. 1", "1", "The Tenant may underlet the whole.", "0.91"],
    ["nda", "a/nda", "NDA", "", "", "nothing found", "0.04"],
    ["note", "note", "NOTE", "", "", "nothing found", ""],
]


def test_csv_has_a_line_for_each_row() -> None:
    assert list(csv.reader(io.StringIO(as_csv(ROWS)))) == TABLE


def test_a_word_file_has_the_question_and_the_same_table() -> None:
    word = Word(io.BytesIO(as_docx("May the tenant underlet?", ROWS)))
    assert word.paragraphs[0].text == "May the tenant underlet?"
    assert [[cell.text for cell in row.cells] for row in word.tables[0].rows] == TABLE


def test_a_word_file_leaves_out_characters_that_xml_cannot_hold() -> None:
    word = Word(io.BytesIO(as_docx("law\ufffe or\x0b order\x00?", ROWS)))
    assert word.paragraphs[0].text == "law or order?"


def test_a_passage_carries_what_leads_into_it() -> None:
    document = Document("a", "The Supplier shall pay:\n(a) interest;\n(b) for late delivery, 1%.")
    hit = Hit.of(document, (38, 64), (), 1.0, 1, {}, lead_ins=((0, 23),))
    row = ComparisonRow("a", "SUPPLY", hit, 0.9)
    expected = "The Supplier shall pay: [...] (b) for late delivery, 1%."
    assert next(csv.reader(io.StringIO(as_csv(comparison_rows([row])).split("\r\n", 1)[1])))[5] == expected
    assert Word(io.BytesIO(as_docx("?", comparison_rows([row])))).tables[0].rows[1].cells[5].text == expected


def test_a_cell_is_no_formula() -> None:
    document = Document("a", "=cmd|'/c calc'!A1 is due.", title="=1+1")
    row = ComparisonRow("a", "=1+1", Hit.of(document, (0, 25), (), 1.0, 1, {}), 0.9)
    cells = next(csv.reader(io.StringIO(as_csv(comparison_rows([row])).split("\r\n", 1)[1])))
    assert cells[2] == "'=1+1"
    assert cells[5].startswith("'=cmd")
    sheet = load_workbook(io.BytesIO(exported("xlsx", "=1+1", comparison_rows([row])))).active
    assert [(cell.data_type, cell.value) for cell in sheet[2]][2] == ("s", "=1+1")
    assert all(cell.data_type != "f" for line in sheet.iter_rows() for cell in line)


def test_a_workbook_has_the_same_table() -> None:
    sheet = load_workbook(io.BytesIO(exported("xlsx", "May the tenant: underlet?", ROWS))).active
    assert [[cell.value or "" for cell in row] for row in sheet.iter_rows()] == TABLE
    assert sheet.title == "May the tenant underlet"


def test_hits_have_the_same_columns() -> None:
    hit = COMPARED[1].hit
    assert hit is not None
    assert hit_rows([hit]) == [[*TABLE[1][:6], ""]]


def test_another_format_is_an_error_that_lists_the_formats() -> None:
    with pytest.raises(UsageError, match="csv, xlsx, docx"):
        exported("pdf", "?", ROWS)
