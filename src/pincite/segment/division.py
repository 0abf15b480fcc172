"""A first-level division of a document."""

from enum import Enum
from typing import NamedTuple


class DivisionKind(Enum):
    """What a division is to its document."""

    RECITALS = "what stands before the terms"
    TERMS = "an article or section"
    ATTACHMENT = "an exhibit, schedule or form behind the terms"


class Division(NamedTuple):
    """Where the heading of a division starts and ends, and what it says."""

    start: int
    end: int
    title: str
    is_titled: bool = True
    """False if the heading is only a number, which belongs to the sentence behind it."""
    kind: DivisionKind = DivisionKind.TERMS
