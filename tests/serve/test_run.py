"""The server as a process: its address, its log, a stop, a kill."""

import json
import os
import signal
import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from pincite.errors import UsageError
from pincite.index import Index
from pincite.serve.run import run
from tests.serve.conftest import LEASE, PATIENCE, Server, wait_until


def test_an_address_that_others_reach_needs_keys(own_index: Path) -> None:
    with pytest.raises(UsageError, match="--auth FILE"):
        run([own_index], host="0.0.0.0")


def test_an_address_in_use_is_said_at_once(own_index: Path) -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        with pytest.raises(UsageError, match="choose another --port"):
            run([own_index], port=held.getsockname()[1])


def test_the_servers_log_holds_neither_questions_nor_documents(
    sample_index: Path, started: Callable[..., Server]
) -> None:
    server = started(sample_index)
    httpx.get(f"{server.address}/", params={"q": "May the tenant underlet?", "fast": "true"}, timeout=PATIENCE)
    httpx.get(f"{server.address}/v1/documents/{LEASE}/text", timeout=PATIENCE)
    server.stop()
    said = server.log
    assert "GET / 200" in said
    assert "underlet" not in said
    assert "garnet" not in said


def test_connections_that_say_nothing_are_closed(
    own_index: Path, tmp_path: Path, started: Callable[..., Server]
) -> None:
    (tmp_path / "settings.toml").write_text("header_seconds = 1.0\nconnections = 20\n", encoding="utf-8")
    server = started(own_index, "--settings", str(tmp_path / "settings.toml"))
    address = ("127.0.0.1", httpx.URL(server.address).port)
    silent = [socket.create_connection(address, timeout=PATIENCE) for _ in range(30)]
    try:
        for at, connection in enumerate(silent[:20]):
            if at % 2:
                connection.sendall(b"GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
        assert [_rest(connection) for connection in silent[20:]] == [b""] * 10, "beyond the limit: closed"
        assert [_rest(connection) for connection in silent[:20]] == [b""] * 20, "too slow: closed"
    finally:
        for connection in silent:
            connection.close()
    with httpx.Client() as client:  # a client that keeps its connection and takes its time is served
        for _ in range(3):
            assert client.get(f"{server.address}/v1/health").status_code == 200
            time.sleep(0.5)


def _rest(connection: socket.socket) -> bytes:
    """What still arrives until the server closes the connection."""
    try:
        return connection.recv(1)
    except ConnectionResetError:
        return b""


def test_a_running_server_is_backed_up(own_index: Path, tmp_path: Path, started: Callable[..., Server]) -> None:
    (tmp_path / "settings.toml").write_text(f'backups = "{tmp_path}/backups"', encoding="utf-8")
    server = started(own_index, "--settings", str(tmp_path / "settings.toml"))
    files = [("files", ("deed.txt", "DEED\n\nThe grantor conveys the plot.\n"))]
    assert httpx.post(f"{server.address}/v1/documents?wait=true", files=files, timeout=PATIENCE).status_code == 201
    made = httpx.post(f"{server.address}/v1/backups", timeout=PATIENCE)
    assert made.status_code == 201, made.text
    with Index.restore(tmp_path / "backups" / made.json()["name"], tmp_path / "again.pincite") as again:
        assert "uploads/deed.txt" in {record.id for record in again}
        assert not again.check().faults
    assert (tmp_path / "again.pincite" / "uploads" / "deed.txt").read_text().startswith("DEED")


def test_without_a_folder_for_backups_none_is_made(own_index: Path, started: Callable[..., Server]) -> None:
    refused = httpx.post(f"{started(own_index).address}/v1/backups", timeout=PATIENCE)
    assert refused.status_code == 409
    assert "backups =" in refused.json()["detail"]


def test_a_stop_finishes_what_is_under_way(sample_index: Path, started: Callable[..., Server]) -> None:
    server = started(sample_index)
    asked = {"query": "What law governs the agreement?"}
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(httpx.post, f"{server.address}/v1/compare", json=asked, timeout=PATIENCE)
        wait_until(lambda: server.figure("pincite_requests_in_flight") == 2)  # this one and the comparison
        assert server.stop() == 0
        assert len(slow.result().json()["rows"]) == 14


def test_a_comparison_is_sent_row_by_row_and_ends_with_its_client(
    sample_index: Path, started: Callable[..., Server]
) -> None:
    server = started(sample_index)
    asked = {"query": "What law governs the agreement?"}
    lines = {"accept": "application/x-ndjson"}
    under_way = []
    with httpx.stream("POST", f"{server.address}/v1/compare", json=asked, headers=lines, timeout=PATIENCE) as answer:
        rows = []
        for line in answer.iter_lines():
            rows.append(json.loads(line))
            under_way.append(server.figure("pincite_requests_in_flight") == 2)  # this one and the comparison
    assert [(row["done"], row["of"]) for row in rows] == [(at, 14) for at in range(1, 15)]
    assert under_way[0], "the first row came when all were found"
    # The page is sent in the same way, and clients that go away leave their places to others.
    for _ in range(6):
        address, asked_of = f"{server.address}/compare", {"q": asked["query"]}
        with httpx.stream("GET", address, params=asked_of, timeout=PATIENCE) as page:
            assert page.status_code == 200
            next(text for text in page.iter_text() if "<tbody>" in text)
        wait_until(lambda: server.figure("pincite_requests_in_flight") == 1)
    whole = httpx.get(address, params=asked_of, timeout=PATIENCE).text
    assert whole.count('<th scope="row">') == 14
    assert "of 14 documents answer." in whole


def test_a_killed_server_loses_nothing_that_it_acknowledged(own_index: Path, started: Callable[..., Server]) -> None:
    server = started(own_index)
    stored: list[str] = []

    def upload(at: int) -> None:
        files = [("files", (f"deed-{at}.txt", f"DEED {at}\n\nThe grantor conveys plot {at}.\n"))]
        try:
            answer = httpx.post(f"{server.address}/v1/documents?wait=true", files=files, timeout=PATIENCE)
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
    found = httpx.post(
        f"{again.address}/v1/search", json={"query": "Who conveys plot 1?", "fast": True}, timeout=PATIENCE
    )
    assert found.json()["hits"]
