"""A passage: a slice of a document's text that never loses its place."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Passage:
    """The characters from `start` up to `end` of one document.

    >>> Passage("leases/quay.txt", 0, 16).length
    16
    """

    document_id: str
    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"{self.document_id}: a passage cannot run from {self.start} to {self.end}")

    @property
    def length(self) -> int:
        return self.end - self.start
