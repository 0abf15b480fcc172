"""TF-IDF equals scikit-learn's, with the choice among tied features made independent of the documents' order."""

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from pincite.documents import read_folder
from pincite.errors import UsageError
from pincite.retrieve import Tfidf, TfidfConfig
from pincite.segment import WordWindows
from pincite.text import Collection, Document
from tests.conftest import SAMPLES

QUERIES = [
    "Who pays the rent?",
    "May confidential information be disclosed to consultants?",
    "termination fee",
    "of the",
]


def test_scores_equal_scikit_learns() -> None:
    collection = Collection.build(read_folder(SAMPLES / "corpus").documents, WordWindows(100, 50))
    ours = Tfidf(TfidfConfig(max_features=10**9))
    ours.index(collection)
    vectorizer = TfidfVectorizer(ngram_range=(1, 2), stop_words="english")
    matrix = vectorizer.fit_transform(list(collection.texts()))
    for query in QUERIES:
        expected = (vectorizer.transform([query]) @ matrix.T).toarray()[0]
        assert np.abs(ours.rank(query, 10).scores - expected).max() < 1e-9


def test_at_most_so_many_features_and_never_part_of_a_tie() -> None:
    text = "\n".join(["alpha beta"] * 3 + ["gamma delta"] * 2)
    tfidf = Tfidf(TfidfConfig(max_features=4))
    tfidf.index(Collection.build([Document("a", text)], WordWindows(2, 2)))
    assert {hit.text for hit in tfidf.search("alpha beta")} == {"alpha beta"}
    assert tfidf.search("gamma") == []  # gamma, delta and their pairs tie at the cut: none of them is kept


def test_where_everything_ties_the_alphabet_decides() -> None:
    tfidf = Tfidf(TfidfConfig(max_features=2))
    tfidf.index(Collection.build([Document("a", "delta charlie bravo alpha")], WordWindows(2, 2)))
    assert [hit.text for hit in tfidf.search("alpha")] == ["bravo alpha"]


def test_a_query_without_a_known_word_finds_nothing() -> None:
    tfidf = Tfidf()
    tfidf.index(Collection.build([Document("a", "rent and pets")], WordWindows()))
    assert tfidf.search("xylophone") == tfidf.search("") == tfidf.search("the of") == []


def test_zero_features_are_refused() -> None:
    with pytest.raises(UsageError, match="at least 1 feature"):
        TfidfConfig(max_features=0)
