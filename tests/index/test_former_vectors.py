"""An index whose vectors the encoder of an earlier version made: it answers by words, and its vectors are renewed."""

from dataclasses import replace
from pathlib import Path

import pytest

from pincite import Index, SearchRequest
from pincite.errors import ModelError
from pincite.index.index import FORMER_VECTORS
from pincite.serve.backend import Backend
from tests.serve.conftest import wait_until

TEXT = "LEASE OF HOUSE {}\n\n1. Rent\n\nThe rent is due monthly.\n\n2. Animals\n\nThe tenant of house {} keeps no pets."
QUESTION = "May the tenant keep a dog?"


@pytest.fixture
def location(tmp_path: Path) -> Path:
    place = tmp_path / "old.pincite"
    with Index.create(place) as index:
        for number in range(3):
            index.add_text(f"lease-{number}", TEXT.format(number, number))
        index.engine.configure(replace(index.engine.configuration, encoder_sha256="0" * 64))
    return place


def test_it_answers_by_words_and_re_ranker_and_says_so(location: Path) -> None:
    with Index.open(location) as index:
        assert index.has_former_vectors
        answer = index.search(QUESTION, k=1)
        assert FORMER_VECTORS in answer.notes
        assert "dense" not in answer[0].parts
        assert "rerank" in answer[0].parts
        assert "keeps no pets" in answer[0].text
        assert len(index.compare(QUESTION)) == 3


def test_new_documents_wait_for_the_renewal_and_are_found_by_words(location: Path) -> None:
    with Index.open(location) as index:
        index.add_text("memo-7", "NOTE\n\nThe ferries leave from the northern pier at noon.")
        assert not index.record("memo-7").has_vectors
        assert "northern pier" in index.search("When do the ferries leave?", k=1)[0].text


def test_embedding_renews_all_of_them_and_mixes_none(location: Path) -> None:
    with Index.open(location) as index:
        index.add_text("boats", "MEMO\n\nThe boats are painted green.", vectors="none")
        assert index.embed() == 4
        assert not index.has_former_vectors
        assert all(record.has_vectors for record in index)
        answer = index.search(QUESTION, k=1)
        assert FORMER_VECTORS not in answer.notes
        assert "dense" in answer[0].parts
        fresh = Index.create(":memory:")
        for record in index:
            fresh.add_text(record.id, index.document(record.id).text)
        assert fresh.search(QUESTION, k=1)[0].parts["dense"] == answer[0].parts["dense"]


def test_an_upgrade_renews_them_too(location: Path) -> None:
    with Index.open(location) as index:
        index.upgrade()
        assert not index.has_former_vectors
        assert all(record.has_vectors for record in index)


def test_an_encoder_that_is_asked_for_is_not_quietly_left_out(location: Path) -> None:
    with Index.open(location) as index, pytest.raises(ModelError, match="embed everything again"):
        index.answer([SearchRequest(QUESTION, encoder="legal-encoder")])


def test_a_server_renews_them_in_the_background(location: Path) -> None:
    with Backend(location) as backend:
        engine = backend.index.engine
        wait_until(lambda: not backend.index.has_former_vectors and not engine.without_vectors(limit=1))


def test_a_renewal_that_was_stopped_is_finished_by_the_next_server(location: Path) -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with Index.open(location) as index:
        with pytest.raises(KeyboardInterrupt):
            index.embed(progress=stop)
        assert index.is_renewing
        assert not index.has_former_vectors
        assert not any(record.has_vectors for record in index)
    with Backend(location) as backend:
        wait_until(lambda: not backend.index.is_renewing)
        assert all(record.has_vectors for record in backend.index)


def test_the_plan_of_an_upgrade_counts_them(location: Path) -> None:
    with Index.open(location) as index:
        plan = index.plan_upgrade()
        assert plan.unembedded == sum(record.unit_count for record in index)
        assert index.plan_upgrade(vectors="none").unembedded == 0


def test_an_upgrade_does_not_change_the_encoder_quietly(location: Path, tiny_encoder: Path) -> None:
    with Index.open(location) as index, pytest.raises(ModelError, match="embed everything again"):
        index.upgrade(encoder=str(tiny_encoder))
