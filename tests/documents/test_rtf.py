"""Rich text: paragraphs without their formatting, and tables as rows."""

import pytest

from pincite.documents.read import read_bytes
from pincite.documents.rtf import open_groups
from tests.documents.sample_files import FILES


def test_paragraphs() -> None:
    assert read_bytes(FILES["a.rtf"], "a.rtf", "a.rtf").documents[0].text == "LEASE\n\nThe rent is due é monthly."


def test_the_rows_of_a_table_follow_each_other() -> None:
    rows = rb"\trowd a\cell b\cell\row \trowd c\cell d\cell\row "
    document = read_bytes(rb"{\rtf1 Fees\par " + rows + rb"\pard End\par}", "a.rtf", "a.rtf").documents[0]
    assert document.text == "Fees\n\na | b\nc | d\n\nEnd"


@pytest.mark.parametrize("cut", [1, 10, 21])
def test_a_file_that_is_cut_off_says_so(cut: int) -> None:
    whole = rb"{\rtf1 {\b LEASE}\par The rent is due \{monthly\}.\par}"
    assert read_bytes(whole, "a.rtf", "a.rtf").notes == ()
    (note,) = read_bytes(whole[:-cut], "a.rtf", "a.rtf").notes
    assert note == "a.rtf: ends inside 1 open groups: the end of the file is missing; copy it again"


def test_braces_inside_binary_data_do_not_count() -> None:
    assert open_groups(r"{\rtf1 {\pict\bin3 {{{} Rent}") == 0
