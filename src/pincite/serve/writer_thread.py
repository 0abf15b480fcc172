"""The one thread that changes the index: what it is asked is done in order, and is on disk before it is reported."""

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from queue import Full, Queue
from threading import Lock, Thread
from typing import Any, TypeVar

from pincite.index import Index
from pincite.serve.errors import Busy
from pincite.serve.uploads import FOLDER, NEW

T = TypeVar("T")
Work = Callable[[Index], Any]


class WriterThread:
    """Opens the index for writing when the first change comes; a server that only searches never does."""

    def __init__(self, folder: Path, waiting: int) -> None:
        self.folder = folder
        self._waiting: Queue[tuple[Work, Future[Any]] | None] = Queue(waiting)
        self._closed = False
        self._ending = Lock()
        self._thread = Thread(target=self._serve, name="pincite-writer", daemon=True)
        self._thread.start()

    @property
    def wanted(self) -> bool:
        """Whether something else is to be done, or the server is to stop: long work should make way."""
        return self._closed or not self._waiting.empty()

    @property
    def closed(self) -> bool:
        return self._closed

    def submit(self, work: Callable[[Index], T]) -> "Future[T]":
        """What `work` returns, when it is done."""
        done: Future[T] = Future()
        with self._ending:
            if self._closed:
                raise Busy("the server is stopping; try again when it is back", retry_after=5)
            try:
                self._waiting.put_nowait((work, done))
            except Full:
                raise Busy("too many changes are waiting; try again in a moment", retry_after=5) from None
        return done

    def close(self) -> None:
        """Waits until every change is done."""
        with self._ending:
            self._closed = True
        self._waiting.put(None)
        self._thread.join()

    def _opened(self) -> Index:
        """The index, opened for writing; what a killed server had begun to write is deleted."""
        for left in (self.folder / FOLDER).glob(f"{NEW}*"):
            left.unlink(missing_ok=True)
        return Index.open(self.folder, wait=30.0, model_threads=1)

    def _serve(self) -> None:
        index: Index | None = None
        while (taken := self._waiting.get()) is not None:
            work, done = taken
            if not done.set_running_or_notify_cancel():
                continue
            try:
                index = index or self._opened()
                done.set_result(work(index))
            except BaseException as error:  # noqa: BLE001 - whoever asked gets it
                done.set_exception(error)
        if index is not None:
            index.close()
