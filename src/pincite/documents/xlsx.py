"""Reads a workbook (.xlsx): every visible sheet, a row a line, values as they were last calculated."""

from datetime import date, datetime, time
from io import BytesIO
from typing import Any

from pincite.documents.text_builder import Flow
from pincite.documents.request import ReadRequest
from pincite.documents.zip_limits import opened, unpack
from pincite.text import Document


def read_xlsx(given: ReadRequest) -> Document:
    """The document: a sheet's name is a heading, its rows follow with cells parted by " | "."""
    from openpyxl import load_workbook

    with opened(given) as archive:
        for info in archive.infolist():
            if info.filename.endswith((".xml", ".rels")):
                data = unpack(given, archive, info, given.name)
                if b"<!DOCTYPE" in data[:4096] or b"<!ENTITY" in data:
                    raise given.failure("damaged", f"{info.filename} declares a document type; save it anew with Excel")
    flow = Flow()
    book = load_workbook(BytesIO(given.data), read_only=True, data_only=True, keep_links=False)
    try:
        for sheet in book.worksheets:
            if sheet.sheet_state == "visible":
                _sheet(flow, sheet)
    finally:
        book.close()
    return flow.document(given, "xlsx", given.stem)


def _sheet(flow: Flow, sheet: Any) -> None:
    sheet.reset_dimensions()
    between = "\n\n"
    named = False
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        line = " | ".join(map(_shown, row)).rstrip(" |")
        if not line.strip(" |"):
            continue
        if not named:
            flow.add(sheet.title, place=sheet.title, level=1)
            named = True
        flow.add(line, place=f"{sheet.title}, row {number}", between=between)
        between = "\n"


def _shown(value: Any) -> str:
    """A cell's value: dates as ISO, whole numbers without a point, a text on one line."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.15g}"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "minutes")
    if isinstance(value, date | time):
        return value.isoformat()
    return " ".join(str(value).split())
