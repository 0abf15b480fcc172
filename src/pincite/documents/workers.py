"""Reads many files at once, in order, in worker processes: a file that hangs or crashes its worker harms no other."""

import os
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

from pincite.documents.failures import Unreadable
from pincite.documents.limits import Limits
from pincite.documents.read import FileReading
from pincite.documents.request import OCR_LANGUAGE
from pincite.documents.worker import FileTask, Outcome, WorkOrder
from pincite.documents.worker_process import WorkerProcess
from pincite.text import Document

FILES_AHEAD = 3
"""Files per worker that are read before the caller asks for them."""
_LISTEN_SECONDS = 0.2
"""How often the caller is told of recognised pages."""

T = TypeVar("T")
File = tuple[Path, str]
"""A path and the id of the document in it."""
OcrProgress = Callable[[Path, int, int], None]
"""Is told (file, done, all) while the scanned pages of a file are recognised."""


@dataclass(frozen=True, slots=True)
class Derived(Generic[T]):
    """What was made of the documents in a file, notes for the user, and the parts that could not be read."""

    results: tuple[T, ...]
    notes: tuple[str, ...] = ()
    failures: tuple[Unreadable, ...] = ()


def read_files(
    files: Iterable[File],
    limits: Limits = Limits(),  # noqa: B008
    processes: int | None = None,
    ocr: bool = True,
) -> Iterator[FileReading]:
    """Read each file, in order. A file that cannot be read is reported in `failures`, and the next one is read.

    Files are read by worker processes, which end or rest with this generator.
    """
    for outcome in _outcomes(files, WorkOrder(limits, ocr, OCR_LANGUAGE), processes, None):
        yield FileReading(outcome.results, outcome.notes, outcome.failures)


def derive_files(
    files: Iterable[File],
    derive: Callable[[Document], T],
    limits: Limits = Limits(),  # noqa: B008
    processes: int | None = None,
    ocr: bool = True,
    ocr_language: str = OCR_LANGUAGE,
    progress: OcrProgress | None = None,
) -> Iterator[Derived[T]]:
    """Read each file, in order, and call `derive` on its documents in the same process, within the same limits.

    `derive` must be possible to pickle: a function of a module, or an instance of its classes.
    """
    for outcome in _outcomes(files, WorkOrder(limits, ocr, ocr_language, derive), processes, progress):
        yield Derived(outcome.results, outcome.notes, outcome.failures)


def _outcomes(
    files: Iterable[File], order: WorkOrder, processes: int | None, progress: OcrProgress | None
) -> Iterator[Outcome]:
    pool = WorkerPool(order, processes or os.cpu_count() or 1)
    window: deque[Future[Outcome]] = deque()
    try:
        for file in files:
            window.append(pool.submit(FileTask(*file)))
            if len(window) >= FILES_AHEAD * pool.processes:
                yield pool.result(window.popleft(), progress)
        while window:
            yield pool.result(window.popleft(), progress)
        pool.rest()
    finally:
        pool.close()


@dataclass(slots=True)
class WorkerPool:
    """Threads that each drive one worker process."""

    order: WorkOrder
    processes: int
    threads: ThreadPoolExecutor | None = None
    local: threading.local = field(default_factory=threading.local)
    workers: list[WorkerProcess] = field(default_factory=list)
    pages: "queue.SimpleQueue[tuple[Path, int, int]]" = field(default_factory=queue.SimpleQueue)
    """News of recognised pages."""

    def submit(self, task: FileTask) -> "Future[Outcome]":
        if self.threads is None:
            self.threads = ThreadPoolExecutor(self.processes, thread_name_prefix="pincite-reader")
        return self.threads.submit(self._read, task)

    def result(self, future: "Future[Outcome]", progress: OcrProgress | None) -> Outcome:
        """Wait for a file, and pass on the news meanwhile, in the thread of the caller."""
        while progress:
            is_done = bool(wait([future], _LISTEN_SECONDS).done)
            while not self.pages.empty():
                progress(*self.pages.get())
            if is_done:
                break
        return future.result()

    def _read(self, task: FileTask) -> Outcome:
        worker: WorkerProcess | None = getattr(self.local, "worker", None)
        if worker is None:
            worker = self.local.worker = WorkerProcess(self.order)
            self.workers.append(worker)
        try:
            return worker.read(task, lambda done, pages: self.pages.put((task.path, done, pages)))
        except Unreadable as error:
            return Outcome((), (), (error,))

    def rest(self) -> None:
        """Keep the workers for the next caller, after all work is done."""
        for worker in self.workers:
            worker.rest()

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
