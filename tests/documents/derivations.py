"""What tests have workers make of documents. A worker imports these functions by their names."""

import os
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from pincite.text import Document


def count_words(document: Document) -> int:
    return len(document.text.split())


def hang(document: Document) -> str:
    if "Slow" in document.text:
        time.sleep(60)
    return document.text


def grow(document: Document) -> str:
    if "Slow" in document.text:
        return "x" * 1_000_000_000
    return document.text


def recurse(document: Document) -> str:
    return recurse(document) if "Slow" in document.text else document.text


def exit_at_once(document: Document) -> str:
    if "Slow" in document.text:
        os._exit(3)
    return document.text


def try_to_get_out(document: Document) -> list[str]:
    """What a hostile file would have its reader do; the names of what it managed."""
    outside, port = document.text.split("\n")[:2]

    def write() -> None:
        Path(outside, "written.txt").write_text("out")

    def connect() -> None:
        socket.create_connection(("127.0.0.1", int(port)), timeout=2).close()

    attempts = {
        "read a file": lambda: Path(outside, "secret.txt").read_text(),
        "list a folder": lambda: list(Path(outside).iterdir()),
        "read the passwords": lambda: Path("/etc/passwd").read_text(),
        "write a file": write,
        "delete a file": lambda: Path(outside, "secret.txt").unlink(),
        "connect": connect,
        "ask a name server": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close(),
        "listen": lambda: socket.create_server(("127.0.0.1", 0)).close(),
        "have a program do it": lambda: subprocess.run(["cat", f"{outside}/secret.txt"], check=True),
    }
    managed = []
    for name, attempt in attempts.items():
        try:
            attempt()
        except (OSError, subprocess.CalledProcessError):
            continue
        managed.append(name)
    with tempfile.TemporaryFile() as own:  # this is allowed
        own.write(b"own")
    subprocess.run(["true"], check=True)
    return managed


class NotToBeSent:
    pass


def send_an_object(document: Document) -> object:
    return NotToBeSent() if "Slow" in document.text else document.text
