"""A worker process: reads one file after another for its parent within a memory limit, and exits with the parent."""

import os
import pickle
import queue
import sys
import threading
from pathlib import Path
from typing import IO, Any

from pincite.documents.failures import Unreadable
from pincite.documents.limits import Limits
from pincite.documents.process_limits import lift_memory_limit, limit_memory, reserve_stdout
from pincite.documents.read import FileReading, memory_failure, read_file


def serve() -> None:
    """Answer the requests on standard input until it is closed."""
    answers = reserve_stdout()
    requests: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, requests), daemon=True).start()
    _send(answers, "ready")
    while True:
        _send(answers, _read_limited(*requests.get()))


def _read_limited(path: Path, document_id: str, limits: Limits, ocr: bool) -> FileReading:
    limit_memory(limits.memory_bytes)
    try:
        return read_file(path, document_id, limits, ocr)
    except Unreadable as error:
        return FileReading.failed(error)
    except MemoryError:
        return FileReading.failed(memory_failure(str(path), limits))
    finally:
        lift_memory_limit()


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
