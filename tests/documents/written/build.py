"""Makes the PDF and DOCX files of this folder from sources/ (needs chromium and python-docx).

The files that lie beside this script are what the tests read; run it only after a source has changed:

    python -m tests.documents.written.build [d02.pdf ...]
"""

import io
import re
import subprocess
import sys
import tempfile
import zipfile
from datetime import datetime
from html import unescape
from pathlib import Path

import docx
import pypdfium2
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.shared import Cm, Pt

HERE = Path(__file__).parent
SOURCES = HERE / "sources"
PDFS = ("d02", "d03", "d06", "d09", "d10")
HEADERS = {"d07": "OFFICE LEASE AGREEMENT\tCorvane / Ottoline Dental\tMerchants Exchange, Suite 410"}


def numbered(html: str) -> str:
    """The paragraphs of a judgment: PARA lines get numbers, SUB lines are indented."""
    count = 0
    lines = []
    for line in html.split("\n"):
        if line.startswith("PARA "):
            count += 1
            line = f'<p class="n">[{count}]&ensp; {line[5:]}</p>'
        elif line.startswith("SUB "):
            line = f'<p class="s">{line[4:]}</p>'
        lines.append(line)
    return "\n".join(lines)


def headings(html: str) -> list[tuple[str, str]]:
    return re.findall(r'<p class="(part|h)">(.*?)</p>', html)


def contents(html: str, pages: dict[str, int]) -> str:
    """The table of contents, with a page number where one is known."""
    rows = []
    for kind, heading in headings(html):
        text = heading.replace("<br>", " ")
        dots = "." * max(8, 105 - len(unescape(text)) * (2 if kind == "part" else 1))
        indent = "" if kind == "part" else ' style="margin-left:6mm"'
        rows.append(f'<p class="toc"{indent}>{text}<i>{dots}</i>{pages.get(heading, "")}</p>')
    return html.replace("TOCHERE", "\n".join(rows))


def printed(html: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        page, pdf = Path(folder, "page.html"), Path(folder, "page.pdf")
        page.write_text(html, encoding="utf-8")
        subprocess.run(
            [
                "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-pdf-tagging",
                "--no-pdf-header-footer",
                f"--print-to-pdf={pdf}",
                page.as_uri(),
            ],
            check=True,
            capture_output=True,
        )
        data = pdf.read_bytes()
    # The producer is blanked out at the same length, so that the offsets of the cross-reference table stay right.
    for key in (b"Creator", b"Producer"):
        data = re.sub(
            rb"(/" + key + rb" \()([^)\\]*(?:\\.[^)\\]*)*)(\))", lambda m: m[1] + b" " * len(m[2]) + m[3], data
        )
    return re.sub(rb"(Date \(D:)\d{14}", rb"\g<1>20230102090000", data)


def page_numbers(data: bytes, html: str) -> dict[str, int]:
    document = pypdfium2.PdfDocument(data)
    texts = [" ".join(page.get_textpage().get_text_bounded().split()) for page in document]
    found = {}
    for _, heading in headings(html):
        start = " ".join(unescape(heading.split("<br>")[0]).split())
        found[heading] = max(number for number, text in enumerate(texts, 1) if start in text)
    return found


def pdf(name: str) -> bytes:
    html = numbered((SOURCES / f"{name}.html").read_text(encoding="utf-8"))
    if "TOCHERE" in html:
        return printed(contents(html, page_numbers(printed(contents(html, {})), html)))
    return printed(html)


def table(document: docx.document.Document, rows: list[list[str]]) -> None:
    grid = document.add_table(rows=0, cols=len(rows[0]), style="Table Grid")
    for row in rows:
        for cell, text in zip(grid.add_row().cells, row, strict=True):
            cell.text = text
    document.add_paragraph()


def word(name: str) -> bytes:
    document = docx.Document()
    document.styles["Normal"].font.name = "Times New Roman"
    document.styles["Normal"].font.size = Pt(11)
    lines = [line for line in (SOURCES / f"{name}.txt").read_text(encoding="utf-8").split("\n") if line]
    if name in HEADERS:
        document.sections[0].header.paragraphs[0].text = HEADERS[name]
    rows: list[list[str]] = []
    for line in lines:
        kind, _, text = line.partition(": ")
        if kind == "row":
            rows.append(text.split(" | "))
        elif kind == "endtable":
            table(document, rows)
            rows = []
        elif kind == "toc":
            document.add_paragraph("Contents").alignment = WD_ALIGN_PARAGRAPH.CENTER
            parts = [other[6:] for other in lines if other.startswith("part: ")]
            for number, part in enumerate(parts):
                document.add_paragraph(f"{part}\t{2 + number * 5 // len(parts)}")
        elif kind in ("h1", "h2"):
            document.add_heading(text, level=int(kind[1]))
        else:
            paragraph = document.add_paragraph()
            run = paragraph.add_run(text)
            run.bold = kind in ("title", "part", "sec")
            if kind in ("title", "part", "center"):
                paragraph.alignment = WD_ALIGN_PARAGRAPH.CENTER
            if kind == "title":
                run.font.size = Pt(16)
            if kind == "right":
                paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
            if kind == "ind":
                paragraph.paragraph_format.left_indent = Cm(1.25)
    properties = document.core_properties
    properties.author = properties.comments = properties.title = properties.last_modified_by = ""
    properties.created = properties.modified = datetime(2023, 1, 2, 9)
    buffer = io.BytesIO()
    document.save(buffer)
    return same_times(buffer)


def same_times(source: io.BytesIO) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(zipfile.ZipInfo(name), old.read(name), zipfile.ZIP_DEFLATED)
    return target.getvalue()


def main(wanted: list[str]) -> None:
    for name in (*(f"{name}.pdf" for name in PDFS), "d04.docx", "d07.docx"):
        if not wanted or name in wanted:
            stem, _, ending = name.partition(".")
            (HERE / name).write_bytes(pdf(stem) if ending == "pdf" else word(stem))


if __name__ == "__main__":
    main(sys.argv[1:])
