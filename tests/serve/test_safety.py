"""Bad input, rights, limits, and what leaves the server: a clear answer, and nothing lost."""

import io
import json
import os
import signal
import socket
import threading
import time
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from starlette.testclient import TestClient

from pincite.errors import DataError, PinciteError, UsageError
from pincite.index import Index
from pincite.search import SearchRequest
from pincite.serve.auth import Auth
from pincite.serve.backend import Backend
from pincite.serve.errors import Busy
from pincite.serve.run import run
from pincite.serve.settings import Settings
from pincite.text import Filter
from tests.serve.conftest import LOCAL, Server, client_of

LEASE = "corpus/contracts/lease-14-garnet-quay-2019.txt"


def problem(answer: httpx.Response, status: int, name: str) -> dict[str, object]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body: dict[str, object] = answer.json()
    assert body["type"] == f"urn:pincite:problem:{name}"
    assert body["status"] == status
    assert body["detail"]
    assert body["request_id"] == answer.headers["x-request-id"]
    return body


# Questions


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("", "at least 1 character"),
        ("   ", "empty"),
        ("x" * 10_000, "10,000 characters"),
        ("rent\x00\x01", "binary"),
        ("lone \ud800 half", "unicode"),
    ],
)
def test_a_question_that_cannot_be_asked_gets_a_clear_problem(client: TestClient, query: str, said: str) -> None:
    body = json.dumps({"query": query})
    answer = client.post("/v1/search", content=body, headers={"content-type": "application/json"})
    assert said in str(problem(answer, 422, "invalid")["detail"])


def test_a_question_with_script_in_it_is_a_question(client: TestClient) -> None:
    script = "<script>alert('rent')</script>"
    assert client.post("/v1/search", json={"query": script, "fast": True}).json()["query"] == script
    page = client.get("/", params={"q": script, "fast": "true"}).text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


def test_a_body_that_is_no_json_gets_a_clear_problem(client: TestClient) -> None:
    headers = {"content-type": "application/json"}
    problem(client.post("/v1/search", content=b"\xff\xfe{", headers=headers), 400, "bad-request")
    problem(client.post("/v1/search", content=b"{", headers=headers), 422, "invalid")
    problem(client.post("/v1/search", content=b'{"query": "rent", "kk": 3}', headers=headers), 422, "invalid")
    assert "k must be from 1 to 100" in client.post("/v1/search", json={"query": "rent", "k": 101}).text


def test_an_unknown_key_of_a_filter_lists_the_known_ones(client: TestClient) -> None:
    asked = {"query": "rent", "filters": {"metadata": {"colour": "red"}}}
    assert "kind" in str(problem(client.post("/v1/search", json=asked), 422, "invalid")["detail"])
    asked = {"query": "rent", "filters": {"after": "yesterday"}}
    assert "not a date" in str(problem(client.post("/v1/search", json=asked), 422, "invalid")["detail"])


# Documents


@pytest.mark.parametrize("path", ["", "/text", "/outline", "/passage?start=0&end=1", "/pages/1"])
def test_a_document_that_is_not_there_is_not_found(client: TestClient, path: str) -> None:
    problem(client.get(f"/v1/documents/corpus/nothing.txt{path}"), 404, "not-found")


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "..%2f..%2fetc%2fpasswd", "/etc/passwd", "uploads/../truth.sqlite"]
)
def test_no_path_leads_out(client: TestClient, name: str) -> None:
    assert client.get(f"/v1/documents/{name}/text").status_code == 404
    assert client.get(f"/static/{name}").status_code == 404


def test_a_part_of_a_name_removes_nothing(writer: TestClient) -> None:
    problem(writer.delete("/v1/documents/garnet-quay"), 404, "not-found")
    assert writer.get(f"/v1/documents/{LEASE}").status_code == 200


def test_a_document_that_was_removed_meanwhile_is_not_found(writer: TestClient) -> None:
    hit = writer.post("/v1/search", json={"query": "May the tenant underlet?", "k": 1, "fast": True}).json()["hits"][0]
    assert writer.delete(f"/v1/documents/{hit['document']}").status_code == 200
    place = {"start": hit["start"], "end": hit["end"]}
    problem(writer.get(f"/v1/documents/{hit['document']}/passage", params=place), 404, "not-found")
    assert writer.get(f"/documents/{hit['document']}", params=place).status_code == 404
    assert writer.post("/v1/search", json={"query": "underlet", "fast": True}).status_code == 200


