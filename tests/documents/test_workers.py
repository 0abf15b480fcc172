"""Workers: files come back in order, and a file that hangs, fills the memory or crashes its worker harms no other."""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from pincite.documents import Limits, derive_files, read_files, sandbox, worker_process
from pincite.documents.process_limits import MOST_CPU_SECONDS, ONE_THREAD
from pincite.documents.sandbox import missing_parts
from pincite.documents.worker import FileContent
from pincite.documents.worker_process import IDLE
from tests.documents import derivations
from tests.documents.offices import docx, p, packed
from tests.documents.pdfs import PROSE, both, lines, pdf, wrapped
from tests.documents.sample_files import OLD_WORD

MIB = 1024 * 1024


def write(root: Path, files: dict[str, bytes]) -> list[tuple[Path, str]]:
    root.mkdir(exist_ok=True)
    for name, data in files.items():
        (root / name).write_bytes(data)
    return [(root / name, name) for name in files]


def big(pages: int) -> bytes:
    page = both(*(lines(*wrapped(PROSE * 3, 430), y=780 - 170 * i) for i in range(4)))
    return pdf(*[page] * pages)


def test_files_come_back_in_order_and_failures_stand_in_their_place(tmp_path: Path) -> None:
    files: dict[str, bytes] = {}
    for i in range(6):
        files[f"{i}a.pdf"] = big(5) if i % 2 else pdf(lines(f"Page of {i}."))
        files[f"{i}b.txt"] = f"Text {i}.".encode()
        files[f"{i}c.docx"] = docx(p(f"Word {i}."))
    files["7.pdf"] = b"%PDF-1.4 broken"
    files["8.txt"] = b""
    files["9.md"] = b"# Last"
    found = list(read_files(write(tmp_path, files), processes=2))
    assert len(found) == len(files)
    for name, reading in zip(files, found, strict=True):
        ids = [document.id for document in reading.documents]
        assert ids == ([] if name in ("7.pdf", "8.txt") else [name])
    assert [reading.failures[0].reason for reading in found[-3:-1]] == ["damaged", "empty"]
    assert found[-1].documents[0].source.reader == "markdown"


def test_a_worker_that_has_nothing_to_do_reads_the_next_files(
    tmp_path: Path, started: "list[subprocess.Popen[bytes]]"
) -> None:
    files = write(tmp_path, {"a.txt": b"One.", "b.md": b"# Two", "LICENSE": b"Three."})
    for _ in range(3):
        assert [reading.documents[0].text for reading in read_files(files, processes=1)] == ["One.", "# Two", "Three."]
    assert len(started) == 1


