"""A passage: a slice of a document's text that never loses its place; a unit: one that knows where it stands."""

from dataclasses import dataclass

Edges = tuple[int, int]


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


@dataclass(frozen=True, slots=True, order=True)
class Unit(Passage):
    """A sentence or list item of a clause: the headings above it, what led into it, and the clause around it."""

    heading_path: tuple[str, ...] = ()
    lead_in: Edges | None = None
    clause: Edges | None = None