@pytest.mark.parametrize(("start", "end"), [(5, 4), (0, 10**9), (10**9, 10**9 + 1)])
def test_offsets_outside_the_text_are_a_problem(client: TestClient, start: int, end: int) -> None:
    for door in ("text", "passage"):
        answer = client.get(f"/v1/documents/{LEASE}/{door}", params={"start": start, "end": end})
        assert "outside the text" in str(problem(answer, 422, "invalid")["detail"])
    assert client.get(f"/documents/{LEASE}", params={"start": start, "end": end}).status_code == 422


# Uploads


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
        answer = client.post("/v1/documents", files=[("files", (name, data))])
        assert answer.status_code == status, answer.text
        assert said in answer.json()["detail"]
        assert "/tmp" not in answer.json()["detail"]
        assert client.get("/v1/documents").json() == before
    assert not list((own_index / "uploads").glob("*")) if (own_index / "uploads").exists() else True


@pytest.mark.parametrize("name", ["../../../escape.txt", "..\\..\\escape.txt", "/etc/escape.txt", "C:\\escape.txt"])
def test_the_name_of_an_upload_cannot_lead_out(writer: TestClient, own_index: Path, name: str) -> None:
    answer = writer.post("/v1/documents", files=[("files", (name, "NOTE\n\nThe rent is due in May.\n"))])
    assert answer.json()["files"][0]["documents"] == ["uploads/escape.txt"]
    assert (own_index / "uploads" / "escape.txt").is_file()


def test_an_upload_that_is_too_large_is_stopped_on_its_way(own_index: Path) -> None:
    def endless() -> object:
        for _ in range(100):
            yield b"x" * 100_000

    with client_of(own_index, Settings(upload_bytes=1_000_000)) as client:
        headers = {"content-type": "multipart/form-data; boundary=b"}
        answer = client.post("/v1/documents", content=endless(), headers=headers)  # type: ignore[arg-type]
        problem(answer, 413, "too-large")
        answer = client.post("/v1/search", content=b"x" * 2_000_000, headers={"content-type": "application/json"})
        problem(answer, 413, "too-large")


def test_too_many_files_at_once_are_refused(own_index: Path) -> None:
    with client_of(own_index, Settings(upload_files=2)) as client:
        files = [("files", (f"{at}.txt", "The rent is due.")) for at in range(3)]
        problem(client.post("/v1/documents", files=files), 413, "too-large")


def test_an_upload_that_is_cut_off_changes_nothing(own_index: Path, started: Callable[..., Server]) -> None:
    server = started(own_index)
    with socket.create_connection(("127.0.0.1", server.port)) as held:
        head = (
            f"POST /v1/documents HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 100000\r\n"
            "Content-Type: multipart/form-data; boundary=b\r\n\r\n"
            '--b\r\nContent-Disposition: form-data; name="files"; filename="cut.txt"\r\n\r\nThe rent'
        )
        held.sendall(head.encode())
        time.sleep(0.3)
    time.sleep(0.3)
    listed = httpx.get(f"{server.address}/v1/documents").json()["documents"]
    assert len(listed) == 14
    assert not (own_index / "uploads").exists()


def test_two_uploads_of_one_file_at_once_store_it_once(own_index: Path) -> None:
    with Backend(own_index) as backend, ThreadPoolExecutor(4) as pool:
        text = b"BOND\n\nThe obligor shall pay four hundred crowns.\n"
        done = list(pool.map(lambda _: backend.add([("bond.txt", text)])[0], range(4)))
        assert sorted(uploaded.status for uploaded in done) == ["added", "same", "same", "same"]
        assert [entry.id for entry in backend.documents()].count("uploads/bond.txt") == 1


# Rights


@pytest.fixture
def keys(tmp_path: Path) -> Auth:
    return Auth.create(tmp_path / "keys.json")


