"""Uploads: what is taken and what is refused, replacements, and what a failure or a move leaves behind."""

import io
import shutil
import socket
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from starlette.testclient import TestClient

from pincite.engine import originals
from pincite.engine.contract import WRITER
from pincite.errors import OutputError
from pincite.index import Index
from pincite.index.embedded import EmbeddedEngine
from pincite.index.uploads import FOLDER
from pincite.serve import uploads
from pincite.serve.backend import Backend
from pincite.serve.errors import Conflict
from pincite.serve.settings import Settings
from tests.serve.conftest import PATIENCE, Server, client_of, problem, wait_until

OLD, NEW = b"LEASE\n\nThe rent is 100 pounds a year.\n", b"LEASE\n\nThe rent is 200 pounds a year.\n"


def bomb() -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.txt", b"0" * 80_000_000)
    return held.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "status", "said"),
    [
        ("lease.pdf", b"This is a plain lease.", 422, "its content is text"),
        ("lease.txt", b"%PDF-1.4 not text", 422, "its content is pdf"),
        ("lease.docx", b"{\\rtf1 Rent}", 422, "its content is rtf"),
        ("lease.exe", b"MZ\x00\x01", 422, "suffix"),
        ("lease.txt", b"\x00\x01\x02\x03", 422, "binary"),
        ("empty.txt", b"", 422, "no bytes"),
        ("broken.pdf", b"%PDF-1.7 cut", 422, "pdf"),
        ("bomb.zip", bomb(), 422, "zip bomb"),
        ("large.txt", b"rent " * 300_000, 413, "the limit is"),
    ],
)
def test_a_file_that_cannot_be_taken_leaves_nothing_behind(
    own_index: Path, name: str, data: bytes, status: int, said: str
) -> None:
    with client_of(own_index, Settings(file_bytes=1_000_000)) as client:
        before = client.get("/v1/documents").json()
        answer = client.post("/v1/documents?wait=true", files=[("files", (name, data))])
        assert answer.status_code == status, answer.text
        assert said in answer.json()["detail"]
        assert "/tmp" not in answer.json()["detail"]
        assert client.get("/v1/documents").json() == before
    assert not list((own_index / "uploads").glob("*")) if (own_index / "uploads").exists() else True


@pytest.mark.parametrize("name", ["../../../escape.txt", "..\\..\\escape.txt", "/etc/escape.txt", "C:\\escape.txt"])
def test_the_name_of_an_upload_cannot_lead_out(writer: TestClient, own_index: Path, name: str) -> None:
    answer = writer.post("/v1/documents?wait=true", files=[("files", (name, "NOTE\n\nThe rent is due in May.\n"))])
    assert answer.json()["files"][0]["documents"] == ["uploads/escape.txt"]
    assert (own_index / "uploads" / "escape.txt").is_file()


def test_too_many_files_at_once_are_refused(own_index: Path) -> None:
    with client_of(own_index, Settings(upload_files=2)) as client:
        files = [("files", (f"{at}.txt", "The rent is due.")) for at in range(3)]
        problem(client.post("/v1/documents?wait=true", files=files), 413, "too-large")


def test_two_uploads_of_one_file_at_once_store_it_once(own_index: Path) -> None:
    with Backend(own_index) as backend, ThreadPoolExecutor(4) as pool:
        text = b"BOND\n\nThe obligor shall pay four hundred crowns.\n"
        done = list(pool.map(lambda _: backend.add([("bond.txt", text)])[0], range(4)))
        assert sorted(uploaded.status for uploaded in done) == ["added", "same", "same", "same"]
        assert [entry.id for entry in backend.documents()].count("uploads/bond.txt") == 1


