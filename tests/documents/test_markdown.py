"""Markdown: the text is kept as it is, and headings are recorded."""

from pincite.documents.read import read_bytes
from tests.documents.sample_files import FILES


def test_the_text_is_kept_and_has_headings() -> None:
    document = read_bytes(FILES["a.md"], "a.md", "a.md").documents[0]
    assert document.text.encode() == FILES["a.md"]
    assert document.source.headings == ((0, 1), (9, 2))
    assert document.title == "Lease"
