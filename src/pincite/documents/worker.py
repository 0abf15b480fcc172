"""A worker process: reads one file after another for its parent, shut in and within limits, and exits with the parent.

The parent sends orders and the bytes of files; what the worker sends back is data (JSON of known types), never code.
"""

import os
import pickle
import queue
import shutil
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any, NamedTuple

from pincite.documents.failures import Unreadable
from pincite.documents.limits import MIB, Limits
from pincite.documents.process_limits import lift_memory_limit, limit_cpu, limit_memory, reserve_stdout
from pincite.documents.read import FileReading, memory_failure, read_bytes
from pincite.documents.sandbox import enter, unexpected
from pincite.text import Document, Source
from pincite.text.boxes import Boxes
from pincite.text.typed_json import TypedJson

READY, PAGE, OUTCOME = "ready", "page", "outcome"
"""What a worker sends: that it has started or understood a `WorkOrder`, a recognised page, what became of a file."""
OWN_TYPES: tuple[type, ...] = (Document, Source, Boxes)
"""The types of what a reader gives."""
LENGTH_BYTES = 8
IDLE_SECONDS = 60.0
"""Time after which a worker without work exits."""
LEAST_SENT = 16 * MIB
"""Bytes that an answer may have whatever the limits are."""
SENT_PER_CHARACTER = 16
"""Bytes of an answer for each character of text: its own, and those of the units and boxes that it stands in."""
GRACE_SECONDS = 5.0
"""Time that a worker has to stop OCR by itself after `Limits.ocr_seconds`."""

Derive = Callable[[Document], Any]
"""What is made of each document in the worker. It must be possible to pickle it."""


@dataclass(frozen=True, slots=True)
class WorkOrder:
    """How the files that follow are read, and what is made of their documents."""

    limits: Limits
    ocr: bool
    ocr_language: str
    derive: Derive | None = None

    @property
    def codec(self) -> TypedJson:
        """How answers are written: what is made of a document consists of the types that `derive.types` names."""
        return TypedJson((*OWN_TYPES, *getattr(self.derive, "types", ())))

    @property
    def most_sent(self) -> int:
        """Bytes of an answer: what the text may need, and at most half of the memory that a worker has."""
        for_text = SENT_PER_CHARACTER * self.limits.characters
        return max(LEAST_SENT, min(for_text, self.limits.memory_bytes // 2))

    @property
    def cpu_seconds(self) -> float:
        """The processor's time for one file: more than the clock of the parent gives it."""
        return (self.limits.seconds + self.limits.ocr_seconds + GRACE_SECONDS) * (os.cpu_count() or 1)


class FileTask(NamedTuple):
    """A file to read, and the id of the document in it."""

    path: Path
    document_id: str
    name: str = ""
    """What readers and messages call it, where that is not its path."""


class FileContent(NamedTuple):
    """The bytes of a file, its name, and the id of the document in it."""

    data: bytes
    name: str
    document_id: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a file: its documents, or what was made of them."""

    results: tuple[Any, ...]
    notes: tuple[str, ...] = ()
    failures: tuple[Unreadable, ...] = ()

    @property
    def parts(self) -> tuple[object, object, object]:
        """The outcome as it is sent."""
        return self.results, self.notes, tuple((error.name, error.reason, error.advice) for error in self.failures)

    @classmethod
    def of(cls, results: Any, notes: Any, failures: Any) -> "Outcome":
        """The outcome that was sent."""
        return cls(tuple(results), tuple(map(str, notes)), tuple(Unreadable(*map(str, parts)) for parts in failures))


def serve(own: str, *, office: bool = False) -> None:
    """Answer the requests on standard input until it is closed, or nothing came for a while. Files are written below
    `own` alone. `office`: in the wider sandbox that LibreOffice needs."""
    os.environ.setdefault("OMP_THREAD_LIMIT", "1")  # tesseract: the workers share the cores already
    os.environ["TMPDIR"] = os.environ["HOME"] = own
    answers = reserve_stdout()
    _send(answers, [READY], TypedJson(()))
    try:
        order: WorkOrder = pickle.load(sys.stdin.buffer)
    except (EOFError, OSError, pickle.UnpicklingError):
        return
    if office:  # it reads one file
        limit_cpu(order.cpu_seconds, for_good=True)
    if unexpected(enter(Path(own), office=office)):  # what the order needs is loaded by now
        return
    requests: queue.SimpleQueue[Any] = queue.SimpleQueue()
    requests.put(order)
    threading.Thread(target=_listen, args=(sys.stdin.buffer, requests, own), daemon=True).start()
    codec = order.codec
    while True:
        try:
            request = requests.get(timeout=IDLE_SECONDS)
        except queue.Empty:
            return
        if isinstance(request, WorkOrder):
            order, codec = request, request.codec
            _send(answers, [READY], codec)
        else:
            told = partial(_tell_page, answers, codec)
            _write(answers, _read_limited(request, order, codec, told))


def _tell_page(answers: IO[bytes], codec: TypedJson, done: int, pages: int) -> None:
    _send(answers, [PAGE, done, pages], codec)


def _read_limited(
    content: FileContent, order: WorkOrder, codec: TypedJson, on_page: Callable[[int, int], None]
) -> bytes:
    """What became of a file, as it is sent."""
    limit_memory(order.limits.memory_bytes)
    limit_cpu(order.cpu_seconds)
    try:
        reading = read_bytes(*content, order.limits, order.ocr, order.ocr_language, on_page)
        data = codec.dump([OUTCOME, *derived(reading, order).parts])
        if len(data) <= order.most_sent:
            return data
        failure = memory_failure(content.name, order.limits)
    except Unreadable as error:
        failure = error
    except MemoryError:
        failure = memory_failure(content.name, order.limits)
    finally:
        lift_memory_limit()
    return codec.dump([OUTCOME, *Outcome((), (), (failure,)).parts])


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


def _listen(stdin: IO[bytes], requests: "queue.SimpleQueue[Any]", own: str) -> None:
    """Queue the requests of the parent. When the parent exits, this process exits too, even in the middle of a file."""
    while True:
        try:
            requests.put(pickle.load(stdin))
        except (EOFError, OSError, pickle.UnpicklingError):
            shutil.rmtree(own, ignore_errors=True)  # nobody else may be left to do it
            if hasattr(os, "getpgrp") and os.getpgrp() == os.getpid():
                os.kill(0, signal.SIGKILL)  # the programs that it started, and itself
            os._exit(0)


def _send(answers: IO[bytes], message: list[object], codec: TypedJson) -> None:
    _write(answers, codec.dump(message))


def _write(answers: IO[bytes], data: bytes) -> None:
    answers.write(len(data).to_bytes(LENGTH_BYTES, "little") + data)
    answers.flush()
