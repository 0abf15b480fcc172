"""The server as a process: its address, its log, a stop, a kill."""

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


def test_a_stop_finishes_what_is_under_way(sample_index: Path, started: Callable[..., Server]) -> None:
    server = started(sample_index)
    asked = {"query": "What law governs the agreement?"}
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(httpx.post, f"{server.address}/v1/compare", json=asked, timeout=PATIENCE)
        wait_until(lambda: server.figure("pincite_requests_in_flight") == 2)  # this one and the comparison
        assert server.stop() == 0
        assert len(slow.result().json()["rows"]) == 14


def test_a_killed_server_loses_nothing_that_it_acknowledged(own_index: Path, started: Callable[..., Server]) -> None:
    server = started(own_index)
    stored: list[str] = []

    def upload(at: int) -> None:
        files = [("files", (f"deed-{at}.txt", f"DEED {at}\n\nThe grantor conveys plot {at}.\n"))]
        try:
            answer = httpx.post(f"{server.address}/v1/documents", files=files, timeout=PATIENCE)
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