def test_a_worker_is_not_reused_in_another_folder(
    tmp_path: Path, started: "list[subprocess.Popen[bytes]]", monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text(name)
        monkeypatch.chdir(tmp_path / name)
        (reading,) = read_files([(Path("a.txt"), "a")], processes=1)
        assert reading.documents[0].text == name
    assert len(started) == 2


def test_what_is_made_of_documents_comes_back_in_order(tmp_path: Path) -> None:
    files = write(tmp_path, {f"{i}.txt": b"word " * i for i in range(1, 9)})
    assert [found.results for found in derive_files(files, derivations.count_words, processes=2)] == [
        (i,) for i in range(1, 9)
    ]


@pytest.mark.parametrize(
    ("derive", "reason", "says"),
    [
        (derivations.hang, "took too long", r"slow\.txt: was not read within 2 s; .*--seconds"),
        (derivations.grow, "took too much memory", r"slow\.txt: needs more than 300,000,000 bytes"),
        (derivations.recurse, "damaged", r"slow\.txt: cannot be divided into passages \(RecursionError"),
        (derivations.exit_at_once, "damaged", r"slow\.txt: crashed its reader"),
    ],
)
def test_what_is_made_of_a_text_has_the_limits_of_reading(tmp_path: Path, derive: Any, reason: str, says: str) -> None:
    files = write(tmp_path, {"slow.txt": b"Slow.", "quick.txt": b"Quick."})
    slow, quick = derive_files(files, derive, Limits(seconds=2, memory_bytes=300_000_000), processes=1)
    assert [failure.reason for failure in slow.failures] == [reason]
    assert re.search(says, str(slow.failures[0]))
    assert quick.results == ("Quick.",)


@pytest.mark.skipif(bool(missing_parts()), reason=f"this system has no whole sandbox: {missing_parts()}")
def test_a_reader_cannot_get_out(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    post = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    with socket.create_server(("127.0.0.1", 0)) as server, post:
        post.bind(str(tmp_path / "post"))
        hostile = f"{tmp_path}\n{server.getsockname()[1]}\n{os.getpid()}\n"
        files = write(tmp_path / "in", {"hostile.txt": hostile.encode()})
        (found,) = derive_files(files, derivations.try_to_get_out, processes=1)
    assert not found.failures
    assert found.results == ([],)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "post", "secret.txt"]


@pytest.mark.skipif(bool(missing_parts()), reason=f"this system has no whole sandbox: {missing_parts()}")
@pytest.mark.parametrize("office", [False, True])
@pytest.mark.parametrize("kept_in", [False, True])
def test_a_filter_of_calls_is_complete_without_landlock(office: bool, kept_in: bool) -> None:
    attempts = f"""
import ctypes, os, signal, socket, subprocess, sys
from pincite.documents.call_filter import restrict_calls
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(38, 1, 0, 0, 0)
parent = os.getppid()
assert restrict_calls(libc, office={office}, signals_are_kept_in={kept_in})
def stream(): socket.socket(socket.AF_UNIX).close()
def datagram(): socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).close()
def pair(): [end.close() for end in socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)]
def internet(): socket.socket(socket.AF_INET).close()
def parents(): os.kill(parent, 0)
def own(): os.kill(os.getpid(), 0)
def group(): os.kill(0, 0)
def program(): subprocess.run(["true"], check=True)
def owner():
    import fcntl
    fcntl.fcntl(0, fcntl.F_SETOWN, parent)
for attempt in (stream, datagram, pair, internet, parents, own, group, program, owner):
    try:
        attempt()
    except OSError:
        continue
    print(attempt.__name__)
"""
    command = [sys.executable, "-c", attempts]
    done = subprocess.run(command, capture_output=True, text=True, check=True, start_new_session=True)
    allowed = (
        {"own", "group", "program"} | ({"stream"} if office else set()) | ({"parents", "owner"} if kept_in else set())
    )
    assert set(done.stdout.split()) == allowed


@pytest.mark.skipif(sys.platform != "linux", reason="asks the kernel of Linux")
def test_what_the_kernel_does_not_have_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "has_filters", lambda _: False)
    assert sandbox.NO_CALLS in missing_parts()
    monkeypatch.setattr(sandbox, "_landlock_version", lambda _: -1)
    assert missing_parts() == (sandbox.NO_FILES, sandbox.NO_CALLS)


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes where Linux lists them")
def test_the_programs_of_a_reader_end_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = f"{60 + os.getpid() / 1e7:.7f}"
    (tmp_path / "soffice").write_text(f"#!/bin/sh\nsleep {mark} &\nsleep {mark}\n")
    (tmp_path / "soffice").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    files = write(tmp_path, {"old.doc": OLD_WORD})
    (found,) = read_files(files, Limits(seconds=2), processes=1)
    assert [failure.reason for failure in found.failures] == ["took too long"]
    assert not _with_argument(mark)


