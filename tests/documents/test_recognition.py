"""Recognition: the content of a file decides its format, and the suffix only where the content cannot."""

from pathlib import Path

import pytest

from pincite.documents.formats import CONTAINERS, FORMATS, SUFFIX_FORMATS
from pincite.documents.read import read_bytes
from pincite.documents.recognition import recognise
from pincite.documents.request import ReadRequest
from tests.documents.sample_files import FILES, OLD_WORD


def recognised(data: bytes, name: str) -> str:
    return recognise(ReadRequest(data, name, name)).name


@pytest.mark.parametrize(("name", "data"), [*FILES.items(), ("a.doc", OLD_WORD)], ids=lambda value: str(value)[:10])
def test_a_format_is_recognised_by_its_content(name: str, data: bytes) -> None:
    expected = SUFFIX_FORMATS[Path(name).suffix]
    assert recognised(data, name) == expected
    if expected in CONTAINERS:
        assert recognised(data, "x.bin") == expected


@pytest.mark.parametrize(
    ("data", "name", "expected"),
    [
        (FILES["a.pdf"], "b.docx", "pdf"),
        (FILES["a.docx"], "b.pdf", "docx"),
        (FILES["a.rtf"], "b.doc", "rtf"),
        (FILES["a.html"], "b.doc", "html"),
        (b"Just text.", "b.pdf", "text"),
        (b"MIME-Version: 1.0\nSubject: x\n\nBody.", "b.dat", "eml"),
    ],
)
def test_a_wrong_suffix_is_read_by_content_and_noted(data: bytes, name: str, expected: str) -> None:
    reading = read_bytes(data, name, name)
    assert reading.documents[0].source.reader == expected
    noted = [f"named .{name.split('.')[1]}, but its content is {expected}" in note for note in reading.notes]
    assert noted == ([] if name.endswith(".dat") else [True])


@pytest.mark.parametrize(
    "data", [b"<html><body>Terms</body></html>", b"From: a\nTo: b\nMIME-Version: 1.0\n\nMemo", b"MZ is a name."]
)
@pytest.mark.parametrize("suffix", [suffix for suffix, name in SUFFIX_FORMATS.items() if FORMATS[name].is_plain])
def test_plain_text_is_never_taken_for_something_else(data: bytes, suffix: str) -> None:
    name = f"memo{suffix}"
    assert recognised(data, name) == SUFFIX_FORMATS[suffix]
    assert read_bytes(data, name, name).documents[0].text.encode() == data


@pytest.mark.parametrize(
    "data", [b"<!---->" * 500, b"<!--" * 900, b"<?xml " * 600, b" " * 4000 + b"<", b"<!-- -->\n" * 400 + b"<htm"]
)
def test_hostile_beginnings_take_no_longer_than_others(data: bytes) -> None:
    assert recognise(ReadRequest(data, "page", "page")).name == "text"


def test_a_page_behind_comments_is_a_page() -> None:
    assert recognise(ReadRequest(b"<!-- a > b --><!---->\n<!-- - -- -->  <HTML>Rent", "page", "page")).name == "html"
