"""Sentences and windows of sentences."""

from pincite.segment import SentenceWindows
from pincite.text import Document


def test_short_sentences_join_a_neighbour() -> None:
    text = "1.\nThe term is two years. Yes.\nSigned here by both parties.\nBy:"
    assert [text[p.start : p.end] for p in SentenceWindows()(Document("d", text))] == [
        "1.\nThe term is two years.",
        "Yes.\nSigned here by both parties.\nBy:",
    ]


def test_a_text_of_two_words_is_still_a_passage() -> None:
    assert [(p.start, p.end) for p in SentenceWindows()(Document("d", " Hello there "))] == [(1, 12)]
