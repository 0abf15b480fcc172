"""What holds for every segmenter, and the segmenters by name."""

import pytest
from hypothesis import given, settings

from pincite.errors import UsageError
from pincite.segment import (
    SEGMENTERS,
    FixedCharacters,
    RecursiveCharacters,
    Segmenter,
    SentenceWindows,
    WordWindows,
    segmenter,
)
from tests.segment.properties import HARD, WILD, check

EVERY = [
    WordWindows(),
    WordWindows(7, 3),
    WordWindows(1, 1),
    SentenceWindows(),
    SentenceWindows(across_lines=True),
    SentenceWindows(10, 5),
    SentenceWindows(3, 1),
    FixedCharacters(),
    FixedCharacters(9, 4),
    RecursiveCharacters(),
    RecursiveCharacters(11),
]


@pytest.mark.parametrize("cut", EVERY, ids=repr)
@given(text=WILD)
@settings(max_examples=60, deadline=None)
def test_offsets_order_and_cover_hold_on_wild_text(cut: Segmenter, text: str) -> None:
    check(cut, text)


@pytest.mark.parametrize("cut", EVERY, ids=repr)
@pytest.mark.parametrize("name", HARD)
def test_offsets_order_and_cover_hold_on_hard_text(cut: Segmenter, name: str) -> None:
    check(cut, HARD[name])


def test_segmenters_are_made_by_name_and_a_wrong_name_lists_them() -> None:
    assert {segmenter(name).name for name in SEGMENTERS} == set(SEGMENTERS)
    assert segmenter("words") == WordWindows(500, 250)
    assert segmenter("sentences", 10, 5) == SentenceWindows(10, 5)
    with pytest.raises(UsageError, match="characters, clauses, recursive, sentences, words"):
        segmenter("paragraphs")


@pytest.mark.parametrize(
    "make",
    [
        lambda: WordWindows(5, 6),
        lambda: WordWindows(0, 0),
        lambda: SentenceWindows(2, 3),
        lambda: FixedCharacters(5, 5),
        lambda: RecursiveCharacters(0),
    ],
)
def test_settings_that_would_lose_text_are_refused(make: object) -> None:
    with pytest.raises(UsageError):
        make()  # type: ignore[operator]
