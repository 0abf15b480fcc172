"""Reads many files at once, in order, in worker processes: a file that hangs or crashes its worker harms no other."""

import os
import pickle
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from pincite.documents.failures import Unreadable
from pincite.documents.limits import Limits
from pincite.documents.read import FileReading, read_file
from pincite.documents.recognition import HEAD_BYTES, is_plain

FILES_AHEAD = 3
"""Files per worker that are read before the caller asks for them."""
START_SECONDS = 60.0
"""Time that a worker process may take to start."""

File = tuple[Path, str]
"""A path and the id of the document in it."""


def read_files(
    files: Iterable[File],
    limits: Limits = Limits(),  # noqa: B008
    processes: int | None = None,
    ocr: bool = True,
) -> Iterator[FileReading]:
    """Read each file, in order. A file that cannot be read is reported in `failures`, and the next one is read.

    Plain text is read in this process. Everything else is read by worker processes. They start with the first such
    file and end with this generator.
    """
    pool = _WorkerPool(limits, processes or os.cpu_count() or 1, ocr)
    window: deque[File | Future[FileReading]] = deque()
    try:
        for file in files:
            window.append(file if _is_plain(file[0]) else pool.submit(file))
            if len(window) >= FILES_AHEAD * pool.processes:
                yield _reading(window.popleft(), limits, ocr)
        while window:
            yield _reading(window.popleft(), limits, ocr)
    finally:
        pool.close()


def _reading(entry: "File | Future[FileReading]", limits: Limits, ocr: bool) -> FileReading:
    if isinstance(entry, Future):
        return entry.result()
    try:
        return read_file(*entry, limits, ocr)
    except Unreadable as error:
        return FileReading.failed(error)


def _is_plain(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return is_plain(file.read(HEAD_BYTES), path.suffix.lower())
    except OSError:
        return True  # read_file raises the error that explains it


@dataclass(slots=True)
class _WorkerPool:
    """Threads that each drive one worker process."""

    limits: Limits
    processes: int
    ocr: bool
    threads: ThreadPoolExecutor | None = None
    local: threading.local = field(default_factory=threading.local)
    workers: "list[_WorkerProcess]" = field(default_factory=list)

    def submit(self, file: File) -> "Future[FileReading]":
        if self.threads is None:
            self.threads = ThreadPoolExecutor(self.processes, thread_name_prefix="pincite-reader")
        return self.threads.submit(self._read, file)

    def _read(self, file: File) -> FileReading:
        worker: _WorkerProcess | None = getattr(self.local, "worker", None)
        if worker is None:
            worker = self.local.worker = _WorkerProcess()
            self.workers.append(worker)
        try:
            return worker.read(file, self.limits, self.ocr)
        except Unreadable as error:
            return FileReading.failed(error)

    def close(self) -> None:
        """End all workers, even those in the middle of a file."""
        if self.threads is None:
            return
        self.threads.shutdown(wait=False, cancel_futures=True)
        for worker in self.workers:
            worker.dismissed = True
            worker.end()
        self.threads.shutdown(wait=True)
        for worker in self.workers:
            worker.end()


@dataclass(slots=True)
class _WorkerProcess:
    """A process that reads files. It is restarted after it was ended."""

    process: "subprocess.Popen[bytes] | None" = None
    dismissed: bool = False

    def read(self, file: File, limits: Limits, ocr: bool) -> FileReading:
        """Read a file. A process that takes too long is ended."""
        path = str(file[0])
        if self.dismissed:
            return FileReading(())
        if self.process is None or self.process.poll() is not None:
            self._start(path)
        reading, is_late = self._ask(limits.seconds, (*file, limits, ocr))
        if isinstance(reading, FileReading):
            if any(failure.reason == "took too much memory" for failure in reading.failures):
                self.end()
            return reading
        self.end()
        if is_late:
            advice = f"was not read within {limits.seconds:g} s; split it, or raise Limits.seconds"
            raise Unreadable(path, "took too long", advice)
        advice = "crashed its reader, or used too much memory; copy it again, or print it to a new PDF"
        raise Unreadable(path, "damaged", advice)

    def _start(self, path: str) -> None:
        # Not multiprocessing: it would run the caller's script again unless that has a `__main__` guard.
        code = f"import sys; sys.path[:] = {sys.path!r}; from pincite.documents.worker import serve; serve()"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        ready, _ = self._ask(START_SECONDS)
        if ready != "ready":
            self.end()
            advice = "cannot be read, because no worker process starts; check the Python installation"
            raise Unreadable(path, "not installed", advice)

    def _ask(self, seconds: float, request: object = None) -> tuple[object, bool]:
        """The worker's answer, or None if the worker ended; and whether it was ended for taking too long."""
        process = self.process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        late = threading.Event()

        def stop() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(seconds, stop)
        timer.daemon = True
        timer.start()
        try:
            if request is not None:
                pickle.dump(request, process.stdin)
                process.stdin.flush()
            return pickle.load(process.stdout), False
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            return None, late.is_set()
        finally:
            timer.cancel()

    def end(self) -> None:
        process, self.process = self.process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):  # closing may flush a request that no one reads
                    pipe.close()
