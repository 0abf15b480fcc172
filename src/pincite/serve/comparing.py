"""One question over many documents: a row each, with the passage that answers, or with nothing."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.errors import UsageError
from pincite.index import EmbeddedEngine, Question
from pincite.index.records import Listed
from pincite.retrieve.answers import LIKELY, Reading
from pincite.text import Filter, Hit
from pincite.text.citation import citation

COLUMNS = ("Document", "Answering passage", "Page", "Citation", "Likelihood")
NOTHING = "nothing found"


@dataclass(frozen=True, slots=True)
class Row:
    """A document and what answers in it. `hit` is also there where it probably does not answer: see `found`."""

    document: str
    title: str
    hit: Hit | None
    likelihood: float | None

    @property
    def found(self) -> Hit | None:
        """The hit, unless it probably does not answer."""
        return None if self.likelihood is not None and self.likelihood < LIKELY else self.hit

    def to_dict(self) -> dict[str, object]:
        shown = None if self.found is None else {**self.found.to_dict(), "citation": citation(self.found)}
        return {"document": self.document, "title": self.title, "likelihood": self.likelihood, "hit": shown}

    def cells(self) -> list[str]:
        """As the columns of an export."""
        hit = self.found
        likelihood = "" if self.likelihood is None else f"{self.likelihood:.2f}"
        if hit is None:
            return [self.title, NOTHING, "", "", likelihood]
        page = "" if hit.page is None else str(hit.page)
        return [self.title, " ".join(hit.text.split()), page, citation(hit), likelihood]


def row(engine: EmbeddedEngine, question: str, entry: Listed, reading: Reading | None) -> Row:
    """What one document answers."""
    answer = engine.search([Question(question, 1, Filter(documents=(entry.id,)), reading=reading)])[0]
    return Row(entry.id, entry.title, answer.hits[0] if answer.hits else None, answer.answered)


def as_csv(rows: Sequence[Row]) -> str:
    """For a spreadsheet: a cell that it would take for a formula is text."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow(
            [f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) else cell for cell in row.cells()]
        )
    return out.getvalue()


def as_docx(question: str, rows: Sequence[Row]) -> bytes:
    """For a word processor: the question as a heading, then the table."""
    try:
        from docx import Document as Word
        from docx.enum.section import WD_ORIENT
    except ImportError:
        raise UsageError("Word files are written by python-docx: pip install 'pincite[serve]'") from None

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
    """Without characters that XML cannot hold."""
    return "".join(letter for letter in text if (letter >= " " or letter in "\t\n") and letter not in "\ufffe\uffff")
