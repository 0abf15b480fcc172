"""A small PDF file for tests."""

from pathlib import Path

from reportlab.pdfgen.canvas import Canvas


def write_deed(path: Path, pages: int) -> Path:
    """Each page has a heading and, below it, a sentence with the number of the page."""
    canvas = Canvas(str(path), pagesize=(595, 842))
    for page in range(1, pages + 1):
        canvas.drawString(72, 720, f"DEED OF GRANT, page {page}")
        canvas.drawString(72, 700, f"The grantor conveys meadow number {page} to the grantee.")
        canvas.showPage()
    canvas.save()
    return path
