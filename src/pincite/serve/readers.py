"""Threads that each hold the index open for reading; what they are asked waits in a queue of bounded length."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from threading import Condition, Thread
from typing import Any, NamedTuple, TypeVar

from pincite.index import EmbeddedEngine, Question
from pincite.retrieve.answers import Answer
from pincite.serve.failures import Busy

T = TypeVar("T")
TOGETHER = 4
"""So many waiting questions are answered as one: the model reads them in one go."""


class _Asked(NamedTuple):
    question: Question
    answer: "Future[Answer]"


class _Work(NamedTuple):
    carry_out: Callable[[EmbeddedEngine], Any]
    done: "Future[Any]"


class Readers:
    """`open_engine` is called in every thread: an engine is never shared."""

    def __init__(self, open_engine: Callable[[], EmbeddedEngine], threads: int, waiting: int) -> None:
        self._open, self._most = open_engine, waiting
        self._waiting: deque[_Asked | _Work] = deque()
        self._changed = Condition()
        self._closed = False
        self._threads = [Thread(target=self._serve, name=f"pincite-reader-{at}", daemon=True) for at in range(threads)]
        for thread in self._threads:
            thread.start()

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def ask(self, question: Question) -> "Future[Answer]":
        """The answer, when a thread has found it."""
        answer: Future[Answer] = Future()
        self._put(_Asked(question, answer))
        return answer

    def submit(self, work: Callable[[EmbeddedEngine], T]) -> "Future[T]":
        """What `work` gives, when a thread has carried it out with its engine."""
        done: Future[T] = Future()
        self._put(_Work(work, done))
        return done

    def close(self) -> None:
        """Waits until everything that was asked is answered."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _put(self, entry: "_Asked | _Work") -> None:
        with self._changed:
            if self._closed:
                raise Busy("the server is stopping; ask again when it is back", retry_after=5)
            if len(self._waiting) >= self._most:
                raise Busy(f"{self._most} requests are waiting already; ask again in a moment", retry_after=1)
            self._waiting.append(entry)
            self._changed.notify()

    def _taken(self) -> "list[_Asked] | _Work | None":
        """Work, or questions that can be answered together; None when all is done and nothing more will come."""
        with self._changed:
            while not self._waiting:
                if self._closed:
                    return None
                self._changed.wait()
            first = self._waiting.popleft()
            if isinstance(first, _Work):
                return first
            together = [first]
            while first.question.reading is None and self._waiting and len(together) < TOGETHER:
                following = self._waiting[0]
                if isinstance(following, _Work) or following.question.reading is not None:
                    break
                together.append(following)
                self._waiting.popleft()
            return together

    def _serve(self) -> None:
        engine: EmbeddedEngine | None = None
        while (taken := self._taken()) is not None:
            try:
                if engine is not None and engine.replaced:
                    engine.close()
                    engine = None
                engine = engine or self._open()
            except BaseException as error:  # noqa: BLE001 - whoever asked gets it, and the next one tries again
                for done in [taken.done] if isinstance(taken, _Work) else [entry.answer for entry in taken]:
                    if done.set_running_or_notify_cancel():
                        done.set_exception(error)
                continue
            if isinstance(taken, _Work):
                _carry_out(taken, engine)
            else:
                _answer(taken, engine)
        if engine is not None:
            engine.close()


def _answer(asked: list[_Asked], engine: EmbeddedEngine) -> None:
    asked = [entry for entry in asked if entry.answer.set_running_or_notify_cancel()]
    try:
        answers = engine.search([entry.question for entry in asked])
    except BaseException as error:  # noqa: BLE001 - whoever asked gets it
        if len(asked) == 1:
            asked[0].answer.set_exception(error)
            return
        for entry in asked:  # one that cannot be answered must not take the others with it
            try:
                entry.answer.set_result(engine.search([entry.question])[0])
            except BaseException as own:  # noqa: BLE001 - as above
                entry.answer.set_exception(own)
        return
    for entry, answer in zip(asked, answers, strict=True):
        entry.answer.set_result(answer)


def _carry_out(work: _Work, engine: EmbeddedEngine) -> None:
    if not work.done.set_running_or_notify_cancel():
        return
    try:
        work.done.set_result(work.carry_out(engine))
    except BaseException as error:  # noqa: BLE001 - as above
        work.done.set_exception(error)
