"""Progress bars on standard error for long work; none without a terminal."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pincite.index.index import StageProgress
    from pincite.models.contract import Progress


@contextmanager
def progress_bar(what: str) -> "Iterator[Progress]":
    """A callback (done, total) that moves a bar. The bar appears with the first call."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    bars = Bars(*columns, console=console, transient=True, disable=not console.is_terminal)
    task = bars.add_task(what, total=None)

    def move(done: int, total: int) -> None:
        bars.start()
        bars.update(task, completed=done, total=total)

    try:
        yield move
    finally:
        bars.stop()


@contextmanager
def stage_bars() -> "Iterator[StageProgress]":
    """A callback (stage, done, total) that shows a bar for each stage of the work, one after the other."""
    from contextlib import ExitStack

    with ExitStack() as stack:
        bars: dict[str, Progress] = {}

        def move(what: str, done: int, total: int) -> None:
            if what not in bars:
                stack.close()
                bars[what] = stack.enter_context(progress_bar(what))
            bars[what](done, total)

        yield move
