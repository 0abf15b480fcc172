"""What every segmenter promises, on wild text, and what each one does on plain text."""

import string
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
from pincite.text import Document

WILD = st.text(
    st.one_of(
        st.sampled_from(list(" \t\n\r.;:!?()\"'\ufeff\u00a0\u2028\u0301\u200d👩‍⚖️§¶")),
        st.sampled_from(string.ascii_letters + string.digits),
        st.characters(),
    ),
    max_size=400,
)
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
HARD = {
    "empty": "",
    "blank": " \n\t\r\n\ufeff ",
    "one word": "word",
    "mixed newlines": "one\r\ntwo\rthree\n\n\nfour. Five six seven.\tEight",
    "combining": "e\u0301te\u0301 " * 50,
    "emoji": "👩‍⚖️ says: ⚖️. " * 80,
    "a megabyte without a space": "x" * 1_000_000,
    "a megabyte of dots": "." * 1_000_000,
    "many short lines": "a\n" * 5_000,
}


def is_blank(text: str) -> bool:
    return all(character.isspace() or character == "\ufeff" for character in text)


def check(cut: Segmenter, text: str) -> None:
    document = Document("d", text)
    passages = list(cut(document))
    covered = [False] * len(text) if len(text) < 10_000 else None
    for passage in passages:
        assert passage.document_id == "d"
        assert 0 <= passage.start < passage.end <= len(text)
        assert not is_blank(text[passage.start : passage.end]) or isinstance(cut, FixedCharacters | RecursiveCharacters)
        if covered is not None:
            covered[passage.start : passage.end] = [True] * passage.length
    assert all(left.start < right.start or left.end < right.end for left, right in pairwise(passages))
    assert [p.start for p in passages] == sorted(p.start for p in passages)
    if cut.covers and covered is not None:
        assert all(seen or is_blank(text[at]) for at, seen in enumerate(covered))
    if cut.covers and not is_blank(text):
        assert passages


@pytest.mark.parametrize("cut", EVERY, ids=repr)
@given(text=WILD)
@settings(max_examples=60, deadline=None)
def test_offsets_order_and_cover_hold_on_wild_text(cut: Segmenter, text: str) -> None:
    check(cut, text)


@pytest.mark.parametrize("cut", EVERY, ids=repr)
@pytest.mark.parametrize("name", HARD)
def test_offsets_order_and_cover_hold_on_hard_text(cut: Segmenter, name: str) -> None:
    check(cut, HARD[name])


@pytest.mark.parametrize(
    ("words", "size", "step", "windows"),
    [
        (0, 4, 2, []),
        (3, 4, 2, [(0, 3)]),
        (4, 4, 2, [(0, 4)]),
        (5, 4, 2, [(0, 4), (2, 5)]),
        (6, 4, 2, [(0, 4), (2, 6)]),
        (9, 4, 4, [(0, 4), (4, 8), (8, 9)]),
    ],
)
def test_the_last_window_of_words_ends_at_the_last_word(
    words: int, size: int, step: int, windows: list[tuple[int, int]]
) -> None:
    text = " ".join(f"w{number}" for number in range(words))
    found = [text[p.start : p.end].split() for p in WordWindows(size, step)(Document("d", text))]
    assert [(int(w[0][1:]), int(w[-1][1:]) + 1) for w in found] == windows


def test_short_sentences_join_a_neighbour() -> None:
    text = "1.\nThe term is two years. Yes.\nSigned here by both parties.\nBy:"
    assert [text[p.start : p.end] for p in SentenceWindows()(Document("d", text))] == [
        "1.\nThe term is two years.",
        "Yes.\nSigned here by both parties.\nBy:",
    ]


def test_a_text_of_two_words_is_still_a_passage() -> None:
    assert [(p.start, p.end) for p in SentenceWindows()(Document("d", " Hello there "))] == [(1, 12)]


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


@pytest.mark.data
def test_contractnli_gives_the_seeds_563_passages(data: object) -> None:
    from pathlib import Path

    from pincite.documents import read_folder
    from pincite.text import Collection

    documents = read_folder(Path(str(data)) / "legalbench-rag" / "corpus" / "contractnli").documents
    assert len(documents) == 95
    assert len(Collection.build(documents, WordWindows())) == 563