def test_a_replacement_that_stops_half_way_can_be_sent_again(own_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OutputError("the disk is full")

    with Index.open(own_index) as index:
        uploads.store(index, "a.txt", OLD, Settings())
        for broken, name in ((EmbeddedEngine, "put"), (originals, "_link")):  # at the change, and before it
            with monkeypatch.context() as patched:
                patched.setattr(broken, name, full)
                with pytest.raises(OutputError):
                    uploads.store(index, "a.txt", NEW, Settings(), replace=True)
            assert [path.read_bytes() for path in (own_index / "uploads").iterdir()] == [OLD]
            assert index.document("uploads/a.txt").text == OLD.decode()
        assert uploads.store(index, "a.txt", NEW, Settings(), replace=True).status == "added"
        assert index.document("uploads/a.txt").text == NEW.decode()
        assert not list((own_index / "incoming").iterdir())


def test_a_file_that_was_written_and_never_read_is_read_when_it_comes_again(own_index: Path) -> None:
    with Backend(own_index) as backend:
        backend.add([("a.txt", OLD)])
        (own_index / "uploads" / "a.txt").write_bytes(NEW)  # as a server leaves it that is killed in between
        assert backend.add([("a.txt", NEW)])[0].status == "added"
        assert backend.loaded("uploads/a.txt").document.text == NEW.decode()


def test_an_index_that_was_moved_takes_uploads_as_before(own_index: Path, tmp_path: Path) -> None:
    with Backend(own_index) as backend:
        backend.add([("a.txt", OLD)])
    moved = Path(shutil.move(own_index, tmp_path / "elsewhere.pincite"))
    with Backend(moved) as backend:
        assert backend.add([("b.txt", NEW)])[0].documents == ("uploads/b.txt",)
        assert backend.add([("a.txt", NEW)], replace=True)[0].status == "added"
        assert backend.loaded("uploads/a.txt").document.text == NEW.decode()
        assert backend.remove(["uploads/a.txt"]) == 1
    assert not (moved / "uploads" / "a.txt").exists()


def test_another_folder_called_uploads_is_not_taken_for_ours(own_index: Path, tmp_path: Path) -> None:
    other = tmp_path / "uploads"
    other.mkdir()
    (other / "a.txt").write_bytes(OLD)
    with Index.open(own_index) as index:
        index.add(other)
    with Backend(own_index) as backend:
        done = backend.add([("a.txt", NEW)])[0]
        assert isinstance(done.failure, Conflict)
        assert backend.loaded("uploads/a.txt").document.text == OLD.decode()


def test_an_upload_that_is_cut_off_changes_nothing(own_index: Path, started: Callable[..., Server]) -> None:
    server = started(own_index)
    with socket.create_connection(("127.0.0.1", server.port)) as held:
        head = (
            f"POST /v1/documents HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 100000\r\n"
            "Content-Type: multipart/form-data; boundary=b\r\n\r\n"
            '--b\r\nContent-Disposition: form-data; name="files"; filename="cut.txt"\r\n\r\nThe rent'
        )
        held.sendall(head.encode())
        wait_until(lambda: server.figure("pincite_requests_in_flight") == 2)  # this one and the upload
    wait_until(lambda: server.figure('pincite_requests_total{method="POST",route="/v1/documents"'))
    listed = httpx.get(f"{server.address}/v1/documents", timeout=PATIENCE).json()["documents"]
    assert len(listed) == 14
    assert not (own_index / "uploads").exists()


def uploaded(own_index: Path) -> Path:
    with client_of(own_index) as client:
        files = {"files": ("note.txt", b"NOTE\n\nThe boats are green.")}
        assert client.post("/v1/documents?wait=true", files=files).status_code == 201
    return own_index / FOLDER / "note.txt"


def test_a_purge_takes_the_uploaded_file_with_it(own_index: Path) -> None:
    file = uploaded(own_index)
    with Index.open(own_index) as index:
        assert index.remove("uploads/note.txt", purge=True) == 1
    assert not file.exists()


def test_a_file_whose_documents_are_gone_is_in_nobodys_way(own_index: Path) -> None:
    with Index.open(own_index) as index:
        assert uploads.store(index, "deed.txt", OLD, Settings()).status == "added"
        index.engine.remove(["uploads/deed.txt"])  # killed before the file was deleted
        assert (own_index / FOLDER / "deed.txt").exists()
        assert uploads.store(index, "deed.txt", NEW, Settings()).status == "added"
        assert (own_index / FOLDER / "deed.txt").read_bytes() == NEW
        assert not index.check().faults


def test_a_removal_that_is_refused_leaves_the_file(own_index: Path) -> None:
    file = uploaded(own_index)
    with client_of(own_index, Settings()) as client, Index.open(own_index) as other:
        with other.engine.lease(WRITER):
            assert client.delete("/v1/documents/uploads/note.txt").status_code == 503
        assert file.exists()
        assert client.delete("/v1/documents/uploads/note.txt").status_code == 200
    assert not file.exists()
