"""Reading a file of any format: what holds for all documents, and how unreadable files are reported."""

import random
from pathlib import Path

import pytest

from pincite.documents.failures import REASONS, Unreadable
from pincite.documents.limits import Limits
from pincite.documents.read import read_bytes, read_file
from pincite.text import Document
from tests.documents.offices import compound, packed
from tests.documents.sample_files import FILES


@pytest.mark.parametrize(
    ("data", "name", "reason", "says"),
    [
        (b"", "a.txt", "empty", "no bytes"),
        (b" \r\n\t", "a.pdf", "empty", "white space"),
        (b"\xef\xbb\xbf \n", "a.txt", "empty", "white space"),
        (b"\x89PNG\r\n\x1a\n\0\0", "a.png", "unknown format", r"picture \(PNG\)"),
        (b"MZ\x90\0\x03", "a.exe", "unknown format", "a program"),
        (packed({"[Content_Types].xml": "", "ppt/presentation.xml": ""}), "a.pptx", "unknown format", "presentation"),
        (packed({"[Content_Types].xml": "", "visio/document.xml": ""}), "a.vsdx", "unknown format", "unknown kind"),
        (packed({"mimetype": "x", "content.xml": "x"}), "a.odt", "unknown format", "OpenDocument"),
        (b"abc\0def", "a.txt", "unknown format", "binary"),
        ("é, “q”, § 5".encode() + b"\xff", "a.txt", "unknown format", r"byte 17: 0xff\); convert it to UTF-8"),
        (b"\xff", "a.txt", "unknown format", "convert it to UTF-8"),
        (b"PK\x03\x04 broken", "a.docx", "damaged", "unpacked"),
        (FILES["a.docx"][:-200], "a.docx", "damaged", "unpacked"),
        (compound({"Workbook": b"x"}), "a.xls", "unknown format", "xlsx"),
        (compound({"Contents": b"x"}), "a.pub", "unknown format", "unknown kind"),
        (compound({"EncryptedPackage": b"x"}), "a.docx", "encrypted", "password"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 broken", "a.doc", "damaged", "copy it again"),
        (packed({}), "a.zip", "empty", "nothing"),
    ],
)
def test_an_unreadable_file_gives_a_reason_and_advice(data: bytes, name: str, reason: str, says: str) -> None:
    with pytest.raises(Unreadable, match=rf"^docs/{name}: .*{says}") as caught:
        read_bytes(data, f"docs/{name}", name)
    assert caught.value.reason == reason


def test_a_missing_file_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match=r"none\.txt: cannot be opened") as caught:
        read_file(tmp_path / "none.txt", "none")
    assert caught.value.reason == "cannot be opened"


def test_a_file_over_the_limit_is_too_large(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The rent is due.")
    with pytest.raises(Unreadable, match=r"has 16 bytes, the limit is 10; .*Limits\.file_bytes") as caught:
        read_file(tmp_path / "a.txt", "a", Limits(file_bytes=10))
    assert caught.value.reason == "too large"


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
    """Bytes are cut off or overwritten. A reader may fail, but only with `Unreadable`."""
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
