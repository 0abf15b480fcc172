"""What every retriever must do. Inherit `RetrieverSuite`; give it a fixture `retriever` that has no collection yet."""

import pytest

from pincite.errors import PinciteError, UsageError
from pincite.retrieve import Retriever
from pincite.segment import SentenceWindows
from pincite.testing.documents import ALL, NDA
from pincite.text import Collection, Filter

QUESTIONS = ("rent of the safe", "cost of a product recall", "keep one copy")


class RetrieverSuite:
    """Exact hits, a stable order, filters, and clear errors."""

    lexical = False
    """Whether the retriever returns only passages that share a term with the query."""

    @pytest.fixture
    def ready(self, retriever: Retriever) -> Retriever:
        retriever.index(Collection.build(ALL, SentenceWindows(size=1, stride=1)))
        return retriever

    def test_a_retriever_without_a_collection_says_so(self, retriever: Retriever) -> None:
        with pytest.raises(PinciteError, match=r"call index\(collection\) first"):
            retriever.search("rent")

    def test_hits_are_exact_ranked_and_carry_their_parts(self, ready: Retriever) -> None:
        for question in QUESTIONS:
            hits = ready.search(question, 5)
            assert hits
            assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
            assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
            for hit in hits:
                assert hit.text == hit.document.text[hit.start : hit.end]
                assert hit.parts

    def test_many_questions_are_answered_as_each_alone(self, ready: Retriever) -> None:
        assert ready.search_many(QUESTIONS, 5) == [ready.search(question, 5) for question in QUESTIONS]

    def test_a_filter_narrows_the_documents(self, ready: Retriever) -> None:
        hits = ready.search("the recipient shall keep the rent", 5, Filter(documents=(NDA.id,)))
        assert {hit.document_id for hit in hits} == {NDA.id}

    def test_the_order_of_documents_changes_nothing(self, ready: Retriever, retriever: Retriever) -> None:
        before = {question: [hit.passage for hit in ready.search(question, 5)] for question in QUESTIONS}
        retriever.index(Collection.build(reversed(ALL), SentenceWindows(size=1, stride=1)))
        for question, passages in before.items():
            assert [hit.passage for hit in retriever.search(question, 5)] == passages

    def test_k_must_be_positive_and_may_exceed_what_there_is(self, ready: Retriever) -> None:
        with pytest.raises(UsageError, match="k must be at least 1"):
            ready.search("rent", 0)
        assert len(ready.search("rent", 10_000)) <= 10_000

    def test_an_unknown_word_or_nothing_finds_nothing_by_words(self, ready: Retriever) -> None:
        assert ready.search("") == []
        if self.lexical:
            assert ready.search("xylophone") == []
