"""Workbooks: visible sheets, one line per row."""

import pytest

from pincite.documents import Unreadable
from pincite.documents.read import read_bytes
from tests.documents.offices import packed
from tests.documents.sample_files import FILES


def test_sheets_and_rows() -> None:
    document = read_bytes(FILES["a.xlsx"], "a.xlsx", "a.xlsx").documents[0]
    assert document.text == (
        "Fees\n\nItem | Fee | From\nWork | 10 | 2020-03-01\nHalf | 0.5 | 2020-03-01 09:30 | TRUE\n\nNames\n\nAcme Ltd"
    )
    assert document.place_at(document.text.index("Work")) == "Fees, row 3"
    assert [level for _, level in document.source.headings] == [1, 1]


def test_a_part_that_declares_entities_is_refused() -> None:
    data = packed({"[Content_Types].xml": "<Types/>", "xl/workbook.xml": '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'})
    with pytest.raises(Unreadable, match=r"xl/workbook\.xml declares a document type") as caught:
        read_bytes(data, "a.xlsx", "a.xlsx")
    assert caught.value.reason == "damaged"