def test_a_key_is_needed_and_its_scope_counts(own_index: Path, keys: Auth) -> None:
    read, write, admin = (keys.add_key(scope, scope) for scope in ("read", "write", "admin"))
    elsewhere = keys.add_key("elsewhere", "admin", ["other"])
    with client_of(own_index, auth=keys) as client:

        def asked(key: str, method: str, path: str, **more: object) -> httpx.Response:
            return client.request(method, path, headers={"authorization": f"Bearer {key}"}, **more)  # type: ignore[arg-type]

        question = {"query": "rent", "fast": True}
        assert problem(client.post("/v1/search", json=question), 401, "unauthorised")
        assert problem(asked("pk_00000000_wrong", "POST", "/v1/search", json=question), 401, "unauthorised")
        assert problem(asked(elsewhere, "POST", "/v1/search", json=question), 403, "forbidden")
        assert asked(elsewhere, "GET", "/v1/collections").json() == {"collections": []}
        assert asked(read, "POST", "/v1/search", json=question).status_code == 200
        assert problem(asked(read, "DELETE", f"/v1/documents/{LEASE}"), 403, "forbidden")
        assert problem(asked(write, "GET", "/v1/metrics"), 403, "forbidden")
        assert asked(admin, "GET", "/v1/metrics").status_code == 200
        assert asked(write, "DELETE", f"/v1/documents/{LEASE}").status_code == 200
        assert client.get("/v1/health").status_code == 200
        keys.revoke(next(key.id for key in keys.keys.values() if key.name == "read"))
        assert problem(asked(read, "POST", "/v1/search", json=question), 401, "unauthorised")


def test_keys_and_passwords_are_stored_hashed(keys: Auth) -> None:
    key = keys.add_key("robot", "read")
    keys.add_login("mira", "correct horse", "write")
    stored = keys.file.read_text()
    assert key not in stored
    assert key.split("_")[2] not in stored
    assert "correct horse" not in stored
    assert keys.file.stat().st_mode & 0o077 == 0
    assert keys.login("mira", "correct horse") is not None
    assert keys.login("mira", "wrong horse") is None
    assert keys.login("nobody", "correct horse") is None
    with pytest.raises(UsageError, match="at least 10"):
        keys.add_login("mira", "short", "read")
    with pytest.raises(UsageError, match="read, write, admin"):
        keys.add_key("robot", "root")


@pytest.mark.parametrize("content", ["", "[]", '{"keys": 3}', '{"keys": [{"id": "x"}], "logins": []}'])
def test_a_file_of_keys_that_is_none_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "keys.json"
    file.write_text(content)
    with pytest.raises(DataError, match="not a file of keys"):
        Auth(file)


def token(page: httpx.Response) -> str:
    return page.text.split('name="csrf-token" content="')[1].split('"')[0]


def test_the_page_asks_for_a_login_and_every_change_for_its_token(own_index: Path, keys: Auth) -> None:
    keys.add_login("mira", "correct horse", "write")
    with client_of(own_index, auth=keys) as client:
        first = client.get("/documents")
        assert first.url.path == "/login"
        given = {"name": "mira", "password": "wrong horse", "token": token(first), "next": "/documents"}
        assert client.post("/login", data=given).status_code == 401
        assert client.post("/login", data={**given, "password": "correct horse", "token": "0"}).status_code == 403
        done = client.post("/login", data={**given, "password": "correct horse"}, follow_redirects=False)
        assert done.headers["location"] == "/documents"
        cookie = done.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        page = client.get("/documents")
        assert "mira" in page.text
        removal = {"document": LEASE, "token": "0"}
        assert client.post("/documents/remove", data=removal).status_code == 403
        problem(client.delete(f"/v1/documents/{LEASE}"), 403, "forbidden")
        assert client.delete(f"/v1/documents/{LEASE}", headers={"x-csrf-token": token(page)}).status_code == 200
        client.post("/logout", data={"token": token(page)})
        assert client.get("/documents").url.path == "/login"


def test_a_login_never_leads_to_another_server(own_index: Path, keys: Auth) -> None:
    keys.add_login("mira", "correct horse", "read")
    for bad in ("//evil.example/", "https://evil.example/", "/\\evil.example"):
        with client_of(own_index, auth=keys) as client:
            given = {"name": "mira", "password": "correct horse", "token": token(client.get("/login")), "next": bad}
            assert client.post("/login", data=given, follow_redirects=False).headers["location"] == "/"


def test_guessing_passwords_has_to_wait(own_index: Path, keys: Auth) -> None:
    with client_of(own_index, Settings(logins_per_minute=3), keys) as client:
        given = {"name": "mira", "password": "guess guess guess", "token": token(client.get("/login"))}
        seen = [client.post("/login", data=given).status_code for _ in range(5)]
        assert seen == [401, 401, 401, 429, 429]


