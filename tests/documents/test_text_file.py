"""Plain text: every character is kept, in UTF-8 or UTF-16."""

from pathlib import Path

import pytest

from pincite.documents import Unreadable, read_text_file
from pincite.documents.read import read_bytes


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("Café\r\nRent".encode(), "Café\nRent"),
        ("Café\r\nRent".encode("utf-16"), "Café\nRent"),
        (b"\xef\xbb\xbfRent", "\ufeffRent"),
    ],
)
def test_encodings(data: bytes, text: str) -> None:
    assert read_bytes(data, "a.txt", "a.txt").documents[0].text == text


def test_half_a_character_is_damaged() -> None:
    with pytest.raises(Unreadable, match="not valid UTF-16") as caught:
        read_bytes(b"\xff\xfeR\0e", "a.txt", "a.txt")
    assert caught.value.reason == "damaged"


def test_a_text_file_by_its_path(tmp_path: Path) -> None:
    (tmp_path / "lease.txt").write_text("== LEASE ==\nRent.")
    assert read_text_file(tmp_path / "lease.txt", "lease").text == "== LEASE ==\nRent."
    with pytest.raises(Unreadable, match="cannot be opened"):
        read_text_file(tmp_path / "none.txt", "none")
