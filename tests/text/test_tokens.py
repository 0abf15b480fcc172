"""The seeds' tokens, and sentences as legal text has them."""

import pytest

from pincite.text.sentences import sentence_spans
from pincite.text.stopwords import GLASGOW_ENGLISH, NLTK_ENGLISH
from pincite.text.tokens import content_words, word_pairs, words


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The Parties' NDA.", ["the", "parties", "nda"]),
        ("non-disclosure", []),  # Treebank keeps it whole, and a hyphen is no letter: so the seeds lose it
        ("Section 7.2(b)", ["section", "b"]),
        ("can't", ["ca"]),
        ("one.\ntwo.", ["one", "two"]),  # a full stop ends a word only at the end of a sentence
        ("\ufeffTitle", ["title"]),
        ("", []),
        ("§ 1 ©", ["1"]),
    ],
)
def test_words_are_treebanks_letters_and_digits(text: str, tokens: list[str]) -> None:
    assert words(text) == tokens


def test_stop_words_are_the_two_known_lists() -> None:
    assert (len(NLTK_ENGLISH), len(GLASGOW_ENGLISH)) == (179, 318)
    assert content_words("what is the term of this agreement") == ["term", "agreement"]


def test_pairs_step_over_stop_words_as_scikit_learn_does() -> None:
    assert word_pairs("Term of the Agreement") == ["term", "agreement", "term agreement"]


@pytest.mark.parametrize(
    ("text", "across", "sentences"),
    [
        ("Rent is due. Pets are not.", False, ["Rent is due.", "Pets are not."]),
        ("See 12 F.3d 45 (2d Cir. 1999). It holds.", False, ["See 12 F.3d 45 (2d Cir. 1999).", "It holds."]),
        ("a line\nanother line", False, ["a line", "another line"]),
        ("a line\nanother line", True, ["a line\nanother line"]),
        ("one\n \ntwo", True, ["one", "two"]),
        ("\ufeff  Title \n\n", False, ["Title"]),
        (" \n\t\n", False, []),
        ("", True, []),
    ],
)
def test_sentences_have_exact_edges(text: str, across: bool, sentences: list[str]) -> None:
    assert [text[start:end] for start, end in sentence_spans(text, across_lines=across)] == sentences
