"""The one thread that changes the index. Changes are made in order, and each is on disk before its future completes."""

from collections.abc import Callable
from concurrent.futures import Future
from queue import Full, Queue
from threading import Lock, Thread
from typing import Any, TypeVar

from pincite.index import Index
from pincite.serve.errors import Busy

T = TypeVar("T")
Work = Callable[[Index], Any]


class WriterThread:
    """Opens the index for writing with the first change. A server that only searches an index of today never does."""

    def __init__(self, location: str, waiting: int) -> None:
        self.location = location
        self._waiting: Queue[tuple[Work, Future[Any]] | None] = Queue(waiting)
        self._closed = False
        self._ending = Lock()
        self._thread = Thread(target=self._serve, name="pincite-writer", daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[Index], T]) -> "Future[T]":
        """Queues a change. The future gets what it returns."""
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

    def _serve(self) -> None:
        index: Index | None = None
        while (taken := self._waiting.get()) is not None:
            work, done = taken
            if not done.set_running_or_notify_cancel():
                continue
            try:
                if index is None:  # `not index` would count its documents, for which a state is prepared
                    index = Index.open(self.location, wait=30.0, model_threads=1)
                done.set_result(work(index))
            except BaseException as error:  # noqa: BLE001 - passed on to the caller
                done.set_exception(error)
        if index is not None:
            index.close()