# From where, how much, how often


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "localhost@evil.example"]
)
def test_another_name_for_this_machine_is_refused(client: TestClient, host: str) -> None:
    for path in ("/", "/v1/health", "/mcp"):
        assert client.get(path, headers={"host": host}).status_code == 403
    assert client.get("/v1/health", headers={"host": "localhost:8080"}).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1.evil.example", "http://localhost:9999"]
)
def test_another_page_cannot_make_the_browser_ask(client: TestClient, origin: str) -> None:
    answer = client.post("/v1/search", json={"query": "rent"}, headers={"origin": origin})
    problem(answer, 403, "forbidden")
    assert "access-control-allow-origin" not in answer.headers


def test_our_own_page_can(client: TestClient) -> None:
    answer = client.post("/v1/search", json={"query": "rent", "fast": True}, headers={"origin": LOCAL})
    assert answer.status_code == 200


def test_an_address_that_others_reach_needs_keys(own_index: Path) -> None:
    with pytest.raises(UsageError, match="--auth FILE"):
        run([own_index], host="0.0.0.0")


def test_an_address_in_use_is_said_at_once(own_index: Path) -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        with pytest.raises(UsageError, match="choose another --port"):
            run([own_index], port=held.getsockname()[1])


def test_every_answer_carries_the_headers_of_safety(client: TestClient) -> None:
    for path in (
        "/",
        "/documents",
        f"/documents/{LEASE}",
        "/static/style.css",
        "/v1/health",
        "/nothing",
        "/v1/nothing",
    ):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["cache-control"]
        assert len(headers["x-request-id"]) == 32


def test_pages_have_no_inline_script_or_style(client: TestClient) -> None:
    import re

    for path in ("/?q=rent&fast=true", "/documents", f"/documents/{LEASE}?q=rent", "/compare?q=law&kind=lease"):
        page = client.get(path).text
        assert not re.search(r"<script(?![^>]*\bsrc=)", page)
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=", page)


def test_a_request_id_is_taken_over_if_it_is_one(client: TestClient) -> None:
    assert client.get("/v1/health", headers={"x-request-id": "abc-1"}).headers["x-request-id"] == "abc-1"
    assert client.get("/v1/health", headers={"x-request-id": "a b<script>"}).headers["x-request-id"] != "a b<script>"


def test_who_asks_too_often_has_to_wait(own_index: Path) -> None:
    with client_of(own_index, Settings(requests_per_minute=5)) as client:
        answers = [client.get("/v1/health") for _ in range(7)]
        assert [answer.status_code for answer in answers] == [200] * 5 + [429] * 2
        assert int(answers[-1].headers["retry-after"]) >= 1


def test_beyond_the_queue_the_server_is_busy_and_says_when_to_come_back(own_index: Path) -> None:
    with Backend(own_index, Settings(threads=1, waiting=2)) as backend:
        hold = threading.Event()
        backend.later(lambda: hold.wait(10))
        time.sleep(0.1)
        waiting = [backend.ask(SearchRequest("rent", fast=True)) for _ in range(2)]
        with pytest.raises(Busy) as busy:
            backend.ask(SearchRequest("rent", fast=True))
        assert busy.value.retry_after == 1
        hold.set()
        assert all(future.result(10).hits for future in waiting)


def test_one_bad_question_does_not_spoil_those_it_waits_with(own_index: Path) -> None:
    with Backend(own_index, Settings(threads=1)) as backend:
        hold = threading.Event()
        backend.later(lambda: hold.wait(10))
        good = backend.ask(SearchRequest("rent", fast=True))
        bad = backend.ask(SearchRequest("rent", fast=True, where=Filter(metadata={"colour": "red"})))
        hold.set()
        assert good.result(10).hits
        with pytest.raises(PinciteError, match="colour"):
            bad.result(10)


def test_an_index_that_cannot_be_opened_is_an_answer_and_no_silence(own_index: Path, tmp_path: Path) -> None:
    with Backend(own_index, Settings(threads=1)) as backend:
        own_index.rename(tmp_path / "aside.pincite")
        for future in (backend.ask(SearchRequest("rent", fast=True)), backend.later(lambda: len(backend.index))):
            with pytest.raises(DataError, match="no such index"):
                future.result(30)
        (tmp_path / "aside.pincite").rename(own_index)
        assert backend.search(SearchRequest("rent", fast=True)).hits  # the thread goes on


