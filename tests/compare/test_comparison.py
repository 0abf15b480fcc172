"""One question asked of many documents: rows in order, and what counts as an answer."""

from collections.abc import Iterator

import pytest

from pincite.compare import ComparisonRow
from pincite.compare.comparison import COMPARED_DEPTH, shallow
from pincite.errors import NotFoundError
from pincite.index import Index
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


def test_every_document_has_a_row_in_the_order_in_which_it_was_added(index: Index) -> None:
    told: list[tuple[int, int]] = []
    rows = index.compare(QUESTION, progress=lambda done, total: told.append((done, total)))
    assert [row.document for row in rows] == list(TEXTS)
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert [row.found is not None and "pets" in row.found.text for row in rows] == [True, False, True]
    for row in rows:
        assert row.hit is None or row.hit.document_id == row.document
        assert row.likelihood is not None


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
    assert unlikely.to_dict() == {"document": "quay", "title": "LEASE", "likelihood": LIKELY - 0.01, "hit": None}
    assert unlikely.hit is hit


def test_the_re_ranker_reads_fewer_passages_of_each_document(index: Index) -> None:
    from pincite.pipeline import method

    rerank = method("default").rerank
    assert rerank is not None
    assert shallow(rerank.load(None)).depth == COMPARED_DEPTH
