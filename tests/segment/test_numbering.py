"""The numbers of legal drafting."""

import pytest

from pincite.segment.numbering import mark_of


@pytest.mark.parametrize(
    ("text", "level", "number"),
    [
        ("ARTICLE III THE MERGER", 0, "ARTICLE III"),
        ("Section 7.2 Fees", 2, "Section 7.2"),
        ("1. Term", 1, "1."),
        ("1.1 Term", 2, "1.1"),
        ("1.1.1 Term", 3, "1.1.1"),
        ("(a) the buyer", 4, "(a)"),
        ("(iv) the seller", 5, "(iv)"),
        ("a. the buyer", None, None),
        ("Schedule A", 0, "Schedule A"),
        ("- a bullet", 6, "-"),
        ("1997 was a year", None, None),
        ("The 1. of May", None, None),
    ],
)
def test_numbers_of_legal_drafting(text: str, level: int | None, number: str | None) -> None:
    mark = mark_of(text, 0, len(text))
    assert (mark.level if mark else None, mark.text if mark else None) == (level, number)


@pytest.mark.parametrize("line", ["[2022] UKSC 5", "[2022] EWHC 12 (Comm)", "[1998] QB 3"])
def test_a_neutral_citation_is_no_paragraph_number(line: str) -> None:
    assert mark_of(line, 0, len(line)) is None
    assert mark_of("[22] The court holds 5 things.", 0, 30) is not None
