"""One question asked of many documents: rows in order, and what counts as an answer."""

from collections.abc import Iterator, Sequence

import pytest

from pincite.compare import ComparisonRow, comparison
from pincite.compare.comparison import AT_ONCE, COMPARED_DEPTH, shallow
from pincite.errors import NotFoundError
from pincite.index import Index
from pincite.models.reranker import OnnxReranker
from pincite.search.answer import LIKELY
from pincite.text import Document, Hit

QUESTION = "May the tenant keep pets?"
TEXTS = {
    "quay": "LEASE\n\nThe rent is due monthly.\n\nThe tenant shall not keep pets in the flat.",
    "secret": "NON-DISCLOSURE AGREEMENT\n\nEach party shall keep the Confidential Information secret.",
    "mill": "LEASE OF A MILL\n\nThe tenant may keep pets with the consent of the landlord.",
}


@pytest.fixture(scope="module")
def index() -> Iterator[Index]:
    with Index.create(":memory:") as found:
        for name, text in TEXTS.items():
            found.add_text(name, text, metadata={"kind": "lease" if "LEASE" in text else "nda"}, vectors="none")
        yield found


def test_every_document_has_a_row_and_those_without_an_answer_come_last(index: Index) -> None:
    told: list[tuple[int, int]] = []
    rows = index.compare(QUESTION, progress=lambda done, total: told.append((done, total)))
    assert [row.document for row in rows] == ["quay", "mill", "secret"]
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert [row.found is not None and "pets" in row.found.text for row in rows] == [True, True, False]
    for row in rows:
        assert row.hit is None or row.hit.document_id == row.document
        assert row.likelihood is not None


def test_passages_of_several_documents_are_read_together_and_shared_ones_once() -> None:
    shared = "The tenant shall not keep pets in the flat without the consent of the landlord."
    with Index.create(":memory:") as found:
        for at in range(AT_ONCE + 3):
            found.add_text(f"lease {at}", f"LEASE {at}\n\n{shared}\n\nThe rent is {at + 1} pounds.", vectors="none")
        one = list(each(found, 1))
        read = Reads()
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(OnnxReranker, "scores", read.scores)
            many = list(each(found, AT_ONCE))
    assert many == one
    assert len(read.calls) == 2  # eight documents, then three
    assert sum(shared in passage for passage in read.calls[0]) == 1


class Reads:
    """Notes what the re-ranker reads."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []
        actual = OnnxReranker.scores

        def scores(reranker: OnnxReranker, question: str, passages: Sequence[str]) -> object:
            self.calls.append(list(passages))
            return actual(reranker, question, passages)

        self.scores = scores


def each(index: Index, at_once: int) -> Iterator[dict[str, object]]:
    """The rows where so many documents are read together."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(comparison, "AT_ONCE", at_once)
        yield from (row.to_dict() for row in index.compare(QUESTION))


def test_a_filter_narrows_the_rows(index: Index) -> None:
    assert [row.document for row in index.compare(QUESTION, where={"kind": "lease"})] == ["quay", "mill"]
    assert [row.document for row in index.compare(QUESTION, where={"document": "mil"})] == ["mill"]
    with pytest.raises(NotFoundError):
        index.compare(QUESTION, where={"document": "no such thing"})


def test_without_the_re_ranker_the_best_passage_counts_as_found(index: Index) -> None:
    for row in index.compare(QUESTION, fast=True):
        assert row.likelihood is None
        assert row.found is row.hit


def test_a_row_whose_hit_is_unlikely_is_empty() -> None:
    hit = Hit.of(Document("quay", TEXTS["quay"]), (0, 5), (), 1.0, 1, {})
    likely, unlikely = ComparisonRow("quay", "LEASE", hit, LIKELY), ComparisonRow("quay", "LEASE", hit, LIKELY - 0.01)
    assert likely.to_dict()["hit"] == hit.to_dict()
    assert unlikely.to_dict()["hit"] is None
    assert unlikely.to_dict()["likelihood"] == LIKELY - 0.01
    assert unlikely.hit is hit


def test_the_re_ranker_reads_fewer_passages_of_each_document(index: Index) -> None:
    from pincite.pipeline import method

    rerank = method("default").rerank
    assert rerank is not None
    assert shallow(rerank.load(None)).depth == COMPARED_DEPTH
