"""Export of a comparison for a spreadsheet or a word processor."""

import io
from collections.abc import Sequence

from pincite.compare.comparison import ComparisonRow
from pincite.errors import UsageError
from pincite.output import csv_text

COLUMNS = ("Document", "Answering passage", "Page", "Citation", "Likelihood")


def as_csv(rows: Sequence[ComparisonRow]) -> str:
    """The rows as CSV."""
    return csv_text(COLUMNS, [row.cells() for row in rows])


def as_docx(question: str, rows: Sequence[ComparisonRow]) -> bytes:
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
        for cell, text in zip(table.add_row().cells, row.cells(), strict=True):
            cell.text = _plain(text)
    out = io.BytesIO()
    word.save(out)
    return out.getvalue()


def _plain(text: str) -> str:
    """The text without characters that XML does not allow."""
    return "".join(letter for letter in text if (letter >= " " or letter in "\t\n") and letter not in "\ufffe\uffff")
