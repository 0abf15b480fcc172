"""Export of cases like a judgment, for a spreadsheet or a word processor."""

import io

from pincite.cases.similar import SimilarAnswer, SimilarCase
from pincite.errors import UsageError
from pincite.output import csv_text

COLUMNS = ("Rank", "Case", "Court", "Date", "Passage of the judgment", "Passage of the case", "Cited by both", "Why")


def as_csv(answer: SimilarAnswer) -> str:
    """A row for each case."""
    return csv_text(COLUMNS, [_cells(case) for case in answer.cases])


def as_docx(answer: SimilarAnswer) -> bytes:
    """A section for each case in a Word file: the two passages side by side, what both cite, and why it was found."""
    try:
        from docx import Document as Word
    except ImportError:
        raise UsageError("Word files need python-docx: pip install 'pincite[serve]'") from None
    word = Word()
    word.add_heading(_plain(f"Cases like {answer.query.title or answer.query.document or 'the judgment'}"), level=1)
    for note in answer.notes:
        word.add_paragraph(_plain(note))
    for case in answer.cases:
        known = ", ".join(part for part in (case.case.court, case.case.date) if part)
        word.add_heading(_plain(f"{case.rank}. {case.case.title or case.case.document}"), level=2)
        if known:
            word.add_paragraph(_plain(known))
        for line in case.why:
            word.add_paragraph(_plain(line), style="List Bullet")
        if case.mine and case.its:
            table = word.add_table(rows=2, cols=2, style="Table Grid")
            for cell, stretch in zip(table.rows[0].cells, (case.mine, case.its), strict=True):
                cell.paragraphs[0].add_run(_plain(stretch.citation)).bold = True
            for cell, stretch in zip(table.rows[1].cells, (case.mine, case.its), strict=True):
                cell.text = _plain(stretch.text)
    out = io.BytesIO()
    word.save(out)
    return out.getvalue()


def _cells(case: SimilarCase) -> list[str]:
    passages = [f"{stretch.citation}: {stretch.text}" if stretch else "" for stretch in (case.mine, case.its)]
    head = [str(case.rank), case.case.title or case.case.document, case.case.court, case.case.date]
    return [*head, *passages, "; ".join(case.in_common), " ".join(case.why)]


def _plain(text: str) -> str:
    """The text without characters that XML does not allow."""
    return "".join(letter for letter in text if (letter >= " " or letter in "\t\n") and letter not in "\ufffe\uffff")
