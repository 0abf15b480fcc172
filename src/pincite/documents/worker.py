"""A worker process: reads one file after another for its parent within a memory limit, and exits with the parent."""

import os
import pickle
import queue
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple

from pincite.documents.failures import Unreadable
from pincite.documents.limits import Limits
from pincite.documents.process_limits import lift_memory_limit, limit_memory, reserve_stdout
from pincite.documents.read import FileReading, memory_failure, read_file
from pincite.text import Document

READY = "ready"
"""The answer of a worker that has started, or has understood a `WorkOrder`."""
IDLE_SECONDS = 60.0
"""Time after which a worker without work exits."""

Derive = Callable[[Document], Any]
"""What is made of each document in the worker. It must be possible to pickle it."""


@dataclass(frozen=True, slots=True)
class WorkOrder:
    """How the files that follow are read, and what is made of their documents."""

    limits: Limits
    ocr: bool
    ocr_language: str
    derive: Derive | None = None


class FileTask(NamedTuple):
    """A file to read, and the id of the document in it."""

    path: Path
    document_id: str


class OcrPage(NamedTuple):
    """How many of the scanned pages of a file are recognised: 0 of them when recognition starts."""

    done: int
    pages: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a file: its documents, or what was made of them."""

    results: tuple[Any, ...]
    notes: tuple[str, ...] = ()
    failures: tuple[Unreadable, ...] = ()


def serve() -> None:
    """Answer the requests on standard input until it is closed, or nothing came for a while."""
    os.environ.setdefault("OMP_THREAD_LIMIT", "1")  # tesseract: the workers share the cores already
    answers = reserve_stdout()
    requests: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, requests), daemon=True).start()
    _send(answers, READY)
    order: WorkOrder | None = None
    while True:
        try:
            request = requests.get(timeout=IDLE_SECONDS)
        except queue.Empty:
            return
        if isinstance(request, WorkOrder):
            order = request
            _send(answers, READY)
        elif order is not None:
            _send(answers, _read_limited(request, order, lambda *page: _send(answers, OcrPage(*page))))


def _read_limited(task: FileTask, order: WorkOrder, on_page: Callable[[int, int], None]) -> Outcome:
    limit_memory(order.limits.memory_bytes)
    try:
        reading = read_file(*task, order.limits, order.ocr, order.ocr_language, on_page)
        return derived(reading, order)
    except Unreadable as error:
        return Outcome((), (), (error,))
    except MemoryError:
        return Outcome((), (), (memory_failure(str(task.path), order.limits),))
    finally:
        lift_memory_limit()


def derived(reading: FileReading, order: WorkOrder) -> Outcome:
    """What is made of the documents of a file. A document with which that fails does not harm the others."""
    if order.derive is None:
        return Outcome(reading.documents, reading.notes, reading.failures)
    results: list[Any] = []
    failures = list(reading.failures)
    for document in reading.documents:
        name = document.source.path or document.id
        try:
            results.append(order.derive(document))
        except Unreadable as error:
            failures.append(error)
        except MemoryError:
            failures.append(memory_failure(name, order.limits))
        except Exception as error:  # noqa: BLE001  (a document that no one foresaw must not end the others)
            cause = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
            failures.append(Unreadable(name, "damaged", f"cannot be divided into passages ({cause}); split it"))
    return Outcome(tuple(results), reading.notes, tuple(failures))


def _listen(stdin: IO[bytes], requests: "queue.SimpleQueue[Any]") -> None:
    """Queue the requests of the parent. When the parent exits, this process exits too, even in the middle of a file."""
    while True:
        try:
            requests.put(pickle.load(stdin))
        except (EOFError, OSError, pickle.UnpicklingError):
            os._exit(0)


def _send(answers: IO[bytes], message: object) -> None:
    pickle.dump(message, answers, protocol=pickle.HIGHEST_PROTOCOL)
    answers.flush()
