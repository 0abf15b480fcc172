"""The registry of formats: every row is complete, and everything that lists formats is derived from it."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from pincite.documents import formats, read_file, recognition
from pincite.documents.formats import (
    CONTAINERS,
    FORMATS,
    SUFFIX_FORMATS,
    FileFormat,
    container_of,
    format_of_suffix,
)
from pincite.documents.request import ReadRequest
from pincite.text import Document
from tests.conftest import ROOT
from tests.documents.sample_files import FILES, OLD_WORD

ROWS = list(FORMATS.values())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_format_has_a_reader_that_can_be_imported(row: FileFormat) -> None:
    reader = row.load_reader()
    assert callable(reader)
    assert reader.__module__ == row.reader.partition(":")[0]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_format_has_lower_case_suffixes(row: FileFormat) -> None:
    assert row.suffixes
    assert all(re.fullmatch(r"\.[a-z0-9]+", suffix) for suffix in row.suffixes)


def test_names_and_suffixes_are_unique() -> None:
    suffixes = [suffix for row in ROWS for suffix in row.suffixes]
    assert len(set(suffixes)) == len(suffixes) == len(SUFFIX_FORMATS)
    assert all(name == row.name for name, row in FORMATS.items())


def test_formats_that_share_a_packing_differ_in_their_members() -> None:
    packed = [(row.packing.name, row.members) for row in ROWS if row.name in CONTAINERS]
    assert len(set(packed)) == len(packed)


def test_every_format_has_a_sample() -> None:
    assert {SUFFIX_FORMATS[Path(name).suffix] for name in FILES} | {"doc", "wpd"} == set(FORMATS)


@pytest.mark.parametrize(("name", "data"), [*FILES.items(), ("a.doc", OLD_WORD)], ids=lambda value: str(value)[:10])
def test_the_first_bytes_show_the_packing(name: str, data: bytes) -> None:
    row = format_of_suffix(Path(name).suffix)
    assert row is not None
    assert container_of(data[:1024]) == row.packing.name == CONTAINERS.get(row.name, "text")


def test_a_suffix_without_a_format() -> None:
    assert format_of_suffix(".png") is None


def test_the_documentation_lists_every_suffix() -> None:
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    table = page.split("\n\n")[2]
    assert set(re.findall(r"`(\.[a-z]+)`", table)) == set(SUFFIX_FORMATS)


def read_ticket(request: ReadRequest) -> Document:
    """A reader for the test below."""
    return Document(request.document_id, request.data.decode().removeprefix("TICKET:"))


def test_a_new_format_is_one_reader_and_one_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    row = FileFormat(
        "ticket", (".tkt",), f"{__name__}:read_ticket", replace(formats.RTF, name="tkt", signatures=(b"TICKET:",))
    )
    monkeypatch.setitem(FORMATS, "ticket", row)
    monkeypatch.setitem(SUFFIX_FORMATS, ".tkt", "ticket")
    monkeypatch.setattr(formats, "PACKINGS", (*formats.PACKINGS, row.packing))
    path = tmp_path / "a.tkt"
    path.write_bytes(b"TICKET:The rent is due.")
    assert recognition.recognise(ReadRequest(path.read_bytes(), "a.tkt", "a")) == row
    assert read_file(path, "a").documents[0].text == "The rent is due."
