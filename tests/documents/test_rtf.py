"""Rich text: paragraphs without their formatting, and tables as rows."""

from pincite.documents.read import read_bytes
from tests.documents.sample_files import FILES


def test_paragraphs() -> None:
    assert read_bytes(FILES["a.rtf"], "a.rtf", "a.rtf").documents[0].text == "LEASE\n\nThe rent is due é monthly."


def test_the_rows_of_a_table_follow_each_other() -> None:
    rows = rb"\trowd a\cell b\cell\row \trowd c\cell d\cell\row "
    document = read_bytes(rb"{\rtf1 Fees\par " + rows + rb"\pard End\par}", "a.rtf", "a.rtf").documents[0]
    assert document.text == "Fees\n\na | b\nc | d\n\nEnd"
