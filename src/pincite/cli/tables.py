"""Tables: aligned, and no wider than needed."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table


def console(*, stderr: bool = False, least: int = 200) -> Console:
    """A console with colours for a terminal. A pipe or file gets plain text, wide enough for all rows."""
    plain = Console(stderr=stderr)
    return plain if plain.is_terminal else Console(stderr=stderr, width=max(200, least), no_color=True)


def table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1, title: str = "", whole: bool = False
) -> Table:
    """A table whose first `left` columns are aligned to the left, the others to the right. With `whole` the first
    column is never wrapped, so that it can be copied."""
    made = Table(title=title or None, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for place, column in enumerate(columns):
        least = max((len(row[0]) for row in rows), default=0) if whole and place == 0 else None
        made.add_column(
            column, justify="left" if place < left else "right", no_wrap=place >= left, min_width=least, overflow="fold"
        )
    for row in rows:
        made.add_row(*row)
    return made
