"""An example: a question with its gold spans and the answer of a system."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple


class Span(NamedTuple):
    """A range of characters in a document."""

    document: str
    start: int
    end: int

    @property
    def length(self) -> int:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Example:
    """`hits` is parallel to `texts`, best first; None where the prediction file has only texts."""

    query: str
    gold: tuple[Span, ...]
    gold_texts: tuple[str, ...]
    texts: tuple[str, ...]
    hits: tuple[Span, ...] | None
    first: tuple[Span, ...] = ()
    """All spans of the first hit, its lead-ins among them; none where it has but one."""
    scores: tuple[float, ...] | None = None
    """The score of each hit; None where they are not known."""


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans sorted, with overlapping ones merged.

    >>> merged([Span("a", 5, 9), Span("a", 0, 6), Span("b", 0, 1)])
    (Span(document='a', start=0, end=9), Span(document='b', start=0, end=1))
    """
    result: list[Span] = []
    for span in sorted(span for span in spans if span.length > 0):
        last = result[-1] if result else None
        if last and last.document == span.document and span.start <= last.end:
            result[-1] = Span(last.document, last.start, max(last.end, span.end))
        else:
            result.append(span)
    return tuple(result)


def size(spans: Iterable[Span]) -> int:
    return sum(span.length for span in spans)


def shared(left: Iterable[Span], right: Iterable[Span]) -> int:
    """How many characters are in both, each counted once.

    >>> shared([Span("a", 0, 6), Span("a", 4, 9)], [Span("a", 5, 20)])
    4
    """
    others = merged(right)
    return sum(
        max(0, min(one.end, other.end) - max(one.start, other.start))
        for one in merged(left)
        for other in others
        if one.document == other.document
    )