def _with_argument(mark: str) -> list[str]:
    """The processes that were started with an argument."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if mark.encode() in path.read_bytes().split(b"\0"):
                found.append(path.parent.name)
    return found


@pytest.mark.skipif(sys.platform == "win32", reason="the limit needs POSIX")
def test_the_processors_time_is_limited(tmp_path: Path) -> None:
    limits = Limits(seconds=20, ocr_seconds=30)
    files = write(tmp_path, {"a.txt": b"One.", "b.txt": b"Two."})
    for found in derive_files(files, derivations.limits_of_the_processor, limits, processes=1):
        soft, hard = found.results[0]
        assert 50 < soft < 100 * (os.cpu_count() or 1)
        assert soft <= hard == MOST_CPU_SECONDS


def test_an_answer_that_is_too_long_is_not_sent(tmp_path: Path) -> None:
    files = write(tmp_path, {"slow.txt": b"Slow.", "quick.txt": b"Quick."})
    slow, quick = derive_files(files, derivations.send_much, Limits(characters=1_000_000), processes=1)
    assert [failure.reason for failure in slow.failures] == ["took too much memory"]
    assert quick.results == ("Quick.",)


@pytest.mark.parametrize("missing", [("something else",), ()])
def test_a_reader_that_could_not_be_shut_in_reads_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: tuple[str, ...]
) -> None:
    IDLE.end()
    start = worker_process._START.replace("serve(", f"w.enter = lambda *_, **__: {missing!r}; w.serve(")
    start = start.replace("from pincite.documents.worker import serve", "import pincite.documents.worker as w")
    monkeypatch.setattr(worker_process, "_START", start)
    (found,) = read_files(write(tmp_path, {"a.txt": b"One."}), processes=1)
    IDLE.end()
    assert [failure.reason for failure in found.failures] == (["not installed"] if missing else [])


@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
def test_libreoffice_starts_in_the_sandbox_of_a_reader(tmp_path: Path) -> None:
    (tmp_path / "lease.txt").write_text("LEASE\n\nThe rent is due monthly.\n")
    command = ["soffice", "--headless", "--convert-to", "doc:MS Word 97", "--outdir", str(tmp_path)]
    subprocess.run([*command, str(tmp_path / "lease.txt")], check=True, capture_output=True, timeout=120)
    head = b"\xffWPC\x30\0\0\0\x01\x0a\x02\x01\0\0\x10\0"  # WordPerfect 6: the text begins at byte 48, no index
    text = b"LEASE\xccThe\x80rent\x80is\x80due\x80monthly.\xcc"
    (tmp_path / "lease.wpd").write_bytes(head.ljust(48, b"\0") + text)
    for name in ("lease.doc", "lease.wpd"):
        (found,) = read_files([(tmp_path / name, name)], processes=1)
        assert not found.failures
        assert "The rent is due monthly." in found.documents[0].text


@pytest.mark.skipif(bool(missing_parts()), reason=f"this system has no whole sandbox: {missing_parts()}")
def test_the_sandbox_of_libreoffice_opens_no_file_but_its_own(tmp_path: Path) -> None:
    """It may make a socket and delete it. A file that it cannot convert is read there, too: anybody can have it."""
    (tmp_path / "own").mkdir()
    (tmp_path / "other.txt").write_text("another client's")
    attempts = f"""
import os, socket
from pathlib import Path
from pincite.documents.sandbox import enter
assert not enter(Path({str(tmp_path / "own")!r}), office=True)
own, other = Path({str(tmp_path / "own")!r}), Path({str(tmp_path / "other.txt")!r})
def writes(): (own / "a.txt").write_text("a")
def pipe(): socket.socket(socket.AF_UNIX).bind({str(tmp_path / "pipe")!r})
def reads_other(): other.read_text()
def changes_other(): other.write_text("a")
def cuts_other(): os.truncate(other, 0)
def makes_other(): other.with_name("new.txt").write_text("a")
def links_other(): os.link(other, own / "link")
def lists_other(): os.listdir(other.parent)
def passwords(): Path("/etc/passwd").read_text()
def logs(): os.listdir("/var/log")
def processes(): Path("/proc/1/cmdline").read_bytes()
for attempt in (writes, pipe, reads_other, changes_other, cuts_other, makes_other, links_other, lists_other, passwords,
                logs, processes):
    try:
        attempt()
    except OSError:
        continue
    print(attempt.__name__)
