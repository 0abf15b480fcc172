"""What tests have workers make of documents. A worker imports these functions by their names."""

import ctypes
import os
import platform
import resource
import signal
import socket
import subprocess
import tempfile
import threading
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
    outside, port, parent = document.text.split("\n")[:3]

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
        "make a socket": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM).close(),
        "send without a connection": lambda: _sent(f"{outside}/post"),
        "signal the parent": lambda: os.kill(int(parent), signal.SIGURG),
        "signal a thread of the parent": lambda: _called(_TGKILL, int(parent), int(parent), signal.SIGURG),
        "signal by a handle": lambda: os.close(os.pidfd_open(int(parent))),
        "limit the parent": lambda: resource.prlimit(int(parent), resource.RLIMIT_CORE, (0, 0)),
        "slow the parent down": lambda: os.setpriority(os.PRIO_PROCESS, int(parent), 19),
        "leave its group": os.setsid,
        "have a program leave it": lambda: subprocess.run(["setsid", "-w", "true"], check=True, capture_output=True),
        "make a namespace": lambda: _called(_CLONE, 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0),
        "from another thread": lambda: _from_other_threads(f"{outside}/secret.txt"),
        "have a program do it": lambda: subprocess.run(["cat", f"{outside}/secret.txt"], check=True),
    }
    managed = []
    for name, attempt in attempts.items():
        try:
            attempt()
        except (OSError, ValueError, subprocess.CalledProcessError):
            continue
        managed.append(name)
    with tempfile.TemporaryFile() as own:  # this is allowed
        own.write(b"own")
    subprocess.run(["true"], check=True)
    with subprocess.Popen(["sleep", "60"]) as slow:
        slow.kill()
    return managed


_TGKILL, _CLONE = (234, 56) if platform.machine() == "x86_64" else (131, 220)


def _called(number: int, *arguments: int) -> None:
    """A system call by its number."""
    libc = ctypes.CDLL(None, use_errno=True)
    answer = libc.syscall(number, *arguments)
    if number == _CLONE and answer == 0:
        os._exit(0)
    if answer < 0:
        raise OSError(ctypes.get_errno(), "refused")


def _sent(path: str) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
        out.sendto(b"secret", path)


def _from_other_threads(path: str) -> None:
    """Fails if no thread of this process can read the file, and none is there that was started before it was shut in."""
    managed: list[str] = []
    threading.excepthook = lambda _: None
    thread = threading.Thread(target=lambda: managed.append(Path(path).read_text()))
    thread.start()
    thread.join()
    for _ in range(100):  # a thread that was joined may still be listed
        if not managed and len(list(Path("/proc/self/task").iterdir())) <= 2:  # the other one listens to the parent
            raise OSError("refused")
        time.sleep(0.01)


def limits_of_the_processor(document: Document) -> list[float]:
    """The limits on the processor's time: for this file, and for good."""
    return [float(limit) for limit in resource.getrlimit(resource.RLIMIT_CPU)]


def send_much(document: Document) -> str:
    return "x" * 20_000_000 if "Slow" in document.text else document.text


class NotToBeSent:
    pass


def send_an_object(document: Document) -> object:
    return NotToBeSent() if "Slow" in document.text else document.text
