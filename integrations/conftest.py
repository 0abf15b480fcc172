"""What the tests of all adapters share: an index of the sample contracts, and a server for it."""

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite import Index

SAMPLES = Path(__file__).resolve().parent.parent / "samples" / "corpus"
QUESTION = "May the tenant underlet under the Garnet Quay lease?"
"""A question that the sample lease answers."""


@pytest.fixture(scope="session")
def index(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An index of the sample contracts, without vectors: it answers by words, which is enough here."""
    folder = tmp_path_factory.mktemp("index") / "contracts.pincite"
    with Index.create(folder) as made:
        made.add(SAMPLES, vectors="none")
    return str(folder)


@pytest.fixture(scope="session")
def address(index: str) -> Iterator[str]:
    """A real server over the same index, in a process of its own."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    process = subprocess.Popen([sys.executable, "-m", "pincite", "serve", "--index", index, "--port", str(port)])
    try:
        for _ in range(1200):
            assert process.poll() is None, "the server did not start"
            try:
                with urllib.request.urlopen(f"{url}/v1/ready", timeout=10):
                    break
            except OSError:
                time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        process.wait(60)