"""
    given = {**os.environ, **ONE_THREAD}
    done = subprocess.run([sys.executable, "-c", attempts], capture_output=True, text=True, check=True, env=given)
    allowed = {"writes"} | ({"pipe"} if str(tmp_path).startswith(("/tmp/", "/var/tmp/")) else set())
    assert set(done.stdout.split()) == allowed


def test_what_a_worker_sends_is_data_of_known_types(tmp_path: Path) -> None:
    files = write(tmp_path, {"slow.txt": b"Slow.", "quick.txt": b"Quick."})
    slow, quick = derive_files(files, derivations.send_an_object, processes=1)
    assert [failure.reason for failure in slow.failures] == ["damaged"]
    assert quick.results == ("Quick.",)


def test_a_worker_leaves_no_folder_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    IDLE.end()
    list(read_files(write(tmp_path / "in", {"a.docx": docx(p("Quick."))}), processes=1))
    IDLE.end()
    assert list((tmp_path / "temporary").iterdir()) == []


def test_a_file_that_takes_too_long_is_given_up_and_the_next_is_read(tmp_path: Path) -> None:
    files = write(tmp_path, {"slow.pdf": big(600), "quick.docx": docx(p("Quick."))})
    begin = time.perf_counter()
    slow, quick = read_files(files, Limits(seconds=1), processes=1)
    assert [failure.reason for failure in slow.failures] == ["took too long"]
    assert str(slow.failures[0]).startswith(f"{tmp_path}/slow.pdf: was not read within 1 s")
    assert quick.documents[0].text == "Quick."
    assert time.perf_counter() - begin < 15


@pytest.mark.skipif(sys.platform != "linux", reason="the limit on memory needs Linux")
def test_a_file_that_takes_too_much_memory_is_given_up(tmp_path: Path) -> None:
    hungry = packed([(f"{i}.txt", os.urandom(30 * MIB).hex()) for i in range(2)])
    files = write(tmp_path, {"hungry.zip": hungry, "small.docx": docx(p("Small."))})
    found = list(read_files(files, Limits(memory_bytes=150 * MIB), processes=1))
    assert "took too much memory" in [failure.reason for failure in found[0].failures]
    assert found[1].documents[0].text == "Small."


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> "list[subprocess.Popen[bytes]]":
    """The processes that a test starts."""
    IDLE.end()
    found: list[subprocess.Popen[bytes]] = []
    start = subprocess.Popen

    def record(*args: Any, **options: Any) -> "subprocess.Popen[bytes]":
        found.append(start(*args, **options))
        return found[-1]

    monkeypatch.setattr(subprocess, "Popen", record)
    return found


def test_a_worker_that_dies_is_replaced(
    tmp_path: Path, started: "list[subprocess.Popen[bytes]]", monkeypatch: pytest.MonkeyPatch
) -> None:
    files = write(tmp_path, {"slow.pdf": big(800), "next.docx": docx(p("Next."))})
    killer = threading.Timer(0.3, lambda: started[0].kill())
    ask = worker_process._Clock.ask

    def asked(clock: "worker_process._Clock", request: object, on_page: Any = None) -> object:
        if isinstance(request, FileContent) and not killer.is_alive() and len(started) == 1:
            killer.start()  # it reads by now, or will in a moment
        return ask(clock, request, on_page)

    monkeypatch.setattr(worker_process._Clock, "ask", asked)
    dead, after = read_files(files, processes=1)
    killer.join()
    assert len(started) == 2
    assert [failure.reason for failure in dead.failures] == ["damaged"]
    assert "crash" in str(dead.failures[0])
    assert after.documents[0].text == "Next."


def test_leaving_early_ends_the_workers(tmp_path: Path, started: "list[subprocess.Popen[bytes]]") -> None:
    readings = read_files(write(tmp_path, {f"{i}.pdf": big(100) for i in range(4)}), processes=2)
    next(readings)
    readings.close()
    assert len(started) >= 2
    assert all(process.poll() is not None for process in started)


@pytest.mark.skipif(sys.platform == "win32", reason="asks for processes by number as POSIX does")
def test_a_script_without_a_guard_can_read_files_and_its_workers_end_with_it(tmp_path: Path) -> None:
    write(tmp_path, {"a.docx": docx(p("Word.")), "b.pdf": big(1000)})
    script = tmp_path / "script.py"
    script.write_text(
        "import os, pathlib, subprocess, time\n"
        "from pincite.documents import read_files\n"
        "start, started = subprocess.Popen, []\n"
        "subprocess.Popen = lambda *a, **o: started.append(start(*a, **o)) or started[-1]\n"
        f"root = pathlib.Path({str(tmp_path)!r})\n"
        "readings = read_files([(root / 'a.docx', 'a'), (root / 'b.pdf', 'b')] * 4, processes=1)\n"
        "assert next(readings).documents[0].text == 'Word.'\n"
        "print(started[0].pid, flush=True)\n"
        "time.sleep(0.5)\n"
        "os._exit(0)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=True)
    worker = int(done.stdout)
    deadline = time.perf_counter() + 10
    while _is_alive(worker) and time.perf_counter() < deadline:
        time.sleep(0.05)
    assert not _is_alive(worker)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True