def test_making_vectors_makes_way_for_other_changes(own_index: Path) -> None:
    with Backend(own_index) as backend:
        long = "DEED\n\n" + "\n\n".join(f"{at}. The grantor conveys plot {at} to the grantee." for at in range(3000))
        assert backend.add([("long.txt", long.encode())])[0].status == "added"
        started = time.monotonic()
        assert backend.add([("short.txt", b"NOTE\n\nThe rent is due.\n")])[0].status == "added"
        assert time.monotonic() - started < 10
        assert not backend.document("uploads/long.txt").has_vectors
    with Index.open(own_index, read_only=True) as index:
        assert not index.check().faults


# What is written down


def test_the_audit_log_says_who_searched_and_read_what(own_index: Path, tmp_path: Path, keys: Auth) -> None:
    log = tmp_path / "audit.jsonl"
    key = keys.add_key("mira", "write")
    with client_of(own_index, Settings(audit=str(log)), keys) as client:
        headers = {"authorization": f"Bearer {key}"}
        client.post("/v1/search", json={"query": "May the tenant underlet?", "k": 1, "fast": True}, headers=headers)
        client.get(f"/v1/documents/{LEASE}/text", params={"start": 0, "end": 9}, headers=headers)
        client.delete(f"/v1/documents/{LEASE}", headers=headers)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(line["who"], line["action"], line["collection"]) for line in lines] == [
        ("mira", "search", "contracts"),
        ("mira", "read", "contracts"),
        ("mira", "remove", "contracts"),
    ]
    assert lines[0]["question"] == "May the tenant underlet?"
    assert lines[1]["documents"] == [LEASE]
    assert "shall" not in log.read_text()
    assert log.stat().st_mode & 0o077 == 0


def test_the_servers_log_holds_neither_questions_nor_documents(own_index: Path) -> None:
    server = Server(own_index).wait()
    httpx.get(f"{server.address}/", params={"q": "May the tenant underlet?", "fast": "true"})
    httpx.get(f"{server.address}/v1/documents/{LEASE}/text")
    server.stop()
    said = server.log
    assert "GET / 200" in said
    assert "underlet" not in said
    assert "garnet" not in said


# Stopping


def test_a_stop_finishes_what_is_under_way(own_index: Path, started: Callable[..., Server]) -> None:
    server = started(own_index)
    asked = {"query": "What law governs the agreement?"}
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(httpx.post, f"{server.address}/v1/compare", json=asked, timeout=60)
        time.sleep(0.4)
        assert server.stop() == 0
        assert len(slow.result().json()["rows"]) == 14


def test_a_killed_server_loses_nothing_that_it_acknowledged(own_index: Path, started: Callable[..., Server]) -> None:
    server = started(own_index)
    stored: list[str] = []

    def upload(at: int) -> None:
        files = [("files", (f"deed-{at}.txt", f"DEED {at}\n\nThe grantor conveys plot {at}.\n"))]
        try:
            answer = httpx.post(f"{server.address}/v1/documents", files=files, timeout=30)
        except httpx.HTTPError:
            return
        if answer.status_code == 201:
            stored.append(answer.json()["files"][0]["documents"][0])

    with ThreadPoolExecutor(4) as pool:
        tasks = [pool.submit(upload, at) for at in range(40)]
        while len(stored) < 8 and not all(task.done() for task in tasks):
            time.sleep(0.02)
        os.kill(server.process.pid, signal.SIGKILL)
    assert len(stored) >= 8
    with Index.open(own_index, read_only=True) as index:
        assert set(stored) <= {record.id for record in index}
        assert not index.check().faults
    again = started(own_index)
    found = httpx.post(f"{again.address}/v1/search", json={"query": "Who conveys plot 1?", "fast": True}, timeout=30)
    assert found.json()["hits"]


# Settings


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("colour = 3", "unknown setting"),
        ("threads = 'two'", "of the kind int"),
        ("threads = 0", "at least"),
        ("=", "read"),
    ],
)
def test_settings_that_make_no_sense_are_refused(tmp_path: Path, content: str, said: str) -> None:
    file = tmp_path / "serve.toml"
    file.write_text(content)
    with pytest.raises(PinciteError, match=said):
        Settings.read(file)


def test_settings_are_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "serve.toml"
    file.write_text('threads = 3\nfile_seconds = 5\naudit = "a.jsonl"\n')
    assert Settings.read(file) == Settings(threads=3, file_seconds=5, audit="a.jsonl")
