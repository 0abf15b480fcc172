"""The guard: from where, how much and how often one may ask; the headers of every answer; silent clients."""

import socket
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from starlette.testclient import TestClient

from pincite.serve.auth import Auth
from pincite.serve.settings import Settings
from tests.serve.conftest import LEASE, LOCAL, PATIENCE, Server, client_of, problem


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


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize(("mode", "what"), [("no-cors", "image"), ("no-cors", "script"), ("navigate", "iframe")])
def test_another_page_cannot_embed_anything(client: TestClient, site: str, mode: str, what: str) -> None:
    """Browsers send no Origin with these, and hide the answer; the work would have been done, and its time seen."""
    sent = {"sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": what}
    for path in ("/v1/documents", "/", "/static/style.css"):
        assert client.get(path, headers=sent).status_code == 403


@pytest.mark.parametrize(
    ("site", "mode", "what"),
    [
        ("cross-site", "navigate", "document"),  # a link in a mail
        ("none", "navigate", "document"),  # a bookmark
        ("same-origin", "no-cors", "image"),
        ("same-origin", "cors", "empty"),
    ],
)
def test_links_and_our_own_pages_are_answered(client: TestClient, site: str, mode: str, what: str) -> None:
    sent = {"sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": what}
    assert client.get("/", headers=sent).status_code == 200


def test_two_names_for_this_machine_are_refused(client: TestClient) -> None:
    for first, second in (("127.0.0.1", "evil.example"), ("evil.example", "127.0.0.1")):
        assert client.get("/v1/health", headers=[("host", first), ("host", second)]).status_code == 403


def test_our_own_page_can(client: TestClient) -> None:
    answer = client.post("/v1/search", json={"query": "rent", "fast": True}, headers={"origin": LOCAL})
    assert answer.status_code == 200


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


def test_a_request_id_is_taken_over_if_it_is_one(client: TestClient) -> None:
    assert client.get("/v1/health", headers={"x-request-id": "abc-1"}).headers["x-request-id"] == "abc-1"
    assert client.get("/v1/health", headers={"x-request-id": "a b<script>"}).headers["x-request-id"] != "a b<script>"


def test_who_asks_too_often_has_to_wait(sample_index: Path) -> None:
    with client_of(sample_index, Settings(requests_per_minute=5)) as client:
        answers = [client.get("/v1/health") for _ in range(7)]
        assert [answer.status_code for answer in answers] == [200] * 5 + [429] * 2
        assert int(answers[-1].headers["retry-after"]) >= 1


def test_made_up_keys_do_not_escape_the_rate(sample_index: Path) -> None:
    with client_of(sample_index, Settings(requests_per_minute=3)) as client:
        seen = [client.get("/v1/health", headers={"x-api-key": f"made-up-{at}"}).status_code for at in range(5)]
    assert seen == [200, 200, 200, 429, 429]


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


def test_who_may_not_write_has_no_file_read(sample_index: Path, keys: Auth) -> None:
    key = keys.add_key("reader", "read")

    def endless() -> object:
        raise AssertionError("the body was read")
        yield b""

    with client_of(sample_index, auth=keys) as client:
        headers = {"authorization": f"Bearer {key}", "content-type": "multipart/form-data; boundary=b"}
        assert client.post("/v1/documents", content=endless(), headers=headers).status_code == 403  # type: ignore[arg-type]


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
    statuses = []
    for connection in held:
        connection.settimeout(PATIENCE)
        statuses.append(int(connection.recv(1000).split()[1]))
        connection.close()
    assert statuses.count(408) >= 2  # those that had the two places, after a second of silence
    assert set(statuses) <= {408, 503}
    assert httpx.get(f"{server.address}/v1/health", timeout=PATIENCE).status_code == 200
