"""The parent's side of a worker process: starts it, asks it, ends it when it takes too long, and keeps it for later."""

import atexit
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from pincite.documents.failures import Unreadable
from pincite.documents.limits import Limits
from pincite.documents.process_limits import ONE_THREAD, kill_group
from pincite.documents.read import file_bytes
from pincite.documents.worker import (
    GRACE_SECONDS,
    LEAST_SENT,
    LENGTH_BYTES,
    OUTCOME,
    PAGE,
    READY,
    FileContent,
    FileTask,
    Outcome,
    WorkOrder,
)
from pincite.errors import DataError
from pincite.text.typed_json import TypedJson

OFFICE = "LibreOffice cannot convert it"
"""What a reader says of a file that LibreOffice did not convert: perhaps it did not start."""
OWN_FOLDER = "pincite-reader-"
"""How the name of a worker's own folder begins."""
EXHAUSTED = ("took too much memory", "took too long")
"""Failures after which a worker is not used again."""
START_SECONDS = 60.0
"""Time that a worker process may take to start."""
_START = "import sys; sys.path[:] = {!r}; from pincite.documents.worker import serve; serve({!r}, office={!r})"

_VARIABLES = ("PATH", "HOME", "TMPDIR", "TESSDATA_PREFIX", "OMP_THREAD_LIMIT")
"""The environment that the programs which readers start depend on."""

OnPage = Callable[[int, int], None]
"""Is told how many of how many scanned pages are recognised."""


@dataclass(slots=True)
class WorkerProcess:
    """A process that reads files. It is started when it is needed, and again after it was ended."""

    order: WorkOrder
    process: "subprocess.Popen[bytes] | None" = None
    dismissed: bool = False
    office: bool = False
    """Whether its sandbox is the wider one that LibreOffice needs."""

    def read(self, task: FileTask, on_page: OnPage) -> Outcome:
        """Read a file. A process that takes too long is ended. A file that only LibreOffice can read is read again by
        a process in which it starts."""
        outcome = self._read(task, on_page)
        if not any(failure.reason == "damaged" and OFFICE in failure.advice for failure in outcome.failures):
            return outcome
        wider = WorkerProcess(self.order, office=True)
        try:
            return wider._read(task, on_page)
        finally:
            wider.end()

    def _read(self, task: FileTask, on_page: OnPage) -> Outcome:
        if self.dismissed:
            return Outcome(())
        data = file_bytes(task.path, self.order.limits)
        if self.process is not None and self.process.poll() is not None:
            self.end()
        if self.process is None:
            self._start(task.name or str(task.path))
        clock = _Clock(self._running, self.order.limits, self.order.codec, self.order.most_sent)
        outcome = clock.ask(FileContent(data, task.name or str(task.path), task.document_id), on_page)
        if isinstance(outcome, Outcome):
            if any(failure.reason in EXHAUSTED for failure in outcome.failures):
                self.end()  # and with it the programs that it may have left behind
            return outcome
        self.end()
        raise _failure(task.name or str(task.path), self.order.limits, clock)

    @property
    def _running(self) -> "subprocess.Popen[bytes]":
        assert self.process is not None
        return self.process

    def _start(self, path: str) -> None:
        """Take a process that waits for work, or start one, and tell it what the work is."""
        self.process = None if self.office else IDLE.take()
        if self.process is not None and self._is_told():
            return
        self.end()
        # Not multiprocessing: it would run the caller's script again unless that has a `__main__` guard.
        own = tempfile.mkdtemp(prefix=OWN_FOLDER)
        self.process = subprocess.Popen(
            [sys.executable, "-c", _START.format(sys.path, own, self.office), own],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # it ends with all that it starts
            env={**os.environ, **ONE_THREAD},
        )
        if _Clock(self._running, Limits(seconds=START_SECONDS)).ask(None) != READY or not self._is_told():
            self.end()
            advice = "cannot be read, because no worker process starts; check the Python installation"
            raise Unreadable(path, "not installed", advice)

    def _is_told(self) -> bool:
        return _Clock(self._running, Limits(seconds=START_SECONDS)).ask(self.order) == READY

    def end(self) -> None:
        """End the process, even in the middle of a file."""
        process, self.process = self.process, None
        if process is not None:
            _end(process)

    def rest(self) -> None:
        """Keep the process for the next caller."""
        process, self.process = self.process, None
        if process is not None:
            IDLE.keep(process)


