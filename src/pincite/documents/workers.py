"""Reads many files at once, in order: each in a worker process that a bad file may hang, fill or crash."""

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
from pincite.documents.formats import is_plain

AHEAD = 3
"""So many files for each worker are under way or read before the caller has asked for them."""
START_SECONDS = 60.0

File = tuple[Path, str]


def read_files(
    files: Iterable[File],
    limits: Limits = Limits(),  # noqa: B008
    processes: int | None = None,
    ocr: bool = True,
) -> Iterator[FileReading]:
    """A reading for each file, in order. What cannot be read is in `failures`, and the rest goes on.

    Plain text is read in this process. Everything else is read by workers, which are started when the first such
    file comes and end with this generator.
    """
    crew = _Crew(limits, processes or os.cpu_count() or 1, ocr)
    window: deque[File | Future[FileReading]] = deque()
    try:
        for file in files:
            window.append(file if _is_plain(file[0]) else crew.submit(file))
            if len(window) >= AHEAD * crew.processes:
                yield _taken(window.popleft(), limits, ocr)
        while window:
            yield _taken(window.popleft(), limits, ocr)
    finally:
        crew.close()


def _taken(entry: "File | Future[FileReading]", limits: Limits, ocr: bool) -> FileReading:
    if isinstance(entry, Future):
        return entry.result()
    try:
        return read_file(*entry, limits, ocr)
    except Unreadable as error:
        return FileReading((), (), (error,))


def _is_plain(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return is_plain(file.read(4096), path.suffix.lower())
    except OSError:
        return True  # read_file says what is wrong


@dataclass(slots=True)
class _Crew:
    """Threads that each keep one worker process busy."""

    limits: Limits
    processes: int
    ocr: bool
    pool: ThreadPoolExecutor | None = None
    own: threading.local = field(default_factory=threading.local)
    workers: "list[_Worker]" = field(default_factory=list)

    def submit(self, file: File) -> "Future[FileReading]":
        if self.pool is None:
            self.pool = ThreadPoolExecutor(self.processes, thread_name_prefix="pincite-reader")
        return self.pool.submit(self._read, file)

    def _read(self, file: File) -> FileReading:
        worker: _Worker | None = getattr(self.own, "worker", None)
        if worker is None:
            worker = self.own.worker = _Worker()
            self.workers.append(worker)
        try:
            return worker.read(file, self.limits, self.ocr)
        except Unreadable as error:
            return FileReading((), (), (error,))

    def close(self) -> None:
        """Ends all workers, also those in the middle of a file."""
        if self.pool is None:
            return
        self.pool.shutdown(wait=False, cancel_futures=True)
        for worker in self.workers:
            worker.dismissed = True
            worker.end()
        self.pool.shutdown(wait=True)
        for worker in self.workers:
            worker.end()


@dataclass(slots=True)
class _Worker:
    """One process, started anew after it was ended."""

    process: "subprocess.Popen[bytes] | None" = None
    dismissed: bool = False

    def read(self, file: File, limits: Limits, ocr: bool) -> FileReading:
        """Has a file read; a worker that takes too long is ended."""
        path = str(file[0])
        if self.dismissed:
            return FileReading(())
        if self.process is None or self.process.poll() is not None:
            self._start(path)
        reading, late = self._ask(limits.seconds, (*file, limits, ocr))
        if isinstance(reading, FileReading):
            if any(failure.reason == "took too much memory" for failure in reading.failures):
                self.end()
            return reading
        self.end()
        if late:
            advice = f"was not read after {limits.seconds:g} s; split it, or raise Limits.seconds"
            raise Unreadable(path, "took too long", advice)
        raise Unreadable(
            path, "damaged", "made its reader crash, or take too much memory; copy it again, or print it to a new PDF"
        )

    def _start(self, path: str) -> None:
        # A program of its own, not multiprocessing: that would run the caller's script again unless it is guarded.
        code = f"import sys; sys.path[:] = {sys.path!r}; from pincite.documents.worker import serve; serve()"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        ready, _ = self._ask(START_SECONDS)
        if ready != "ready":
            self.end()
            raise Unreadable(path, "not installed", "no worker process can be started; check the Python installation")

    def _ask(self, seconds: float, request: object = None) -> tuple[object, bool]:
        """The worker's answer, or None if it ended; and whether it was ended for being late."""
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
                with suppress(OSError):  # an unsent request that nobody will read
                    pipe.close()
