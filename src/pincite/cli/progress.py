"""Progress on standard error for long work: bars in a terminal, else a plain line now and then."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pincite.index.index import StageProgress
    from pincite.models.contract import Progress

LINE_SECONDS = 5.0
"""Time after which a line is due."""
LINE_SHARE = 0.1
"""Share of the work after which a line is due, though not sooner than `LEAST_SECONDS` after the last one."""
LEAST_SECONDS = 1.0
STAGES = {"embedding": "embedding; searchable by words already"}
"""Stages of the work that say more than their name."""


@contextmanager
def progress_bar(what: str, *, estimate: bool = False) -> "Iterator[Progress]":
    """A callback (done, total) that shows how far the work is; plain lines, too, with an `estimate` of what is left."""
    with _bars(estimate=estimate) as move:
        yield lambda done, total: move(what, done, total)


@contextmanager
def stage_bars() -> "Iterator[StageProgress]":
    """A callback (stage, done, total) that shows how far each stage of adding documents is."""
    with _bars() as move:
        yield lambda what, done, total: move(STAGES.get(what, what), done, total)


@contextmanager
def _bars(*, estimate: bool = False) -> "Iterator[StageProgress]":
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield PlainLines(
            lambda line: console.print(line, highlight=False, markup=False, soft_wrap=True), estimate=estimate
        )
        return
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    tasks: dict[str, TaskID] = {}
    with Progress(*columns, console=console, transient=True) as bars:

        def move(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(escape(what), total=total)
            bars.update(tasks[what], completed=done, total=total)
            if done == total:
                bars.remove_task(tasks.pop(what))

        yield move


class PlainLines:
    """Writes "reading: 30 of 150" when five seconds have passed, or a tenth of the work is done.

    >>> lines = PlainLines(print, clock=iter([0.0, 0.1, 3.0, 9.0]).__next__)
    >>> for done in (1, 2, 3, 4): lines("reading", done, 4)
    reading: 3 of 4
    reading: 4 of 4

    With `estimate` they also say how long the rest will take, if it goes on like this.
    """

    def __init__(
        self, write: Callable[[str], None], clock: Callable[[], float] = time.monotonic, *, estimate: bool = False
    ) -> None:
        self._write, self._clock, self._estimate = write, clock, estimate
        self._begun: dict[str, float] = {}
        self._last: dict[str, tuple[float, int]] = {}
        """When each stage was last written about, and how much was done then."""

    def __call__(self, what: str, done: int, total: int) -> None:
        now = self._clock()
        begun = self._begun.setdefault(what, now)
        when, before = self._last.setdefault(what, (now, 0))
        has_moved = done - before >= LINE_SHARE * total and now - when >= LEAST_SECONDS
        if has_moved or now - when >= LINE_SECONDS:
            self._last[what] = (now, done)
            left = f", about {(now - begun) / done * (total - done):.0f} s left" if self._estimate and done else ""
            self._write(f"{what}: {done} of {total}{left}")