class _Clock:
    """Waits for an answer, and ends the process when its time is up. Reading and OCR have a time each."""

    def __init__(
        self,
        process: "subprocess.Popen[bytes]",
        limits: Limits,
        codec: TypedJson | None = None,
        most_sent: int = LEAST_SENT,
    ) -> None:
        self.process = process
        self.codec = codec or TypedJson(())
        self.most_sent = most_sent
        self.left = {"reading": limits.seconds, "ocr": limits.ocr_seconds + GRACE_SECONDS}
        self.late = ""
        """What took too long."""
        self._phase, self._begin, self._timer = "reading", 0.0, threading.Timer(0, lambda: None)

    def ask(self, request: object, on_page: OnPage | None = None) -> object:
        """The answer, or None if the process ended or was ended."""
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None
        assert stdout is not None
        self._run("reading")
        try:
            if request is not None:
                pickle.dump(request, stdin)
                stdin.flush()
            while (message := self._received(stdout))[0] == PAGE:
                _, done, pages = message
                self._run("reading" if done == pages else "ocr")
                if on_page:
                    on_page(int(done), int(pages))
            kind, *parts = message
            return Outcome.of(*parts) if kind == OUTCOME else kind
        except (EOFError, OSError, ValueError, TypeError, ArithmeticError, MemoryError, DataError):
            return None
        finally:
            self._timer.cancel()

    def _received(self, stdout: IO[bytes]) -> list[Any]:
        """The next message. A worker that sends anything else, or far too much, is not believed."""
        length = int.from_bytes(_exactly(stdout, LENGTH_BYTES), "little")
        if length > self.most_sent:
            raise ValueError(f"{length} bytes in one answer")
        message = self.codec.load(_exactly(stdout, length))
        if not isinstance(message, list) or not message:
            raise ValueError("not an answer")
        return message

    def _run(self, phase: str) -> None:
        """Count the time of one phase, and stop counting that of the other."""
        now = time.monotonic()
        if self._begin and phase == self._phase:
            return
        self._timer.cancel()
        if self._begin:
            self.left[self._phase] -= now - self._begin
        self._phase, self._begin = phase, now

        def stop() -> None:
            self.late = phase
            kill_group(self.process)

        self._timer = threading.Timer(max(0.0, self.left[phase]), stop)
        self._timer.daemon = True
        self._timer.start()


def _exactly(stdout: IO[bytes], length: int) -> bytes:
    data = stdout.read(length)
    if len(data) < length:
        raise EOFError
    return data


def _failure(path: str, limits: Limits, clock: _Clock) -> Unreadable:
    if clock.late == "ocr":
        late = f"its scanned pages were not recognised within {limits.ocr_seconds:g} s"
        advice = f"{late}; split it, or raise Limits.ocr_seconds (--ocr-seconds)"
        return Unreadable(path, "took too long", advice)
    if clock.late:
        advice = f"was not read within {limits.seconds:g} s; split it, or raise Limits.seconds (--seconds)"
        return Unreadable(path, "took too long", advice)
    advice = "crashed its reader, or used too much memory; copy it again, or print it to a new PDF"
    return Unreadable(path, "damaged", advice)


def _end(process: "subprocess.Popen[bytes]") -> None:
    kill_group(process)
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):  # closing may flush a request that no one reads
                pipe.close()
    shutil.rmtree(process.args[-1], ignore_errors=True)  # type: ignore[index, arg-type]


@dataclass(slots=True)
class _IdleProcesses:
    """Processes that wait for work: starting one takes half a second. They exit by themselves after a minute."""

    waiting: "list[tuple[tuple[object, ...], subprocess.Popen[bytes]]]" = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self) -> "subprocess.Popen[bytes] | None":
        """A process that was started in the same folder and environment."""
        with self.lock:
            waiting, self.waiting = self.waiting, []
            found = None
            for surroundings, process in waiting:
                if surroundings[0] != os.getpid():  # of the process that this one was forked from
                    continue
                if process.poll() is not None:
                    _end(process)
                elif found is None and surroundings == _surroundings():
                    found = process
                else:
                    self.waiting.append((surroundings, process))
        return found

    def keep(self, process: "subprocess.Popen[bytes]") -> None:
        """Keep a process for later, and end the one that waited longest if there are too many."""
        with self.lock:
            self.waiting.append((_surroundings(), process))
            surplus = [self.waiting.pop(0) for _ in range(len(self.waiting) - (os.cpu_count() or 1))]
        for _, older in surplus:
            _end(older)

    def end(self) -> None:
        """End all of them."""
        with self.lock:
            waiting, self.waiting = self.waiting, []
        for surroundings, process in waiting:
            if surroundings[0] == os.getpid():
                _end(process)


def _surroundings() -> tuple[object, ...]:
    return os.getpid(), Path.cwd(), tuple(sys.path), tuple(os.environ.get(name) for name in _VARIABLES)


IDLE = _IdleProcesses()
atexit.register(IDLE.end)
