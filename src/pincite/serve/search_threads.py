"""Threads that search and read. Requests wait for them in a queue of limited length."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from threading import Condition, Thread
from typing import Any, NamedTuple, TypeVar

from pincite.index import Index
from pincite.search import Answer, SearchRequest
from pincite.serve.errors import Busy
from pincite.text import Filter

T = TypeVar("T")
TOGETHER = 4
"""Waiting questions that are answered together, so that the encoder processes them as one batch."""


class _Asked(NamedTuple):
    request: SearchRequest
    visible: Filter | None
    answer: "Future[Answer]"


class _Work(NamedTuple):
    run: Callable[[], Any]
    done: "Future[Any]"


class SearchThreads:
    """Answers requests and runs work on one index, which all threads share."""

    def __init__(self, index: Index, threads: int, waiting: int) -> None:
        self._index, self._most = index, waiting
        self._waiting: deque[_Asked | _Work] = deque()
        self._changed = Condition()
        self._closed = False
        self._threads = [Thread(target=self._serve, name=f"pincite-search-{at}", daemon=True) for at in range(threads)]
        for thread in self._threads:
            thread.start()

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def ask(self, request: SearchRequest, visible: Filter | None = None) -> "Future[Answer]":
        """Queues a request of a caller who may see these documents. The future gets its answer."""
        answer: Future[Answer] = Future()
        self._put(_Asked(request, visible, answer))
        return answer

    def submit(self, work: Callable[[], T]) -> "Future[T]":
        """Queues a function. The future gets what it returns."""
        done: Future[T] = Future()
        self._put(_Work(work, done))
        return done

    def close(self) -> None:
        """Waits until everything in the queue is done."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _put(self, entry: "_Asked | _Work") -> None:
        with self._changed:
            if self._closed:
                raise Busy("the server is stopping; try again when it is back", retry_after=5)
            if len(self._waiting) >= self._most:
                raise Busy(f"{self._most} requests are waiting already; try again in a moment", retry_after=1)
            self._waiting.append(entry)
            self._changed.notify()

    def _next(self) -> "list[_Asked] | _Work | None":
        """The next work, or questions to answer together; None after `close` when the queue is empty."""
        with self._changed:
            while not self._waiting:
                if self._closed:
                    return None
                self._changed.wait()
            first = self._waiting.popleft()
            if isinstance(first, _Work):
                return first
            together = [first]
            while first.request.fast and self._waiting and len(together) < TOGETHER:
                following = self._waiting[0]
                if isinstance(following, _Work) or not following.request.fast or following.visible != first.visible:
                    break
                together.append(following)
                self._waiting.popleft()
            return together

    def _serve(self) -> None:
        while (entry := self._next()) is not None:
            if isinstance(entry, _Work):
                _run(entry)
            else:
                self._answer(entry)

    def _answer(self, asked: list[_Asked]) -> None:
        asked = [entry for entry in asked if entry.answer.set_running_or_notify_cancel()]
        visible = asked[0].visible if asked else None
        try:
            answers = self._index.answer([entry.request for entry in asked], visible=visible)
        except BaseException as error:  # noqa: BLE001 - passed on to the caller
            if len(asked) == 1:
                asked[0].answer.set_exception(error)
                return
            for entry in asked:  # a request that fails must not fail the others
                try:
                    entry.answer.set_result(self._index.answer([entry.request], visible=visible)[0])
                except BaseException as own:  # noqa: BLE001 - passed on to the caller
                    entry.answer.set_exception(own)
            return
        for entry, answer in zip(asked, answers, strict=True):
            entry.answer.set_result(answer)


def _run(work: _Work) -> None:
    if not work.done.set_running_or_notify_cancel():
        return
    try:
        work.done.set_result(work.run())
    except BaseException as error:  # noqa: BLE001 - passed on to the caller
        work.done.set_exception(error)
