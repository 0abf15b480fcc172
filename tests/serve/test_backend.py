"""The backend: its queue, comparisons, embedding that makes way, indexes that are replaced or gone."""

import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pincite.errors import DataError, PinciteError
from pincite.index import Index
from pincite.index.embedded import EmbeddedEngine
from pincite.search import SearchRequest
from pincite.serve import uploads
from pincite.serve.backend import Backend
from pincite.serve.errors import Busy, NotFound
from pincite.serve.settings import Settings
from pincite.serve.writer_thread import WriterThread
from pincite.text import Filter
from tests.serve.conftest import LEASE, PATIENCE, wait_until

OLD, NEW = b"LEASE\n\nThe rent is 100 pounds a year.\n", b"LEASE\n\nThe rent is 200 pounds a year.\n"


def wait_for_vectors(backend: Backend, document: str) -> None:
    wait_until(lambda: backend.document(document).has_vectors)


def test_beyond_the_queue_the_server_is_busy_and_says_when_to_come_back(own_index: Path) -> None:
    with Backend(own_index, Settings(threads=1, waiting=2)) as backend:
        hold = threading.Event()
        backend.later(lambda: hold.wait(PATIENCE))
        wait_until(lambda: not backend.threads.waiting)
        waiting = [backend.ask(SearchRequest("rent", fast=True)) for _ in range(2)]
        with pytest.raises(Busy) as busy:
            backend.ask(SearchRequest("rent", fast=True))
        assert busy.value.retry_after == 1
        hold.set()
        assert all(future.result(PATIENCE).hits for future in waiting)


def test_one_bad_question_does_not_spoil_those_it_waits_with(own_index: Path) -> None:
    with Backend(own_index, Settings(threads=1)) as backend:
        hold = threading.Event()
        backend.later(lambda: hold.wait(PATIENCE))
        good = backend.ask(SearchRequest("rent", fast=True))
        bad = backend.ask(SearchRequest("rent", fast=True, where=Filter(metadata={"colour": "red"})))
        hold.set()
        assert good.result(PATIENCE).hits
        with pytest.raises(PinciteError, match="colour"):
            bad.result(PATIENCE)


def test_an_index_that_cannot_be_opened_is_an_answer_and_no_silence(own_index: Path, tmp_path: Path) -> None:
    with Backend(own_index, Settings(threads=1)) as backend:
        own_index.rename(tmp_path / "aside.pincite")
        for future in (backend.ask(SearchRequest("rent", fast=True)), backend.later(lambda: len(backend.index))):
            with pytest.raises(DataError, match="no such index"):
                future.result(PATIENCE)
        (tmp_path / "aside.pincite").rename(own_index)
        assert backend.search(SearchRequest("rent", fast=True)).hits  # the thread goes on


def test_the_writer_keeps_one_index_open_and_prepares_no_state_of_its_own(tmp_path: Path) -> None:
    """Beside the state that searches use, a second one would take as much memory, and time after every change."""
    Index.create(tmp_path / "empty.pincite").close()
    writer = WriterThread(str(tmp_path / "empty.pincite"), 4)
    try:
        first = writer.submit(lambda index: index).result(PATIENCE)
        writer.submit(lambda index: index.engine.put_record("note", "one", "a")).result(PATIENCE)
        assert writer.submit(lambda index: index is first).result(PATIENCE)
        assert isinstance(first.engine, EmbeddedEngine)
        assert first.engine._state is None
    finally:
        writer.close()


def test_a_document_is_removed_once(own_index: Path) -> None:
    def remove(_: int) -> str:
        try:
            return f"removed {backend.remove([LEASE])}"
        except NotFound as error:
            return str(error).partition(" ")[0]

    with Backend(own_index) as backend, ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(remove, range(4))) == ["no", "no", "no", "removed 1"]


def test_an_index_that_is_replaced_while_it_is_served_is_opened_anew(own_index: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(own_index, tmp_path / "copy.pincite"))
    with Backend(own_index) as backend:
        backend.add([("a.txt", OLD)])
        wait_for_vectors(backend, "uploads/a.txt")
        own_index.rename(tmp_path / "aside.pincite")
        shutil.copytree(copy, own_index)
        assert backend.add([("b.txt", NEW)])[0].status == "added"
        assert "uploads/b.txt" in {entry.id for entry in backend.documents()}
    with Index.open(own_index, read_only=True) as index:
        assert "uploads/b.txt" in {record.id for record in index}


def test_comparisons_leave_room_for_others(own_index: Path) -> None:
    with Backend(own_index, Settings(threads=1)) as backend:
        assert backend._comparisons.acquire(blocking=False)  # as one that is under way
        with pytest.raises(Busy):
            backend.compare("Who insures?", Filter(documents=("garnet-quay",)))
        backend._comparisons.release()
        assert len(backend.compare("Who insures?", Filter(documents=("garnet-quay",)))) == 1


def test_making_vectors_makes_way_for_other_changes(own_index: Path) -> None:
    with Backend(own_index) as backend:
        long = "DEED\n\n" + "\n\n".join(f"{at}. The grantor conveys plot {at} to the grantee." for at in range(3000))
        assert backend.add([("long.txt", long.encode())])[0].status == "added"
        assert backend.add([("short.txt", b"NOTE\n\nThe rent is due.\n")])[0].status == "added"
        assert not backend.document("uploads/long.txt").has_vectors
    with Index.open(own_index, read_only=True) as index:
        assert not index.check().faults


def test_vectors_that_a_stopped_server_did_not_make_are_made_by_the_next(own_index: Path) -> None:
    with Index.open(own_index) as index:
        uploads.store(index, "a.txt", OLD, Settings())
    with Backend(own_index) as backend:
        wait_for_vectors(backend, "uploads/a.txt")
