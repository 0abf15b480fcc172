"""A small file of every format, for the tests that hold for all formats."""

from datetime import datetime
from io import BytesIO

from openpyxl import Workbook

from tests.documents.offices import compound, docx, msg, p, packed, table
from tests.documents.pdfs import PROSE, lines, pdf, wrapped


def workbook() -> bytes:
    """A workbook with a visible, a hidden and an empty sheet."""
    book = Workbook()
    fees = book.active
    fees.title = "Fees"
    fees.append(["Item", "Fee", "From", None])
    fees.append([])
    fees.append(["Work", 10.0, datetime(2020, 3, 1), None])
    fees.append(["Half", 0.5, datetime(2020, 3, 1, 9, 30), True])
    hidden = book.create_sheet("Hidden")
    hidden.append(["secret"])
    hidden.sheet_state = "hidden"
    book.create_sheet("Empty")
    book.create_sheet("Names").append(["Acme\nLtd"])
    buffer = BytesIO()
    book.save(buffer)
    return buffer.getvalue()


FILES = {
    "a.txt": b"\xef\xbb\xbfLEASE\r\nThe rent is due.",
    "a.md": b"# Lease\n\nRent\n----\n\n```\n# no\n```\n\nDue monthly.\n",
    "a.rtf": rb"{\rtf1\ansi{\fonttbl{\f0 Arial;}}\f0 LEASE\par The rent is \b due\b0  \'e9 monthly.\par}",
    "a.html": b"<html><body><h1>Lease</h1><ol><li>Rent.</li></ol></body></html>",
    "a.xlsx": workbook(),
    "a.docx": docx(p("Lease") + table([p("a"), p("b")]) + p("Rent is due")),
    "a.pdf": pdf(lines(*wrapped(PROSE * 2, 430)), lines(), lines("Page two.")),
    "a.eml": (
        b"From: a@b.example\r\nTo: c@d.example\r\nSubject: Rent\r\nDate: Tue, 3 Mar 2020 09:15:00 +0100\r\n\r\n"
        b"It is due.\r\n"
    ),
    "a.msg": msg("Rent", "It is due.", "a@b.example", "c@d.example", 1_583_223_300),
    "a.zip": packed({"in/b.txt": "Rent.", "in/c.md": "# Rent"}),
}
"""A readable file of every format that needs no other program."""

OLD_WORD = compound({"WordDocument": b"x" * 5000})
"""A file in Word's old format. Only LibreOffice could read it."""
