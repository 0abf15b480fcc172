"""The smaller formats, how a format is told, and what holds for all of them."""

import random
import shutil
import subprocess
import sys
from datetime import datetime
from io import BytesIO
from pathlib import Path

import pytest
from openpyxl import Workbook

from pincite.documents.failures import REASONS, Unreadable
from pincite.documents.formats import sniff
from pincite.documents.limits import Limits
from pincite.documents.read import read_bytes, read_file
from pincite.documents.request import ReadRequest
from pincite.text import Document
from tests.documents.offices import compound, docx, msg, p, packed, table
from tests.documents.pdfs import PROSE, lines, pdf, wrapped


def workbook() -> bytes:
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


RTF = rb"{\rtf1\ansi{\fonttbl{\f0 Arial;}}\f0 LEASE\par The rent is \b due\b0  \'e9 monthly.\par}"
MARKDOWN = b"# Lease\n\nRent\n----\n\n```\n# no\n```\n\nDue monthly.\n"
MAIL = b"From: a@b.example\r\nTo: c@d.example\r\nSubject: Rent\r\nDate: Tue, 3 Mar 2020 09:15:00 +0100\r\n\r\nIt is due.\r\n"
FILES = {
    "a.txt": b"\xef\xbb\xbfLEASE\r\nThe rent is due.",
    "a.md": MARKDOWN,
    "a.rtf": RTF,
    "a.html": b"<html><body><h1>Lease</h1><ol><li>Rent.</li></ol></body></html>",
    "a.xlsx": workbook(),
    "a.docx": docx(p("Lease") + table([p("a"), p("b")]) + p("Rent\x0bis due".replace("\x0b", " "))),
    "a.pdf": pdf(lines(*wrapped(PROSE * 2, 430)), lines(), lines("Page two.")),
    "a.eml": MAIL,
    "a.msg": msg("Rent", "It is due.", "a@b.example", "c@d.example", 1_583_223_300),
    "a.zip": packed({"in/b.txt": "Rent.", "in/c.md": "# Rent"}),
}


def one(name: str, data: bytes) -> Document:
    return read_bytes(data, name, name).documents[0]


def test_rtf() -> None:
    assert one("a.rtf", RTF).text == "LEASE\n\nThe rent is due é monthly."


def test_markdown_is_kept_as_it_is_and_has_headings() -> None:
    document = one("a.md", MARKDOWN)
    assert document.text.encode() == MARKDOWN
    assert document.source.headings == ((0, 1), (9, 2))
    assert document.title == "Lease"


def test_xlsx() -> None:
    document = one("a.xlsx", FILES["a.xlsx"])
    assert document.text == (
        "Fees\n\nItem | Fee | From\nWork | 10 | 2020-03-01\nHalf | 0.5 | 2020-03-01 09:30 | TRUE\n\nNames\n\nAcme Ltd"
    )
    assert document.place_at(document.text.index("Work")) == "Fees, row 3"
    assert [level for _, level in document.source.headings] == [1, 1]


def test_utf16_text() -> None:
    assert one("a.txt", "Café\r\nRent".encode("utf-16")).text == "Café\nRent"


@pytest.mark.parametrize("name", FILES)
def test_a_format_is_told_by_its_content(name: str) -> None:
    form = name.split(".")[1].replace("md", "markdown").replace("txt", "text")
    assert sniff(ReadRequest(FILES[name], name, name)) == form
    if form not in ("markdown", "text", "html", "eml"):
        assert sniff(ReadRequest(FILES[name], "x.bin", "x")) == form


@pytest.mark.parametrize(
    ("data", "name", "form"),
    [
        (FILES["a.pdf"], "b.docx", "pdf"),
        (FILES["a.docx"], "b.pdf", "docx"),
        (FILES["a.rtf"], "b.doc", "rtf"),
        (FILES["a.html"], "b.doc", "html"),
        (b"Just text.", "b.pdf", "text"),
        (b"MIME-Version: 1.0\nSubject: x\n\nBody.", "b.dat", "eml"),
    ],
)
def test_a_wrong_suffix_is_read_by_content_and_noted(data: bytes, name: str, form: str) -> None:
    reading = read_bytes(data, name, name)
    assert reading.documents[0].source.reader == form
    noted = [f"named .{name.split('.')[1]}, but its content is {form}" in note for note in reading.notes]
    assert noted == ([] if name.endswith(".dat") else [True])


def test_a_text_file_is_never_taken_for_something_else() -> None:
    for data in (b"<html><body>Terms</body></html>", b"From: a\nTo: b\nMIME-Version: 1.0\n\nMemo"):
        assert one("memo.txt", data).text.encode() == data


