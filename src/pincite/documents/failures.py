"""The error for a file that cannot be read: its name, one of ten reasons, and what to do."""

from pincite.errors import DataError

REASONS = (
    "encrypted",
    "damaged",
    "scanned",
    "empty",
    "too large",
    "unknown format",
    "not installed",
    "took too long",
    "took too much memory",
    "cannot be opened",
)


class Unreadable(DataError):  # noqa: N818
    """A file, or a part of a zip or an e-mail, that cannot be read.

    >>> error = Unreadable("scans/a.pdf", "empty", "the file has no bytes; copy it again")
    >>> error.reason, str(error)
    ('empty', 'scans/a.pdf: the file has no bytes; copy it again')
    """

    def __init__(self, name: str, reason: str, advice: str) -> None:
        if reason not in REASONS:
            raise ValueError(f"unknown reason {reason!r}; use one of: {', '.join(REASONS)}")
        super().__init__(name, reason, advice)
        self.name = name
        self.reason = reason
        self.advice = advice

    def __str__(self) -> str:
        return f"{self.name}: {self.advice}"
