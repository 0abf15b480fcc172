"""What tests of the server share: an index of the sample contracts, a copy to change, and clients of its doors."""

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

import pytest
from starlette.testclient import TestClient

from pincite.index import Index
from pincite.serve.app import application
from pincite.serve.auth import Auth
from pincite.serve.settings import Settings
from tests.conftest import SAMPLES

LOCAL = "http://127.0.0.1"


@pytest.fixture(scope="session")
def sample_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample contracts with vectors; nobody changes it."""
    folder = tmp_path_factory.mktemp("served") / "contracts.pincite"
    with Index.create(folder) as index:
        index.add(SAMPLES / "corpus")
        assert all(record.has_vectors for record in index)
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


@pytest.fixture(scope="module")
def client(sample_index: Path) -> Iterator[TestClient]:
    """Reads only."""
    with client_of(sample_index) as found:
        yield found


@pytest.fixture
def writer(own_index: Path) -> Iterator[TestClient]:
    with client_of(own_index) as found:
        yield found


def free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


class Server:
    """`pincite serve` as a process of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.port = free_port()
        self.address = f"{LOCAL}:{self.port}"
        command = [sys.executable, "-m", "pincite", "serve", "--index", str(folder), "--port", str(self.port), *options]
        self.said = tempfile.TemporaryFile()  # noqa: SIM115 - closed when it stops; a pipe that nobody reads would fill
        self.process = subprocess.Popen(command, stderr=self.said, env={**os.environ, "NO_COLOR": "1"})

    def wait(self, seconds: float = 60.0) -> "Server":
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                with urllib.request.urlopen(f"{self.address}/v1/ready", timeout=2):
                    return self
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.05)
        self.stop()
        raise AssertionError("the server did not start")

    def stop(self, how: int = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            return self.process.wait(30)
        finally:
            if self.process.poll() is None:
                self.process.kill()
            if not self.said.closed:
                self.said.seek(0)
                self.log = self.said.read().decode()
                self.said.close()


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