@pytest.mark.parametrize(
    ("data", "name", "reason", "says"),
    [
        (b"", "a.txt", "empty", "no bytes"),
        (b" \r\n\t", "a.pdf", "empty", "white space"),
        (b"\xef\xbb\xbf \n", "a.txt", "empty", "white space"),
        (b"\x89PNG\r\n\x1a\n\0\0", "a.png", "unknown format", r"picture \(PNG\)"),
        (b"MZ\x90\0\x03", "a.exe", "unknown format", "a program"),
        (packed({"[Content_Types].xml": "", "ppt/presentation.xml": ""}), "a.pptx", "unknown format", "presentation"),
        (packed({"mimetype": "x", "content.xml": "x"}), "a.odt", "unknown format", "OpenDocument"),
        (b"abc\0def", "a.txt", "unknown format", "binary"),
        (b"caf\xe9", "a.txt", "unknown format", "convert it to UTF-8"),
        (b"PK\x03\x04 broken", "a.docx", "damaged", "unpacked"),
        (FILES["a.docx"][:-200], "a.docx", "damaged", "unpacked"),
        (compound({"Workbook": b"x"}), "a.xls", "unknown format", "xlsx"),
        (compound({"EncryptedPackage": b"x"}), "a.docx", "encrypted", "password"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 broken", "a.doc", "damaged", "copy it again"),
        (packed({}), "a.zip", "empty", "nothing"),
    ],
)
def test_what_cannot_be_read_says_so(data: bytes, name: str, reason: str, says: str) -> None:
    with pytest.raises(Unreadable, match=rf"^docs/{name}: .*{says}") as caught:
        read_bytes(data, f"docs/{name}", name)
    assert caught.value.reason == reason


def test_an_old_doc_needs_libreoffice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Unreadable, match=r"install LibreOffice, or save it as \.docx") as caught:
        one("a.doc", compound({"WordDocument": b"x" * 5000}))
    assert caught.value.reason == "not installed"


@pytest.mark.skipif(sys.platform == "win32", reason="puts a shell script in LibreOffice's place")
@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ('while [ "$1" != --outdir ]; do shift; done; mkdir -p "$2"; cp "$CONVERTED" "$2/in.docx"', None),
        ("echo no such filter >&2; exit 1", "damaged"),
        ("sleep 20", "took too long"),
    ],
)
def test_an_old_doc_is_converted_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, reason: str | None
) -> None:
    (tmp_path / "converted.docx").write_bytes(docx(p("An old lease.")))
    (tmp_path / "soffice").write_text(f"#!/bin/sh\n{script}\n")
    (tmp_path / "soffice").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("CONVERTED", str(tmp_path / "converted.docx"))
    data = compound({"WordDocument": b"x" * 5000})
    if reason is None:
        document = one("a.doc", data)
        assert (document.text, document.source.reader) == ("An old lease.", "doc")
        return
    with pytest.raises(Unreadable, match=r"^a\.doc: LibreOffice") as caught:
        read_bytes(data, "a.doc", "a.doc", Limits(seconds=1))
    assert caught.value.reason == reason


def check(document: Document) -> None:
    """What holds for every document of every format."""
    text, source = document.text, document.source
    assert text.strip()
    assert document.title
    assert "\n" not in document.title
    assert len(document.title) <= 120
    assert not [char for char in text if ord(char) < 32 and char not in "\n\t"]
    assert list(source.page_starts) == sorted(source.page_starts)
    assert all(0 <= start <= len(text) for start in source.page_starts)
    assert list(source.headings) == sorted(source.headings)
    assert [start for start, _ in source.places] == sorted(start for start, _ in source.places)
    for start in [start for start, _ in source.headings] + [start for start, _ in source.places]:
        assert 0 <= start < len(text)
        assert not text[start].isspace()
    if source.boxes is not None:
        assert len(source.boxes.edges()) == len(text)
    if source.reader not in ("text", "markdown"):
        assert text == text.strip()
        assert " \n" not in text
        assert "\n\n\n" not in text


@pytest.mark.parametrize("name", FILES)
def test_what_holds_for_every_format(name: str) -> None:
    reading = read_bytes(FILES[name], name, name)
    assert reading.documents
    assert not reading.failures
    for document in reading.documents:
        check(document)
        assert document.source.path.startswith(name)


@pytest.mark.parametrize("name", FILES)
def test_a_broken_file_gives_documents_or_a_reason_and_nothing_else(name: str) -> None:
    """Bytes cut off, overwritten or doubled: a reader may fail, but only in the agreed way."""
    chance = random.Random(name)
    for _ in range(25):
        data = bytearray(FILES[name])
        for _ in range(chance.randint(1, 8)):
            at = chance.randrange(len(data))
            data[at] = chance.randrange(256)
        if chance.random() < 0.5:
            del data[chance.randrange(1, len(data)) :]
        try:
            reading = read_bytes(bytes(data), name, name, ocr=False)
        except Unreadable as error:
            failures: tuple[Unreadable, ...] = (error,)
            documents: tuple[Document, ...] = ()
        else:
            failures, documents = reading.failures, reading.documents
        assert failures or documents
        for failure in failures:
            assert failure.reason in REASONS
            assert str(failure).startswith(name)
        for document in documents:
            if document.source.reader not in ("text", "markdown"):
                check(document)


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("soffice"), reason="LibreOffice is not installed")
def test_an_old_word_file_is_read_by_libreoffice(tmp_path: Path) -> None:
    source = tmp_path / "lease.html"
    source.write_text("<html><body><h1>Lease</h1><ol><li>The rent is due.</li><li>No pets.</li></ol></body></html>")
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    for made, form in ((source, "odt:writer8"), (tmp_path / "lease.odt", "doc:MS Word 97")):
        subprocess.run(
            ["soffice", "--headless", profile, "--convert-to", form, "--outdir", str(tmp_path), str(made)],
            check=True,
            capture_output=True,
            timeout=120,
        )
    document = read_file(tmp_path / "lease.doc", "lease.doc").documents[0]
    assert document.source.reader == "doc"
    assert [line for line in document.text.split("\n") if line] == ["Lease", "1. The rent is due.", "2. No pets."]
