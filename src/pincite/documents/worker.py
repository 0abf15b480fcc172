"""A worker process: reads one file after another for its parent, within a limit on memory, and ends with it."""

import os
import pickle
import queue
import sys
import threading
from typing import IO, Any

from pincite.documents.failures import Unreadable
from pincite.documents.read import FileReading, read_file


def serve() -> None:
    """Answers requests on standard input until it is closed. Nothing else may write to standard output."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    waiting: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(requests, waiting), daemon=True).start()
    _answer(answers, "ready")
    while True:
        path, document_id, limits, ocr = waiting.get()
        _limit_memory(limits.memory_bytes)
        try:
            reading = read_file(path, document_id, limits, ocr)
        except Unreadable as error:
            reading = FileReading((), (), (error,))
        except MemoryError:
            advice = f"needs more than {limits.memory_bytes:,} bytes; split it, or raise Limits.memory_bytes"
            reading = FileReading((), (), (Unreadable(str(path), "took too much memory", advice),))
        _lift_memory_limit()
        _answer(answers, reading)


def _listen(requests: IO[bytes], waiting: "queue.SimpleQueue[Any]") -> None:
    """Passes requests on. The parent's end, also in the middle of a file, is the end of this process."""
    while True:
        try:
            waiting.put(pickle.load(requests))
        except (EOFError, OSError, pickle.UnpicklingError):
            os._exit(0)


def _answer(answers: IO[bytes], message: object) -> None:
    pickle.dump(message, answers, protocol=pickle.HIGHEST_PROTOCOL)
    answers.flush()


def _limit_memory(more: int) -> None:
    """Lets this process take so many bytes more than it has now; does nothing where the system has no such limit."""
    try:
        import resource
        from pathlib import Path

        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (ImportError, OSError):
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    wanted = pages * resource.getpagesize() + more
    resource.setrlimit(resource.RLIMIT_AS, (wanted if hard < 0 else min(wanted, hard), hard))


def _lift_memory_limit() -> None:
    try:
        import resource
    except ImportError:
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
