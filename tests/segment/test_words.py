"""Windows of words."""

from pathlib import Path

import pytest

from pincite.documents import read_folder
from pincite.segment import WordWindows
from pincite.text import Collection, Document


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


@pytest.mark.data
def test_contractnli_gives_the_seeds_563_passages(data: Path) -> None:
    documents = read_folder(data / "legalbench-rag" / "corpus" / "contractnli").documents
    assert len(documents) == 95
    assert len(Collection.build(documents, WordWindows())) == 563
