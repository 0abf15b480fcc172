"""What a review found, so that it stays found: half-done replacements, moved indexes, silent clients, crowded doors."""

import json
import shutil
import socket
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from starlette.testclient import TestClient

from pincite.errors import OutputError
from pincite.index import Index
from pincite.serve import uploads
from pincite.serve.app import application
from pincite.serve.auth import Auth, Who
from pincite.serve.backend import Backend
from pincite.serve.errors import Busy, Conflict
from pincite.serve.settings import Settings
from pincite.text import Filter
from tests.serve.conftest import LOCAL, Server, client_of

OLD, NEW = b"LEASE\n\nThe rent is 100 pounds a year.\n", b"LEASE\n\nThe rent is 200 pounds a year.\n"


def wait_for_vectors(backend: Backend, document: str) -> None:
    until = time.monotonic() + 20
    while not backend.document(document).has_vectors and time.monotonic() < until:
        time.sleep(0.05)
    assert backend.document(document).has_vectors


def test_a_replacement_that_stops_half_way_can_be_sent_again(own_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Backend(own_index) as backend:
        backend.add([("a.txt", OLD)])
        with monkeypatch.context() as patched:

            def full(*_: object, **__: object) -> None:
                raise OutputError("the disk is full")

            patched.setattr(Index, "add", full)
            with pytest.raises(OutputError):
                backend.add([("a.txt", NEW)], replace=True)
        assert (own_index / "uploads" / "a.txt").read_bytes() == OLD
        assert backend.add([("a.txt", NEW)], replace=True)[0].status == "added"
        assert backend.loaded("uploads/a.txt").document.text == NEW.decode()


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


def test_a_form_shows_and_changes_the_collection_it_was_sent_to(
    sample_index: Path, own_index: Path, tmp_path: Path
) -> None:
    first = Path(shutil.copytree(sample_index, tmp_path / "one.pincite"))
    second = Path(shutil.copytree(own_index, tmp_path / "two.pincite"))
    with TestClient(application([first, second]), base_url=LOCAL) as client:
        page = client.get("/documents", params={"collection": "two"}).text
        token = page.split('name="csrf-token" content="')[1].split('"')[0]
        sent = client.post(
            "/documents/add", data={"token": token, "collection": "two"}, files=[("files", ("x.txt", OLD))]
        )
        assert "<h1>two</h1>" in sent.text
        assert 'name="collection" value="two"' in sent.text


def test_a_client_that_falls_silent_gives_its_place_back(
    own_index: Path, tmp_path: Path, started: Callable[..., Server]
) -> None:
    settings = tmp_path / "serve.toml"
    settings.write_text("in_flight = 2\nsilence_seconds = 1\n")
    server = started(own_index, "--settings", str(settings))
    held = []
    for _ in range(4):
        connection = socket.create_connection(("127.0.0.1", server.port))
        connection.sendall(
            f"POST /login HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 100\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n\r\nname=".encode()
        )
        held.append(connection)
    time.sleep(2.5)
    assert httpx.get(f"{server.address}/v1/health").status_code == 200
    for connection in held:
        connection.close()


def test_comparisons_leave_room_for_others(own_index: Path) -> None:
    with Backend(own_index, Settings(threads=1)) as backend:
        assert backend._comparisons.acquire(timeout=1)  # as one that is under way
        with pytest.raises(Busy):
            backend.compare("Who insures?", Filter(documents=("garnet-quay",)))
        backend._comparisons.release()
        assert len(backend.compare("Who insures?", Filter(documents=("garnet-quay",)))) == 1


def test_who_may_not_write_has_no_file_read(own_index: Path, tmp_path: Path) -> None:
    keys = Auth.create(tmp_path / "keys.json")
    key = keys.add_key("reader", "read")

    def endless() -> object:
        raise AssertionError("the body was read")
        yield b""

    with client_of(own_index, auth=keys) as client:
        headers = {"authorization": f"Bearer {key}", "content-type": "multipart/form-data; boundary=b"}
        assert client.post("/v1/documents", content=endless(), headers=headers).status_code == 403  # type: ignore[arg-type]


def test_a_body_full_of_mistakes_gets_a_short_answer(client: TestClient) -> None:
    body = json.dumps({"queries": [0] * 100_000})
    answer = client.post("/v1/search/batch", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422
    assert len(answer.content) < 10_000


def test_rights_end_with_a_new_password_and_at_the_collection(own_index: Path, tmp_path: Path) -> None:
    keys = Auth.create(tmp_path / "keys.json")
    keys.add_login("mira", "correct horse", "read")
    mark = keys.mark("mira")
    assert keys.person(mark) is not None
    keys.add_login("mira", "another horse", "read")
    assert keys.person(mark) is None
    assert not Who("robot", "admin", ("other",)).may("read", "")
    key = keys.add_key("robot", "admin", ["contracts"])
    with client_of(own_index, auth=keys) as client:
        assert client.get("/v1/metrics", headers={"authorization": f"Bearer {key}"}).status_code == 403


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("POST", "/v1/search", {"origin": "http://["}),
        ("POST", "/documents/add", {"content-type": "multipart/form-data; boundary=b; charset=utf-7"}),
        ("GET", "/compare?q=law%EF%BF%BE&kind=lease&form=docx", {}),
    ],
)
def test_odd_input_is_no_error_of_ours(client: TestClient, method: str, path: str, headers: dict[str, str]) -> None:
    assert client.request(method, path, headers=headers).status_code < 500


def test_made_up_keys_do_not_escape_the_rate(own_index: Path) -> None:
    with client_of(own_index, Settings(requests_per_minute=3)) as client:
        seen = [client.get("/v1/health", headers={"x-api-key": f"made-up-{at}"}).status_code for at in range(5)]
    assert seen == [200, 200, 200, 429, 429]


def test_vectors_that_a_stopped_server_did_not_make_are_made_by_the_next(own_index: Path) -> None:
    with Index.open(own_index) as index:
        uploads.store(index, "a.txt", OLD, Settings())
    with Backend(own_index) as backend:
        wait_for_vectors(backend, "uploads/a.txt")
