"""The text of a document in blocks, with ranges highlighted."""

import sys

import pytest

from pincite.serve.highlight import Highlight, blocks, occurrences
from pincite.text import Document, Source


@pytest.mark.parametrize(
    "marks",
    [[], [Highlight(4, 9, "hit")], [Highlight(4, 9, "hit"), Highlight(0, 30, "other-0"), Highlight(6, 20, "find-0")]],
)
def test_blocks_hold_the_whole_text(marks: list[Highlight]) -> None:
    text = "\ufeffTitle here\n\n1. The rent\n   is due.\n\n\n2. Pages\nend here."
    document = Document("a", text, source=Source(page_starts=(0, 40)))
    made = blocks(document, marks, {13: "1. The rent"})
    held = "".join(piece.text for block in made for piece in block.pieces)
    assert "".join(held.split()) == "".join(text.split())
    for block in made:
        whole = "".join(piece.text for piece in block.pieces)
        assert text[block.start : block.start + len(whole)] == whole
    assert 13 in {block.start for block in made}
    assert [block.page for block in made if block.page] == [1, 2]
    hits = [piece for block in made for piece in block.pieces if piece.kind == "hit"]
    assert "".join(piece.text for piece in hits) == (text[4:9] if marks else "")


def test_the_work_grows_with_the_text_and_no_faster() -> None:
    def calls(paragraphs: int) -> int:
        text = "\n\n".join(f"{at}. The rent of plot {at} is due." for at in range(paragraphs))
        places = occurrences(text, "rent", paragraphs)
        marks = [Highlight(start, end, f"find-{at}") for at, (start, end) in enumerate(places)]
        document = Document("a", text, source=Source(page_starts=tuple(start for start, _ in places[::8])))
        count = 0

        def counted(*_: object) -> None:
            nonlocal count
            count += 1

        sys.setprofile(counted)
        try:
            blocks(document, marks, {})
        finally:
            sys.setprofile(None)
        return count

    assert calls(800) < 2.2 * calls(400)


def test_words_are_found_whatever_the_white_space() -> None:
    assert occurrences("one\ntwo one  TWO", "one two", 9) == [(0, 7), (8, 16)]
    assert occurrences("a.c abc", "a.c", 9) == [(0, 3)]
    assert occurrences("aaa", "a", 2) == [(0, 1), (1, 2)]


def test_what_leads_into_a_passage_is_marked_apart_from_it() -> None:
    document = Document("a", "The Tenant shall pay:\n(a) rent;\n(b) interest.")
    marks = [Highlight(32, 45, "hit"), Highlight(0, 21, "lead-0")]
    [block] = blocks(document, marks, {})
    marked = [(piece.kind, piece.text) for piece in block.pieces if piece.kind]
    assert marked == [("lead", "The Tenant shall pay:"), ("hit", "(b) interest.")]


def test_words_are_found_in_time_that_grows_with_the_text_alone() -> None:
    hostile = "a " * 200_000
    assert occurrences(hostile, "a " * 90 + "b", 9) == []
    assert occurrences(f"{hostile}B", "a a\u00a0b", 9) == [(len(hostile) - 4, len(hostile) + 1)]
    assert occurrences("İ the  TENANT", "i the tenant", 9) == []
    assert occurrences("İ the  TENANT", "the tenant", 9) == [(2, 13)]
    assert occurrences("rent", " ", 9) == []
