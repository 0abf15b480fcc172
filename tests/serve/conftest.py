"""What tests of the server share: an index of the sample contracts, a copy to change, and clients of the server."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import httpx
import pytest
from filelock import FileLock
from starlette.testclient import TestClient

from pincite.index import Index
from pincite.serve.app import application
from pincite.serve.auth import Auth
from pincite.serve.settings import Settings
from tests.conftest import SAMPLES

T = TypeVar("T")
LOCAL = "http://127.0.0.1"
LEASE = "corpus/contracts/lease-14-garnet-quay-2019.txt"
PATIENCE = 120.0
"""Seconds after which what has not happened is taken for something that never will."""


@pytest.fixture(scope="session")
def sample_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample contracts with vectors; nobody changes it. Workers of one run share it."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = base / "served" / "contracts.pincite"
    folder.parent.mkdir(exist_ok=True)
    with FileLock(base / "served.lock"):
        if not folder.exists():
            making = folder.with_name("making.pincite")
            Index.create(making).close()
            with Index.open(making, model_threads=1) as index:  # two would fight with the other workers for the cores
                index.add(SAMPLES / "corpus")
                assert all(record.has_vectors for record in index)
            making.rename(folder)
    return folder


@pytest.fixture
def own_index(sample_index: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return Path(shutil.copytree(sample_index, tmp_path / "contracts.pincite"))


@contextmanager
def client_of(
    folder: Path, settings: Settings | None = None, auth: Auth | None = None, **more: object
) -> Iterator[TestClient]:
    """A client of the whole application, in this process."""
    app = application([folder], settings, auth, **more)  # type: ignore[arg-type]
    with TestClient(app, base_url=LOCAL, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture(scope="session")
def client(sample_index: Path) -> Iterator[TestClient]:
    """Reads only."""
    with client_of(sample_index) as found:
        yield found


@pytest.fixture
def writer(own_index: Path) -> Iterator[TestClient]:
    with client_of(own_index) as found:
        yield found


@pytest.fixture
def keys(tmp_path: Path) -> Auth:
    return Auth.create(tmp_path / "keys.json")


def free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


def wait_until(happened: Callable[[], T]) -> T:
    """What `happened` returns as soon as that is true."""
    until = time.monotonic() + PATIENCE
    while not (found := happened()):
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.05)
    return found


class Server:
    """`pincite serve` as a process of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.port = free_port()
        self.address = f"{LOCAL}:{self.port}"
        command = [sys.executable, "-m", "pincite", "serve", "--index", str(folder), "--port", str(self.port), *options]
        self.said = tempfile.TemporaryFile()  # noqa: SIM115 - closed when it stops; a pipe that nobody reads would fill
        self.process = subprocess.Popen(command, stderr=self.said, env={**os.environ, "NO_COLOR": "1"})

    def wait(self) -> "Server":
        """Until it answers."""
        try:
            wait_until(self._is_ready)
        except AssertionError:
            self.stop()
            raise AssertionError(f"the server did not start: {self.log}") from None
        return self

    def _is_ready(self) -> bool:
        assert self.process.poll() is None
        try:
            with urllib.request.urlopen(f"{self.address}/v1/ready", timeout=10):
                return True
        except OSError:
            return False

    def figure(self, name: str) -> float:
        """The sum of a figure over its labels, as Prometheus would get it."""
        lines = httpx.get(f"{self.address}/v1/metrics", timeout=PATIENCE).text.splitlines()
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(name))

    def stop(self, how: int = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            return self.process.wait(PATIENCE)
        finally:
            if self.process.poll() is None:
                self.process.kill()
            if not self.said.closed:
                self.said.seek(0)
                self.log = self.said.read().decode()
                self.said.close()


@pytest.fixture(scope="session")
def server(sample_index: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Reads only."""
    with served(sample_index, tmp_path_factory) as found:
        yield found


@contextmanager
def served(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for several tests, which keeps out of the user's cache as the tests themselves do."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PINCITE_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))
        found = Server(folder)
    try:
        yield found.wait()
    finally:
        found.stop()


@pytest.fixture
def started() -> Iterator[Callable[..., Server]]:
    """Starts servers; all of them end with the test."""
    held: list[Server] = []

    def start(folder: Path, *options: str) -> Server:
        held.append(Server(folder, *options))
        return held[-1].wait()

    yield start
    for server in held:
        server.stop()


def problem(answer: httpx.Response, status: int, name: str) -> dict[str, object]:
    """The problem details of an answer."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body: dict[str, object] = answer.json()
    assert body["type"] == f"urn:pincite:problem:{name}"
    assert body["status"] == status
    assert body["detail"]
    assert body["request_id"] == answer.headers["x-request-id"]
    return body


def token(page: httpx.Response) -> str:
    """The token that forms of a page carry."""
    return page.text.split('name="csrf-token" content="')[1].split('"')[0]
