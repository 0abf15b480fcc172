"""Reads a workbook (.xlsx): every visible sheet, one line per row, with the values last calculated."""

from datetime import date, datetime, time
from io import BytesIO
from typing import Any

from pincite.documents.request import ReadRequest
from pincite.documents.text_builder import LINE_BREAK, PARAGRAPH_BREAK, TextBuilder
from pincite.documents.zip_limits import open_zip, read_member
from pincite.text import Document


def read_xlsx(request: ReadRequest) -> Document:
    """The document. The name of a sheet is a heading; its rows follow, with cells separated by " | "."""
    from openpyxl import load_workbook

    _check_parts(request)
    builder = TextBuilder()
    book = load_workbook(BytesIO(request.data), read_only=True, data_only=True, keep_links=False)
    try:
        for sheet in book.worksheets:
            if sheet.sheet_state == "visible":
                _add_sheet(builder, sheet)
    finally:
        book.close()
    return builder.document(request, "xlsx", request.stem)


def _check_parts(request: ReadRequest) -> None:
    """Unpack every XML part once within the limits, and refuse parts that declare entities."""
    with open_zip(request) as archive:
        for info in archive.infolist():
            if info.filename.endswith((".xml", ".rels")):
                data = read_member(request, archive, info, request.name)
                if b"<!DOCTYPE" in data[:4096] or b"<!ENTITY" in data:
                    advice = f"{info.filename} declares a document type; save it again with Excel"
                    raise request.failure("damaged", advice)


def _add_sheet(builder: TextBuilder, sheet: Any) -> None:
    sheet.reset_dimensions()
    between = PARAGRAPH_BREAK
    has_heading = False
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        line = " | ".join(map(_shown, row)).rstrip(" |")
        if not line.strip(" |"):
            continue
        if not has_heading:
            builder.add(sheet.title, place=sheet.title, level=1)
            has_heading = True
        builder.add(line, place=f"{sheet.title}, row {number}", between=between)
        between = LINE_BREAK


def _shown(value: Any) -> str:
    """The value of a cell: dates in ISO form, whole numbers without a point, text on one line."""
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
