"""Comparisons and search results as tables for a spreadsheet or a word processor."""

import io
from collections.abc import Callable, Sequence

from pincite.compare.comparison import NOTHING, ComparisonRow
from pincite.errors import UsageError, one_of
from pincite.output import FORMULA, csv_text
from pincite.text import Hit

COLUMNS = ("File", "Id", "Title", "Citation", "Page", "Passage", "Likelihood")
Rows = Sequence[Sequence[str]]


def comparison_rows(rows: Sequence[ComparisonRow]) -> list[list[str]]:
    """A row for each document; those in which nothing was found come last."""
    found = [_cells(row.document, row.title, row.found, row.likelihood) for row in rows if row.found]
    return found + [_cells(row.document, row.title, None, row.likelihood) for row in rows if not row.found]


def hit_rows(hits: Sequence[Hit]) -> list[list[str]]:
    """A row for each hit, best first."""
    return [_cells(hit.document_id, hit.title, hit, hit.likelihood) for hit in hits]


def _cells(document: str, title: str, hit: Hit | None, likelihood: float | None) -> list[str]:
    named = [document.rpartition("/")[2], document, title]
    likely = "" if likelihood is None else f"{likelihood:.2f}"
    if hit is None:
        return [*named, "", "", NOTHING, likely]
    page = "" if hit.page is None else str(hit.page)
    return [*named, hit.citation, page, " ".join(hit.whole.split()), likely]


def as_csv(rows: Rows) -> str:
    """The rows as CSV."""
    return csv_text(COLUMNS, rows)


def as_xlsx(question: str, rows: Rows) -> bytes:
    """The rows as a workbook whose sheet is named after the question. Every cell is text, so that none is a formula."""
    from openpyxl import Workbook
    from openpyxl.styles import Alignment, Font

    book = Workbook()
    sheet = book.active
    sheet.title = "".join(c for c in _plain(question) if c not in "[]:*?/\\'")[:31].strip() or "Pincite"
    for number, row in enumerate([COLUMNS, *rows], start=1):
        for column, text in enumerate(row, start=1):
            cell = sheet.cell(number, column)
            cell.value, cell.data_type = _plain(text), "s"
            cell.quotePrefix = text.startswith(FORMULA)
            cell.alignment = Alignment(wrap_text=True, vertical="top")
            cell.font = Font(bold=number == 1)
    for letter, width in zip("ABCDEFG", (24, 36, 30, 36, 7, 90, 11), strict=True):
        sheet.column_dimensions[letter].width = width
    sheet.freeze_panes = "A2"
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def as_docx(question: str, rows: Rows) -> bytes:
    """The question as a heading and the rows as a table, in a Word file."""
    try:
        from docx import Document as Word
        from docx.enum.section import WD_ORIENT
    except ImportError:
        raise UsageError("Word files need python-docx: pip install 'pincite[serve]'") from None

    word = Word()
    page = word.sections[0]
    page.orientation, page.page_width, page.page_height = WD_ORIENT.LANDSCAPE, page.page_height, page.page_width
    word.add_heading(_plain(question), level=1)
    table = word.add_table(rows=1, cols=len(COLUMNS), style="Table Grid")
    for cell, name in zip(table.rows[0].cells, COLUMNS, strict=True):
        cell.paragraphs[0].add_run(name).bold = True
    for row in rows:
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = _plain(text)
    out = io.BytesIO()
    word.save(out)
    return out.getvalue()


MEDIA_TYPES = {
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
"""The formats of an export, by suffix."""
_WRITERS: dict[str, Callable[[str, Rows], bytes]] = {
    "csv": lambda _, rows: ("\ufeff" + as_csv(rows)).encode(),
    "xlsx": as_xlsx,
    "docx": as_docx,
}


def exported(form: str, question: str, rows: Rows) -> bytes:
    """The rows as a file of that format. CSV begins with a byte-order mark, without which spreadsheets guess wrong."""
    if form not in _WRITERS:
        raise one_of("format of an export", form, list(_WRITERS))
    return _WRITERS[form](question, rows)


def _plain(text: str) -> str:
    """The text without characters that XML does not allow."""
    return "".join(letter for letter in text if (letter >= " " or letter in "\t\n") and letter not in "\ufffe\uffff")
