"""Rows that are sent as they are found, until the client has all of them or goes away."""

from collections.abc import AsyncIterator, Generator, Iterable, Iterator
from threading import Lock, Thread
from typing import Any, Generic, TypeVar

from pincite.errors import PinciteError

T = TypeVar("T")


class RowStream(Generic[T]):
    """The rows of a generator. It can be closed while another thread waits for the next row, which is the last then."""

    def __init__(self, rows: Generator[T]) -> None:
        self._rows = rows
        self._lock = Lock()
        self._closed = False
        self.error: PinciteError | None = None
        """What ended the rows before their time."""

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        with self._lock:
            if self._closed:
                raise StopIteration
            try:
                return next(self._rows)
            except PinciteError as error:
                self.error = error
                raise StopIteration from None

    def close(self) -> None:
        """Ends the rows, in a thread of its own: the row that is being found is waited for."""
        self._closed = True
        Thread(target=self._end, daemon=True).start()

    def _end(self) -> None:
        with self._lock:
            self._rows.close()


async def sent(pieces: Iterable[T], rows: RowStream[Any]) -> AsyncIterator[T]:
    """The pieces of an answer made of rows. When the client goes away, no more rows are looked for."""
    from starlette.concurrency import iterate_in_threadpool  # keys are managed without the extra `serve`

    try:
        async for piece in iterate_in_threadpool(pieces):
            yield piece
    finally:
        rows.close()
